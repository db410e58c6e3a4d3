/** The user's own settings of Hookline, `<config>/hookline/settings.json`. All optional; what can't be used is said and left out. */
import { join } from 'node:path';
import type { Diagnostic } from '../core/diagnostic.ts';
import { type Entry, kindName, type Node } from '../core/document.ts';
import { type Complaints, complaintsAbout } from '../core/loading.ts';
import { suggest } from '../core/suggest.ts';
import { loadFormat } from '../formats/index.ts';
import { readText } from './read-text.ts';

export interface Settings {
  /** Load these dialects alone. */
  readonly dialects?: readonly string[];
  /** Every fault on a gating event denies. */
  readonly strict?: boolean;
  /** Takes the place of the limit of dialects that have one. */
  readonly maxHooks?: number;
  readonly audit?: { readonly allowSkip?: boolean };
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
        const { value } = entry;
        if (value.kind === 'scalar' && Number.isSafeInteger(value.value) && Number(value.value) > 0)
          settings = { ...settings, maxHooks: Number(value.value) };
        else wrongType(entry, 'a whole number above 0', complaints);
        break;
      }
      case 'audit': {
        const [inner] = entriesOf(entry.value, '`audit`', ['allowSkip'], complaints);
        const allowSkip = inner && readBoolean(inner, complaints);
        if (allowSkip !== undefined) settings = { ...settings, audit: { allowSkip } };
        break;
      }
    }
  }
  return settings;
}

const KEYS = ['dialects', 'strict', 'maxHooks', 'audit'];

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

function readBoolean(entry: Entry, complaints: Complaints): boolean | undefined {
  const { value } = entry;
  if (value.kind === 'scalar' && typeof value.value === 'boolean') return value.value;
  wrongType(entry, '`true` or `false`', complaints);
  return undefined;
}

function wrongType({ key, value }: Entry, wanted: string, complaints: Complaints): void {
  complaints.say(
    'warning',
    'wrong-type',
    value.at,
    `\`${key}\` must be ${wanted}, found ${kindName(value)}; it is ignored.`,
    `Write ${wanted}.`,
  );
}
