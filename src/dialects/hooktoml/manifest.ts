/** Reading a HOOK.toml table by table: each reader says what is wrong where it stands and gives back what could be read. */
import type { Position } from '../../core/diagnostic.ts';
import { entryOf, kindName, type MapNode, type Node } from '../../core/document.ts';
import { type Complaints, readScalar } from '../../core/loading.ts';
import { suggest } from '../../core/suggest.ts';

/** Beyond this a timer of the host would fire at once instead of late. */
const MAX_TIMEOUT_SECONDS = 2_147_483;

/** Keys the document does not know change nothing, but a misspelt one must not go unseen. */
export function warnUnknown(table: MapNode, known: readonly string[], place: string, complaints: Complaints): void {
  for (const { key, at } of table.entries) {
    if (known.includes(key)) continue;
    const near = suggest(key, known);
    const hint = near ? `Did you mean \`${near}\`?` : `Known here: ${known.join(', ')}.`;
    complaints.say('warning', 'unknown-field', at, `There is no \`${key}\` in ${place}; it is ignored.`, hint);
  }
}

/** A table under `key`; undefined if absent; a complaint and undefined if it is something else. */
export function readTable(owner: Node, key: string, place: string, complaints: Complaints): MapNode | undefined {
  const entry = entryOf(owner, key);
  if (!entry) return undefined;
  if (entry.value.kind === 'map') return entry.value;
  complaints.say(
    'error',
    'wrong-type',
    entry.value.at,
    `\`${key}\` must be a table, found ${kindName(entry.value)}.`,
    `Write \`[${place}]\`.`,
  );
  return undefined;
}

/** A text that must be there and must not be blank. */
export function readText(owner: MapNode, key: string, place: string, complaints: Complaints): { value: string; at: Position } | undefined {
  if (!entryOf(owner, key)) {
    complaints.say('error', 'missing-field', owner.at, `\`[${place}]\` has no \`${key}\`, which is required.`, `Add \`${key} = "…"\`.`);
    return undefined;
  }
  const found = readScalar(owner, key, 'string', complaints);
  if (found?.value.trim() !== '') return found;
  complaints.say('error', 'out-of-range', found.at, `\`${key}\` is empty.`, `Give it a text.`);
  return undefined;
}

export function readTimeoutMs(action: MapNode, fallbackMs: number, complaints: Complaints): number {
  const found = readScalar(action, 'timeout_secs', 'number', complaints);
  if (!found) return fallbackMs;
  const { value, at } = found;
  if (Number.isInteger(value) && value >= 1 && value <= MAX_TIMEOUT_SECONDS) return value * 1000;
  const what = `\`timeout_secs\` must be a whole number of seconds, at least 1, found ${value}.`;
  complaints.say('error', 'out-of-range', at, what, `Leave it out to get ${fallbackMs / 1000} seconds.`);
  return fallbackMs;
}

export function readInteger(owner: MapNode, key: string, fallback: number, complaints: Complaints): number {
  const found = readScalar(owner, key, 'number', complaints);
  if (!found) return fallback;
  if (Number.isSafeInteger(found.value)) return found.value;
  complaints.say('error', 'wrong-type', found.at, `\`${key}\` must be a whole number, found ${found.value}.`);
  return fallback;
}

/** A list of texts under `key`; undefined if absent or wrong. */
export function readTexts(owner: MapNode, key: string, complaints: Complaints): { values: string[]; at: Position } | undefined {
  const entry = entryOf(owner, key);
  if (!entry) return undefined;
  const { value: list } = entry;
  if (list.kind !== 'list') {
    complaints.say(
      'error',
      'wrong-type',
      list.at,
      `\`${key}\` must be a list of texts, found ${kindName(list)}.`,
      `Write \`${key} = ["…"]\`.`,
    );
    return undefined;
  }
  const values: string[] = [];
  for (const item of list.items) {
    if (item.kind === 'scalar' && typeof item.value === 'string') values.push(item.value);
    else complaints.say('error', 'wrong-type', item.at, `\`${key}\` must be a list of texts, found ${kindName(item)} in it.`);
  }
  return { values, at: list.at };
}
