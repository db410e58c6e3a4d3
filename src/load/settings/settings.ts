/** The settings of the guard. An override that lacks its rule, its reason or its end is said and does not count. */

import { join } from 'node:path';
import { endOf, type GuardOverride, type GuardSettings, PRESET_NAMES } from '../../core/contracts/guard-settings.ts';
import type { NotifierConfig } from '../../core/contracts/notifier.ts';
import { readExpiry, type Waiver } from '../../core/contracts/waiver.ts';
import type { Diagnostic } from '../../core/values/diagnostic.ts';
import { type Entry, entryOf, kindName, type Node, toJson } from '../../core/values/document.ts';
import { ENVIRONMENT_POLICIES, type EnvironmentPolicy } from '../../core/values/environment.ts';
import { isObject, type JsonObject } from '../../core/values/json.ts';
import { type Problems, problemsIn } from '../../core/values/read-document.ts';
import { suggest } from '../../core/values/suggest.ts';
import { readText } from '../find/read-text.ts';
import { loadFormat } from '../formats/index.ts';
import { type Readers, readBoolean, readCount, readEntries, readMap, readOneOf, readWord, readWords, wrongType } from './values.ts';

export const readGuard = readMap<GuardSettings>({ preset: readOneOf(PRESET_NAMES), packs: readWords, overrides: readOverrides });

function readOverrides(entry: Entry, complaints: Problems): readonly GuardOverride[] | undefined {
  if (entry.value.kind !== 'list') {
    wrongType(entry, 'a list of overrides', complaints);
    return undefined;
  }
  return entry.value.items.flatMap((item) => {
    const value = toJson(item);
    const wrong = isObject(value) ? flawOf(value) : `An override must be a map, found ${kindName(item)}`;
    if (wrong === undefined) return [value as unknown as GuardOverride];
    sayBad(item, wrong, complaints);
    return [];
  });
}

function sayBad({ at }: Node, wrong: string, complaints: Problems): void {
  const hint = 'Write `{ "rule": "…", "command": "…", "reason": "…", "expires": "2026-12-31" }`; `command` and `path` may be left out.';
  complaints.say('warning', 'bad-override', at, `${wrong}; it does not count.`, hint);
}

const KNOWN = ['rule', 'command', 'path', 'reason', 'expires'];

function flawOf(value: JsonObject): string | undefined {
  // A condition that is misspelt would leave the override without any.
  const unknown = Object.keys(value).find((key) => !KNOWN.includes(key));
  if (unknown !== undefined) return `An override has no \`${unknown}\``;
  for (const key of ['rule', 'reason', 'expires']) {
    const text = value[key];
    if (typeof text !== 'string' || text.trim() === '') return `An override needs a \`${key}\``;
  }
  for (const key of ['command', 'path']) {
    if (value[key] !== undefined && typeof value[key] !== 'string') return `The \`${key}\` of an override must be text`;
  }
  return endOf({ expires: String(value['expires']) }) === undefined ? `\`${String(value['expires'])}\` is no ISO date` : undefined;
}

/** The settings about what hooks may see of this machine and reach from it. */

export interface HttpSettings {
  /** Addresses, ranges and host names that HTTP hooks may ask although their kind may not. */
  readonly allowAddresses?: readonly string[];
}

export const readEnvironment = readMap<Partial<EnvironmentPolicy>>({ policy: readOneOf(ENVIRONMENT_POLICIES), names: readWords });

export const readHttp = readMap<HttpSettings>({ allowAddresses: readWords });

/** The waivers in the user's settings. One that lacks its reason or its end is none: what is accepted must be said, and looked at again. */

export function readWaivers(entry: Entry, complaints: Problems): readonly Waiver[] | undefined {
  if (entry.value.kind !== 'list') {
    wrongType(entry, 'a list of waivers', complaints);
    return undefined;
  }
  return entry.value.items.flatMap((item) => {
    const [hook, reason, expires] = [textUnder(item, 'hook'), textUnder(item, 'reason'), textUnder(item, 'expires')];
    const rules = textsUnder(item, 'rules');
    const lacks = !hook
      ? 'hook'
      : !rules
        ? 'rules'
        : !reason
          ? 'reason'
          : expires === '' || readExpiry(expires) === undefined
            ? 'expires'
            : undefined;
    if (lacks === undefined && rules) return [{ hook, rules, reason, expires }];
    complaints.say(
      'warning',
      'bad-waiver',
      item.at,
      `This is no waiver, for want of a usable \`${lacks}\`; nothing is waived by it.`,
      HINT,
    );
    return [];
  });
}

const HINT = 'Write `{ "hook": "name or sha256:…", "rules": ["exec-remote"], "reason": "why", "expires": "2030-01-31" }`.';

function textUnder(node: Node, key: string): string {
  const value = entryOf(node, key)?.value;
  return value?.kind === 'scalar' && typeof value.value === 'string' ? value.value.trim() : '';
}

function textsUnder(node: Node, key: string): readonly string[] | undefined {
  const value = entryOf(node, key)?.value;
  if (value?.kind !== 'list' || value.items.length === 0) return undefined;
  const texts = value.items.flatMap((item) => (item.kind === 'scalar' && typeof item.value === 'string' ? [item.value] : []));
  return texts.length === value.items.length ? texts : undefined;
}

/** The user's own settings of Hookline, `<config>/hookline/settings.json`. All optional; what can't be used is said and left out. */

export interface Settings {
  /** Load these dialects alone. */
  readonly dialects?: readonly string[];
  /** Every fault on a gating event denies. */
  readonly strict?: boolean;
  /** Takes the place of the limit of dialects that have one. */
  readonly maxHooks?: number;
  readonly audit?: AuditSettings;
  /** Who is told when an action is held, and when it is settled. */
  readonly notify?: readonly NotifierConfig[];
  /** Where held actions and the log are kept. */
  readonly store?: string;
  /** Names of hooks without which nothing goes ahead. */
  readonly required?: readonly string[];
  /** Which variables of the environment hooks may see. */
  readonly environment?: Partial<EnvironmentPolicy>;
  readonly http?: HttpSettings;
  /** Whether context from hooks that come with a project is put in a frame that names them. */
  readonly markContext?: boolean;
  readonly guard?: GuardSettings;
}

export interface AuditSettings {
  readonly allowSkip?: boolean;
  readonly record?: 'off' | 'asked' | 'all';
  readonly onFailure?: 'keep' | 'deny';
  readonly keepDays?: number;
  /** Findings that the user accepts. */
  readonly waivers?: readonly Waiver[];
}

export interface LoadedSettings {
  readonly settings: Settings;
  readonly diagnostics: readonly Diagnostic[];
}

/** With `knownDialects`, a dialect that is not among them is said and left out. */
export async function readSettings(configFolder: string, knownDialects?: readonly string[]): Promise<LoadedSettings> {
  const file = join(configFolder, 'hookline', 'settings.json');
  const read = readText(file);
  if (read === undefined) return { settings: {}, diagnostics: [] };
  if ('problem' in read) return { settings: {}, diagnostics: [read.problem] };
  const parse = await loadFormat('json');
  const { root, diagnostics } = await parse(file, read.text);
  const complaints = problemsIn(file);
  const settings = root ? readEntries(root, 'The settings', readersFor(knownDialects), complaints) : {};
  return { settings, diagnostics: [...diagnostics, ...complaints.list] };
}

/** One line for each setting. */
function readersFor(knownDialects: readonly string[] | undefined): Readers<Settings> {
  return {
    dialects: (entry, complaints) => readDialects(entry, knownDialects, complaints),
    strict: readBoolean,
    maxHooks: readCount,
    audit: readMap<AuditSettings>({
      allowSkip: readBoolean,
      record: readOneOf(['off', 'asked', 'all'] as const),
      onFailure: readOneOf(['keep', 'deny'] as const),
      keepDays: readCount,
      waivers: readWaivers,
    }),
    notify: readNotifiers,
    store: readWord,
    required: readWords,
    environment: readEnvironment,
    http: readHttp,
    markContext: readBoolean,
    guard: readGuard,
  };
}

function readNotifiers(notify: Entry, complaints: Problems): NotifierConfig[] {
  if (notify.value.kind !== 'list') {
    wrongType(notify, 'a list of notifiers', complaints);
    return [];
  }
  return notify.value.items.flatMap((item) => {
    const config = toJson(item);
    const wanted = isObject(config) && { command: 'command', webhook: 'url' }[String(config['type'])];
    if (isObject(config) && wanted && typeof config[wanted] === 'string') return [config as unknown as NotifierConfig];
    complaints.say(
      'warning',
      'bad-notifier',
      item.at,
      'This is no notifier; nobody is told by it.',
      'Write `{ "type": "command", "command": "…" }` or `{ "type": "webhook", "url": "…", "secret": "…" }`.',
    );
    return [];
  });
}

function readDialects(entry: Entry, known: readonly string[] | undefined, complaints: Problems): string[] | undefined {
  if (entry.value.kind !== 'list') {
    wrongType(entry, 'a list of dialect names', complaints);
    return undefined;
  }
  return entry.value.items.flatMap((item) => {
    const name = item.kind === 'scalar' ? item.value : undefined;
    if (typeof name === 'string' && (known?.includes(name) ?? true)) return [name];
    const near = typeof name === 'string' ? suggest(name, known ?? []) : undefined;
    const message =
      typeof name === 'string'
        ? `There is no dialect \`${name}\`; it is ignored.`
        : `A dialect must be named by text, found ${kindName(item)}.`;
    complaints.say(
      'warning',
      'unknown-dialect',
      item.at,
      message,
      near ? `Did you mean \`${near}\`?` : known && `Known: ${known.join(', ')}.`,
    );
    return [];
  });
}
