/** Reads the user's settings, `<config>/hookline/settings.json`. Every setting is optional; a value that cannot be used is reported and left out. */

import { join } from 'node:path';
import type { GuardSettings } from '../../core/contracts/guard-settings.ts';
import type { JudgeSettings } from '../../core/contracts/judge-settings.ts';
import type { NotifierConfig, WebhookNotifierConfig } from '../../core/contracts/notifier.ts';
import { readExpiry, type Waiver } from '../../core/contracts/waiver.ts';
import type { Diagnostic } from '../../core/values/diagnostic.ts';
import { type Entry, entryOf, kindName, type Node, toJson } from '../../core/values/document.ts';
import { ENVIRONMENT_POLICIES, type EnvironmentPolicy } from '../../core/values/environment.ts';
import { isObject } from '../../core/values/json.ts';
import { type Problems, problemsIn } from '../../core/values/read-document.ts';
import { suggest } from '../../core/values/suggest.ts';
import { readText } from '../find/read-text.ts';
import { loadFormat } from '../formats/index.ts';
import { completeGuard, readGuard } from './guard.ts';
import { readJudge } from './judge.ts';
import {
  type OnErrorSettings,
  type Reader,
  type Readers,
  readBoolean,
  readCount,
  readEntries,
  readMap,
  readOnError,
  readOneOf,
  readString,
  readStrings,
  wrongType,
} from './values.ts';

export interface HttpSettings {
  /** Addresses, ranges and host names that HTTP hooks may call although addresses of this kind are blocked. */
  readonly allowAddresses?: readonly string[];
}

export const readEnvironment = readMap<Partial<EnvironmentPolicy>>({ policy: readOneOf(ENVIRONMENT_POLICIES), names: readStrings });

export const readHttp = readMap<HttpSettings>({ allowAddresses: readStrings });

/** A waiver without a reason or an end has no effect: an accepted risk must be explained, and looked at again. */
export function readWaivers(entry: Entry, problems: Problems): readonly Waiver[] | undefined {
  if (entry.value.kind !== 'list') {
    wrongType(entry, 'a list of waivers', problems);
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
    problems.report('warning', 'bad-waiver', item.at, `This waiver has no usable \`${lacks}\`, so it waives nothing.`, HINT);
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

export interface Settings {
  /** Load only these dialects. */
  readonly dialects?: readonly string[];
  /** A dialect for each place that several dialects can read. */
  readonly readAs?: Readonly<Record<string, string>>;
  /** Every fault on a gating event denies. */
  readonly strict?: boolean;
  /** Replaces the limit of dialects that have one. */
  readonly maxHooks?: number;
  readonly audit?: AuditSettings;
  readonly trust?: TrustSettings;
  readonly log?: LogSettings;
  readonly approvals?: ApprovalSettings;
  /** Notifiers that tell people when an action is held and when it is settled. */
  readonly notify?: readonly NotifierConfig[];
  /** Whether a person is there when an agent asks: to be found out, always, or never. */
  readonly interactive?: 'auto' | 'always' | 'never';
  /** URL of the store for held actions and the log. */
  readonly store?: string;
  /** Names of hooks that must be able to run; otherwise every action that can be denied is denied. */
  readonly required?: readonly string[];
  /** The consequence of a fault of single hooks, by the name or the file of the hook. */
  readonly onError?: OnErrorSettings;
  /** Hooks in shadow, by name or file: they run, and their verdict is only recorded. */
  readonly shadow?: readonly string[];
  /** Which variables of the environment hooks may see. */
  readonly environment?: Partial<EnvironmentPolicy>;
  readonly http?: HttpSettings;
  /** Whether context from hooks of a project is put in a frame that names them. */
  readonly markContext?: boolean;
  readonly guard?: GuardSettings;
  /** The model that answers `prompt` and `agent` hooks. */
  readonly judge?: JudgeSettings;
  readonly doctor?: DoctorSettings;
  readonly agent?: AgentSettings;
}

export interface AgentSettings {
  /** The model of `hookline agent`, as `provider:model`. */
  readonly model?: string;
}

export interface ApprovalSettings {
  /** Whether an action that a person denied is denied again while its ticket lives, or held again. */
  readonly denials?: 'remember' | 'forget';
  /** Lets scripts settle, trust and prune where it is unclear whether a person acts. Never an agent. */
  readonly unattended?: boolean;
}

export interface TrustSettings {
  /** Globs of files that hooks only write. A folder that is trusted whole is trusted without them. */
  readonly ignores?: readonly string[];
}

export interface DoctorSettings {
  /** Agents that the user leaves without Hookline on purpose. */
  readonly ignore?: readonly string[];
}

export interface LogSettings {
  readonly record?: 'off' | 'asked' | 'all';
  readonly onFailure?: 'keep' | 'deny';
  readonly keepDays?: number;
  /** Where checkpoints of the log are sent. */
  readonly checkpoints?: CheckpointSettings;
}

export interface CheckpointSettings {
  /** A file, to which each checkpoint is appended. */
  readonly file?: string;
  readonly webhook?: Omit<WebhookNotifierConfig, 'type'>;
  /** The URL of another store, whose log records each checkpoint. */
  readonly store?: string;
}

/** The settings of the log were once under `audit`, and are still read there. */
export interface AuditSettings extends Omit<LogSettings, 'checkpoints'> {
  readonly allowSkip?: boolean;
  /** Findings that the user accepts. */
  readonly waivers?: readonly Waiver[];
}

export interface LoadedSettings {
  readonly settings: Settings;
  readonly diagnostics: readonly Diagnostic[];
}

/** With `knownDialects`, any other dialect in the settings is reported and left out. */
export async function readSettings(configFolder: string, knownDialects?: readonly string[]): Promise<LoadedSettings> {
  const file = join(configFolder, 'hookline', 'settings.json');
  const read = readText(file);
  if (read === undefined) return { settings: {}, diagnostics: [] };
  const document = 'problem' in read ? { file, diagnostics: [read.problem] } : await (await loadFormat('json'))(file, read.text);
  const { root, diagnostics } = document;
  const problems = problemsIn(file);
  const settings = root ? readEntries(root, 'The settings', readersFor(knownDialects), problems) : {};
  const guard = await completeGuard(settings.guard, document, problems);
  return { settings: { ...settings, ...(guard && { guard }) }, diagnostics: [...diagnostics, ...problems.list] };
}

const LOG_READERS: Readers<LogSettings> = {
  record: readOneOf(['off', 'asked', 'all'] as const),
  onFailure: readOneOf(['keep', 'deny'] as const),
  keepDays: readCount,
  checkpoints: readMap<CheckpointSettings>({ file: readString, webhook: readWebhook, store: readString }),
};

function readWebhook(entry: Entry, problems: Problems): CheckpointSettings['webhook'] {
  const config = toJson(entry.value);
  if (isObject(config) && typeof config['url'] === 'string') return config as unknown as NonNullable<CheckpointSettings['webhook']>;
  wrongType(entry, 'a map with a `url`', problems);
  return undefined;
}

/** Reads a setting of the log under its old name, and reports the new one. */
function nowInLog<T>(read: Reader<T>): Reader<T> {
  return (entry, problems) => {
    const message = `The setting \`audit.${entry.key}\` is now called \`log.${entry.key}\`; the old name will be removed.`;
    problems.report('warning', 'deprecated', entry.at, message, `Move \`${entry.key}\` from \`audit\` to \`log\`.`);
    return read(entry, problems);
  };
}

/** One line for each setting. */
function readersFor(knownDialects: readonly string[] | undefined): Readers<Settings> {
  return {
    dialects: (entry, problems) => readDialects(entry, knownDialects, problems),
    readAs: (entry, problems) => readReadAs(entry, knownDialects, problems),
    strict: readBoolean,
    maxHooks: readCount,
    audit: readMap<AuditSettings>({
      allowSkip: readBoolean,
      record: nowInLog(LOG_READERS.record),
      onFailure: nowInLog(LOG_READERS.onFailure),
      keepDays: nowInLog(LOG_READERS.keepDays),
      waivers: readWaivers,
    }),
    trust: readMap<TrustSettings>({ ignores: readStrings }),
    log: readMap<LogSettings>(LOG_READERS),
    approvals: readMap<ApprovalSettings>({ denials: readOneOf(['remember', 'forget'] as const), unattended: readBoolean }),
    notify: readNotifiers,
    interactive: readOneOf(['auto', 'always', 'never'] as const),
    store: readString,
    required: readStrings,
    onError: readOnError,
    shadow: readStrings,
    environment: readEnvironment,
    http: readHttp,
    markContext: readBoolean,
    guard: readGuard,
    judge: readJudge,
    doctor: readMap<DoctorSettings>({ ignore: readStrings }),
    agent: readMap<AgentSettings>({ model: readString }),
  };
}

/** The texts that each notifier needs, by its type. */
const NEEDED: ReadonlyMap<unknown, readonly string[]> = new Map<NotifierConfig['type'], readonly string[]>([
  ['command', ['command']],
  ['webhook', ['url']],
  ['desktop', []],
]);

function readNotifiers(notify: Entry, problems: Problems): NotifierConfig[] {
  if (notify.value.kind !== 'list') {
    wrongType(notify, 'a list of notifiers', problems);
    return [];
  }
  return notify.value.items.flatMap((item) => {
    const config = toJson(item);
    const wanted = isObject(config) ? NEEDED.get(config['type']) : undefined;
    if (isObject(config) && wanted?.every((key) => typeof config[key] === 'string')) return [config as unknown as NotifierConfig];
    problems.report(
      'warning',
      'bad-notifier',
      item.at,
      'This is not a notifier, so it tells no one.',
      'Write `{ "type": "desktop" }`, `{ "type": "command", "command": "…" }` or `{ "type": "webhook", "url": "…", "secret": "…" }`.',
    );
    return [];
  });
}

/** A place or a dialect that does not exist is reported, because the user believes that it decides something. */
function readReadAs(entry: Entry, known: readonly string[] | undefined, problems: Problems): Record<string, string> | undefined {
  if (entry.value.kind !== 'map') {
    wrongType(entry, 'a map from places to dialects', problems);
    return undefined;
  }
  const read = entry.value.entries.flatMap((one): [string, string][] => {
    const dialect = readString(one, problems);
    if (dialect === undefined) return [];
    if (known?.includes(dialect) ?? true) return [[one.key, dialect]];
    const near = suggest(dialect, known ?? []);
    const hint = near ? `Did you mean \`${near}\`?` : known && `Known: ${known.join(', ')}.`;
    problems.report('warning', 'unknown-dialect', one.value.at, `There is no dialect \`${dialect}\`; it is ignored.`, hint);
    return [];
  });
  return Object.fromEntries(read);
}

function readDialects(entry: Entry, known: readonly string[] | undefined, problems: Problems): string[] | undefined {
  if (entry.value.kind !== 'list') {
    wrongType(entry, 'a list of dialect names', problems);
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
    problems.report(
      'warning',
      'unknown-dialect',
      item.at,
      message,
      near ? `Did you mean \`${near}\`?` : known && `Known: ${known.join(', ')}.`,
    );
    return [];
  });
}
