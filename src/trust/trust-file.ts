/**
 * The project hooks that the user has trusted or denied, by digest, in `<state>/hookline/trust.json`. Trust is bound to the project: trust
 * in one clone does not apply to another. A broken file trusts no hook and is reported, never thrown.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type Hook, isCalled, type TrustState } from '../core/contracts/hook.ts';
import type { Diagnostic } from '../core/values/diagnostic.ts';
import { isObject } from '../core/values/json.ts';
import { readText } from '../load/find/read-text.ts';
import type { Fingerprint, Snapshot } from './hook-digest.ts';
import { type KeptHashes, type KeptTexts, writeAtomically } from './kept-texts.ts';

export interface TrustEntry {
  readonly digest: string;
  readonly name: string;
  readonly dialect: string;
  readonly file: string;
  /** The project it was trusted in. */
  readonly root: string;
  /** ISO 8601. */
  readonly at: string;
  /** The hook's id. Entries of older versions have neither this field nor the following ones. */
  readonly id?: string;
  /** The name that earlier versions made for the hook. */
  readonly formerName?: string;
  readonly by?: string;
  readonly via?: 'prompt' | 'yes';
  /** The digest by which the hook was trusted before. */
  readonly previous?: string;
  readonly kept?: KeptHashes;
}

export interface Trust {
  list(): readonly TrustEntry[];
  denied(): readonly TrustEntry[];
  /** Whether there is no entry for this project. */
  isEmpty(root: string): boolean;
  stateOf(hook: Hook, print: Fingerprint, root: string): TrustState;
  /** Returns the entry by which a hook that has changed since was trusted. */
  lastOf(hook: Hook, root: string): TrustEntry | undefined;
  /** Replaces the earlier entry of the hook, unless another hook still has that digest (`present`). */
  add(entry: TrustEntry, snapshot?: Snapshot, present?: ReadonlySet<string>): TrustEntry;
  deny(entry: TrustEntry): void;
  /** Returns the removed entries, trusted and denied. */
  remove(match: (entry: TrustEntry) => boolean): readonly TrustEntry[];
  /** Reads the file again if it has changed. */
  refresh(): void;
  /** Set if the file is broken. */
  readonly problem: Diagnostic | undefined;
}

/** `kept` holds the texts of trusted hooks. It is needed only to add or remove entries. */
export function openTrust(stateFolder: string, kept?: KeptTexts): Trust {
  const folder = join(stateFolder, 'hookline');
  const file = join(folder, 'trust.json');
  let seen = versionOf(file);
  let state = readTrust(file);
  const reread = (): void => {
    seen = versionOf(file);
    state = readTrust(file);
  };
  const save = (trusted: readonly TrustEntry[], denied: readonly TrustEntry[]): void => {
    const text = `${JSON.stringify({ trusted, ...(denied.length > 0 && { denied }) }, null, 2)}\n`;
    // A broken file is moved aside, so that the user can repair it.
    writeAtomically(file, text, state.problem === undefined ? {} : { keepOldAs: `${file}.broken` });
    kept?.sweep(trusted.flatMap((entry) => entry.kept ?? []));
    state = { trusted, denied, problem: undefined };
    seen = versionOf(file);
  };
  const here = ({ digest, root }: TrustEntry, of: TrustEntry): boolean => digest === of.digest && root === of.root;
  return {
    list: () => state.trusted,
    denied: () => state.denied,
    isEmpty: (root) => ![...state.trusted, ...state.denied].some((entry) => entry.root === root),
    stateOf(hook, print, root) {
      const isOf = (entry: TrustEntry): boolean =>
        entry.root === root && (entry.digest === print.digest || (entry.by === undefined && entry.digest === print.legacy()));
      if (state.denied.some(isOf)) return 'denied';
      if (state.trusted.some(isOf)) return 'trusted';
      return sameHook(state.trusted, hook, root).length > 0 ? 'modified' : 'untrusted';
    },
    lastOf: (hook, root) => lastOf(state.trusted, hook, root),
    add(given, snapshot, present) {
      // Another process may have changed the file since.
      reread();
      const before = given.id === undefined ? undefined : lastOf(state.trusted, { ...given, id: given.id, source: given }, given.root);
      const replaced = before && before.digest !== given.digest && !present?.has(before.digest) ? before : undefined;
      const entry = { ...given, ...(replaced && { previous: replaced.digest }), ...(snapshot && kept && { kept: kept.keep(snapshot) }) };
      const others = state.trusted.filter((one) => one !== replaced && !here(one, entry));
      const refused = state.denied.filter((one) => !here(one, entry));
      save([...others, entry], refused);
      return entry;
    },
    deny(entry) {
      reread();
      const refused = state.denied.filter((one) => !here(one, entry));
      save(
        state.trusted.filter((one) => !here(one, entry)),
        [...refused, entry],
      );
    },
    remove(match) {
      reread();
      const removed = [...state.trusted, ...state.denied].filter(match);
      const left = (entries: readonly TrustEntry[]) => entries.filter((entry) => !removed.includes(entry));
      if (removed.length > 0) save(left(state.trusted), left(state.denied));
      return removed;
    },
    refresh() {
      if (versionOf(file) !== seen) reread();
    },
    get problem() {
      return state.problem;
    },
  };
}

interface TrustFile {
  readonly trusted: readonly TrustEntry[];
  readonly denied: readonly TrustEntry[];
  readonly problem: Diagnostic | undefined;
}

type Named = Pick<Hook, 'id' | 'name' | 'formerName' | 'dialect'> & { readonly source: { readonly file: string } };

/** Whether this is an entry of the hook, in any version of it. A name that was made may change when another hook of the file does; the id stays. */
export function isEntryOf({ dialect, file, name, formerName, id }: TrustEntry, hook: Named): boolean {
  if (dialect !== hook.dialect || file !== hook.source.file) return false;
  return isCalled(hook, name) || (formerName !== undefined && formerName === hook.formerName && id === hook.id);
}

function sameHook(entries: readonly TrustEntry[], hook: Named, root: string): TrustEntry[] {
  return entries.filter((one) => one.root === root && isEntryOf(one, hook));
}

/** Several hooks of a file may have the same name. Then the id decides, else the newest entry. */
function lastOf(entries: readonly TrustEntry[], hook: Named, root: string): TrustEntry | undefined {
  const same = sameHook(entries, hook, root);
  return same.find(({ id }) => id === hook.id) ?? same.findLast(({ id }) => id === undefined) ?? same.at(-1);
}

/** Returns a text that changes with the file. The file is always replaced and never written in place. */
function versionOf(file: string): string {
  try {
    const { ino, size, mtimeMs } = statSync(file);
    return `${ino} ${size} ${mtimeMs}`;
  } catch {
    // The file is missing or cannot be read. Reading it tells which.
    return '';
  }
}

function readTrust(file: string): TrustFile {
  const read = readText(file);
  if (read === undefined) return { trusted: [], denied: [], problem: undefined };
  if ('problem' in read) return { trusted: [], denied: [], problem: read.problem };
  try {
    const value: unknown = JSON.parse(read.text);
    const { trusted, denied = [] } = isObject(value) ? value : {};
    if (isEntries(trusted) && isEntries(denied)) return { trusted, denied, problem: undefined };
  } catch {
    // Reported below.
  }
  const message = 'The list of trusted hooks cannot be read, so no project hook is trusted.';
  const hint = 'Fix the file, or trust the hooks again with `hookline trust add`.';
  return { trusted: [], denied: [], problem: { severity: 'error', code: 'broken-trust', file, message, hint } };
}

function isEntries(value: unknown): value is readonly TrustEntry[] {
  return Array.isArray(value) && value.every(isEntry);
}

function isEntry(value: unknown): boolean {
  if (!isObject(value) || !['digest', 'name', 'dialect', 'file', 'root', 'at'].every((key) => typeof value[key] === 'string')) return false;
  const { kept } = value;
  if (kept === undefined) return true;
  return isObject(kept) && typeof kept['definition'] === 'string' && Array.isArray(kept['files']) && kept['files'].every(isKeptFile);
}

function isKeptFile(value: unknown): boolean {
  return isObject(value) && typeof value['name'] === 'string' && typeof value['hash'] === 'string';
}
