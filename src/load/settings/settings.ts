/** The user's own settings of Hookline, `<config>/hookline/settings.json`. All optional; what can't be used is said and left out. */
import { join } from 'node:path';
import type { Diagnostic } from '../core/diagnostic.ts';
import { type Entry, kindName, toJson } from '../core/document.ts';
import type { EnvironmentPolicy } from '../core/environment.ts';
import type { GuardSettings } from '../core/guard-settings.ts';
import { isObject } from '../core/json.ts';
import { type Complaints, complaintsAbout } from '../core/loading.ts';
import type { NotifierConfig } from '../core/notifier.ts';
import { suggest } from '../core/suggest.ts';
import type { Waiver } from '../core/waiver.ts';
import { loadFormat } from '../formats/index.ts';
import { readGuard } from './guard-settings.ts';
import { type HttpSettings, readEnvironment, readHttp } from './reach-settings.ts';
import { readText } from './read-text.ts';
import {
  type Readers,
  readBoolean,
  readCount,
  readEntries,
  readMap,
  readOneOf,
  readWord,
  readWords,
  wrongType,
} from './settings-values.ts';
import { readWaivers } from './waiver-settings.ts';

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
  const complaints = complaintsAbout(file);
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

function readNotifiers(notify: Entry, complaints: Complaints): NotifierConfig[] {
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

function readDialects(entry: Entry, known: readonly string[] | undefined, complaints: Complaints): string[] | undefined {
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
