/**
 * The digest by which a hook is trusted: what it is defined as, and the bytes of the files it runs. Any change of either is a new digest;
 * where the project stands is not part of it, so that a digest taken here can be pinned elsewhere.
 */
import { isUtf8 } from 'node:buffer';
import { relative } from 'node:path';
import type { Hook } from '../core/contracts/hook.ts';
import { digestOf } from '../core/values/digest.ts';
import { isBelow } from '../load/find/folders.ts';
import { readBytes } from '../load/find/read-text.ts';

/** A hook as it is now. */
export interface Fingerprint {
  readonly digest: string;
  /** The digest as versions before pins reckoned it: what they trusted stays trusted. */
  legacy(): string;
}

/** All that is shown of a hook when it is compared with what was trusted. */
export interface Snapshot extends Fingerprint {
  /** The definition as JSON, a line for each value. */
  readonly definition: string;
  readonly files: readonly SnapshotFile[];
}

export interface SnapshotFile {
  /** As seen from the hook's folder. */
  readonly name: string;
  /** SHA-256 of its bytes, or why there is none. */
  readonly hash: string;
  /** Absent if it is too large to be kept, or no text. */
  readonly text?: string;
}

/** A file beyond this is never hashed, so a hook that runs one is never trusted. */
const MAX_HASHED = 64 * 1024 * 1024;
/** The text of a larger file is not kept: its hash is. */
const MAX_KEPT = 256 * 1024;

export function hookDigest(hook: Hook, files: readonly string[], root?: string): string {
  return fingerprintOf(hook, files, root).digest;
}

export function fingerprintOf(hook: Hook, files: readonly string[], root?: string): Fingerprint {
  return fingerprint(hook, root, new Map(files.map((file) => [file, hashOf(readBytes(file, MAX_HASHED))])));
}

export function snapshotOf(hook: Hook, files: readonly string[], root?: string): Snapshot {
  const name = namesFrom(hook, root);
  const hashes = new Map<string, string>();
  const shown: SnapshotFile[] = [];
  for (const file of files) {
    const bytes = readBytes(file, MAX_HASHED);
    const hash = hashOf(bytes);
    hashes.set(file, hash);
    const text = bytes instanceof Uint8Array && bytes.length <= MAX_KEPT && isUtf8(bytes) ? bytes.toString('utf8') : undefined;
    shown.push({ name: name(file), hash, ...(text !== undefined && { text }) });
  }
  return { ...fingerprint(hook, root, hashes), definition: definitionText(hook, name), files: shown };
}

/** The module is loaded when something is hashed, which most starts of the command never do. */
export function hash(data: string | Uint8Array): string {
  return process.getBuiltinModule('node:crypto').hash('sha256', data);
}

function fingerprint(hook: Hook, root: string | undefined, hashes: ReadonlyMap<string, string>): Fingerprint {
  const { folder, cwd } = hook;
  const named = (name: (path: string) => string) => ({
    cwd: cwd === undefined ? null : name(cwd),
    // Canonical: the order in which files are named does not matter.
    files: Object.fromEntries([...hashes].map(([file, found]) => [name(file), found])),
  });
  const portable = { version: 2, definition: withoutPlace(definitionOf(hook), folder), ...named(namesFrom(hook, root)) };
  const old = (path: string): string => (folder === undefined ? path : relative(folder, path));
  return {
    digest: digestOf(portable, hash),
    legacy: () => digestOf({ definition: definitionOf(hook), ...named(old) }, hash),
  };
}

function definitionOf({ dialect, event, name, when, handler, timeoutMs, priority, detach, strict, env, skipAudit, required }: Hook) {
  return { dialect, event, name, when, handler, timeoutMs, priority, detach, strict, env, skipAudit, required };
}

/** Files of the project by the way to them from the hook's folder; what lies elsewhere by its whole path. */
function namesFrom({ folder }: Hook, root: string | undefined): (path: string) => string {
  return (path) => {
    if (folder === undefined) return path;
    return isBelow(path, folder) || root === undefined || isBelow(path, root) ? relative(folder, path) : path;
  };
}

/** Paths into the hook's folder lose the way to it. The mark that stands for it can't be written in a hook: every NUL of one is doubled. */
function withoutPlace(value: unknown, folder: string | undefined): unknown {
  if (typeof value === 'string') {
    const plain = value.replaceAll('\0', '\0\0');
    return folder === undefined ? plain : plain.replaceAll(folder, '\0folder');
  }
  if (Array.isArray(value)) return value.map((item) => withoutPlace(item, folder));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutPlace(item, folder)]));
}

function definitionText(hook: Hook, name: (path: string) => string): string {
  const { cwd, description } = hook;
  const shown = { description, ...definitionOf(hook), ...(cwd !== undefined && { cwd: name(cwd) }) };
  return `${JSON.stringify(shown, null, 2)}\n`;
}

function hashOf(bytes: ReturnType<typeof readBytes>): string {
  if (bytes === undefined) return 'missing';
  if (bytes instanceof Uint8Array) return hash(bytes);
  return bytes.code === 'file-too-large' ? process.getBuiltinModule('node:crypto').randomUUID() : bytes.code;
}
