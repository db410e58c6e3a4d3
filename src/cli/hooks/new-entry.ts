/** Adds a new hook to a file that exists. Every other byte of the file stays: comments, order and white space. */
import type { SharedEntry } from '../../core/contracts/dialect.ts';
import type { Document } from '../../core/values/document.ts';
import { addItem, addValue, type JsonNode, nodeAt, readWritten } from '../../install/shapes/json-edit.ts';
import { parseJson } from '../../load/formats/json.ts';
import { parseToml } from '../../load/formats/toml.ts';

export interface Added {
  readonly text: string;
  readonly line: number;
  readonly column: number;
}

/** Why it cannot be added, as a sentence, and where. */
export interface NotAdded {
  readonly problem: string;
  readonly line: number;
  readonly column: number;
}

export function addEntry(file: string, text: string, entry: SharedEntry): Added | NotAdded {
  return 'list' in entry ? addTable(file, text, entry) : addJson(file, text, entry);
}

type JsonEntry = Extract<SharedEntry, { readonly path: readonly string[] }>;

function addJson(file: string, text: string, entry: JsonEntry): Added | NotAdded {
  const broken = firstError(parseJson(file, text));
  if (broken) return broken;
  const { path } = entry;
  const changed = 'item' in entry ? addItem(text, path, entry.item) : addValue(text, path, entry.value);
  if (typeof changed !== 'string') return { problem: `${changed.unfit}.`, ...positionOf(text, changed.at) };
  const wrong = firstError(parseJson(file, changed));
  if (wrong) return wrong;
  const there = nodeAt(readWritten(changed).root, path) as JsonNode;
  const own = 'item' in entry ? (there.children?.at(-1) as JsonNode) : there;
  return { text: changed, ...positionOf(changed, own.offset) };
}

/** A table of a list may stand at the end of a file, unless the list is written as one value. */
function addTable(file: string, text: string, { list, table }: Extract<SharedEntry, { readonly list: string }>): Added | NotAdded {
  const broken = firstError(parseToml(file, text));
  if (broken) return broken;
  const blank = text === '' ? '' : text.endsWith('\n') ? '\n' : '\n\n';
  const changed = `${text}${blank}${table}`;
  const wrong = firstError(parseToml(file, changed));
  if (wrong) return { ...wrong, problem: `\`${list}\` cannot get another table: ${wrong.problem}` };
  return { text: changed, ...positionOf(changed, text.length + blank.length) };
}

function firstError({ diagnostics }: Document): NotAdded | undefined {
  const found = diagnostics.find(({ severity }) => severity === 'error');
  return found && { problem: found.message, line: found.line ?? 1, column: found.column ?? 1 };
}

function positionOf(text: string, offset: number): { readonly line: number; readonly column: number } {
  const lines = text.slice(0, offset).split('\n');
  return { line: lines.length, column: (lines.at(-1) as string).length + 1 };
}
