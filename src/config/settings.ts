/** The user's own settings of Hookline, `<config>/hookline/settings.json`. All optional; what can't be used is said and left out. */
import { join } from 'node:path';
import type { Diagnostic } from '../core/diagnostic.ts';
import { type Entry, kindName, type Node, toJson } from '../core/document.ts';
import { isObject } from '../core/json.ts';
import { type Complaints, complaintsAbout } from '../core/loading.ts';
import type { NotifierConfig } from '../core/notifier.ts';
import { suggest } from '../core/suggest.ts';
import { loadFormat } from '../formats/index.ts';
import { readText } from './read-text.ts';
import { readBoolean, readCount, readOneOf, readWord, wrongType } from './settings-values.ts';

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
}

export interface AuditSettings {
  readonly allowSkip?: boolean;
  readonly record?: 'off' | 'asked' | 'all';
  readonly onFailure?: 'keep' | 'deny';
  readonly keepDays?: number;
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
  const settings = root ? settingsOf(root, knownDialects, complaints) : {};
  return { settings, diagnostics: [...diagnostics, ...complaints.list] };
}

function settingsOf(root: Node, knownDialects: readonly string[] | undefined, complaints: Complaints): Settings {
  let settings: Settings = {};
  for (const entry of entriesOf(root, 'The settings', KEYS, complaints)) {
    switch (entry.key) {
      case 'dialects': {
        const dialects = readDialects(entry, knownDialects, complaints);
        if (dialects) settings = { ...settings, dialects };
        break;
      }
      case 'strict': {
        const strict = readBoolean(entry, complaints);
        if (strict !== undefined) settings = { ...settings, strict };
        break;
      }
      case 'maxHooks': {
        const maxHooks = readCount(entry, complaints);
        if (maxHooks !== undefined) settings = { ...settings, maxHooks };
        break;
      }
      case 'audit':
        settings = { ...settings, audit: readAudit(entry, complaints) };
        break;
      case 'notify':
        settings = { ...settings, notify: readNotifiers(entry, complaints) };
        break;
      case 'store': {
        const store = readWord(entry, complaints);
        if (store !== undefined) settings = { ...settings, store };
        break;
      }
    }
  }
  return settings;
}

const KEYS = ['dialects', 'strict', 'maxHooks', 'audit', 'notify', 'store'];

function readAudit(audit: Entry, complaints: Complaints): AuditSettings {
  let settings: AuditSettings = {};
  for (const entry of entriesOf(audit.value, '`audit`', ['allowSkip', 'record', 'onFailure', 'keepDays'], complaints)) {
    switch (entry.key) {
      case 'allowSkip': {
        const allowSkip = readBoolean(entry, complaints);
        if (allowSkip !== undefined) settings = { ...settings, allowSkip };
        break;
      }
      case 'record': {
        const record = readOneOf(entry, ['off', 'asked', 'all'] as const, complaints);
        if (record) settings = { ...settings, record };
        break;
      }
      case 'onFailure': {
        const onFailure = readOneOf(entry, ['keep', 'deny'] as const, complaints);
        if (onFailure) settings = { ...settings, onFailure };
        break;
      }
      case 'keepDays': {
        const keepDays = readCount(entry, complaints);
        if (keepDays !== undefined) settings = { ...settings, keepDays };
        break;
      }
    }
  }
  return settings;
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

/** The entries with a known key. */
function entriesOf(node: Node, what: string, known: readonly string[], complaints: Complaints): Entry[] {
  if (node.kind !== 'map') {
    complaints.say('warning', 'wrong-type', node.at, `${what} must be a map, found ${kindName(node)}; it is ignored.`, 'Write `{ … }`.');
    return [];
  }
  return node.entries.filter(({ key, at }) => {
    if (known.includes(key)) return true;
    const near = suggest(key, known);
    const hint = near ? `Did you mean \`${near}\`?` : `Known: ${known.join(', ')}.`;
    complaints.say('warning', 'unknown-key', at, `There is no setting \`${key}\`; it is ignored.`, hint);
    return false;
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
