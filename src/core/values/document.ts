/**
 * A parsed file whose values know their position. `load/formats` builds documents from YAML, JSON and TOML. Loaders of dialects see only
 * documents, so they stay pure, and every diagnostic has a line and a column.
 */
import type { Diagnostic, Position } from './diagnostic.ts';
import type { Json } from './json.ts';

export type Node = MapNode | ListNode | ScalarNode;
export interface MapNode {
  readonly kind: 'map';
  readonly at: Position;
  /** In the order of the file. A repeated key appears once, with its last value; the format reports a warning. */
  readonly entries: readonly Entry[];
}
export interface Entry {
  readonly key: string;
  readonly at: Position;
  readonly value: Node;
}
export interface ListNode {
  readonly kind: 'list';
  readonly at: Position;
  readonly items: readonly Node[];
}
export interface ScalarNode {
  readonly kind: 'scalar';
  readonly at: Position;
  readonly value: string | number | boolean | null;
}

export interface Document {
  readonly file: string;
  /** Absent if the file has no data (no frontmatter, empty file) or could not be parsed. A parse failure is in `diagnostics`. */
  readonly root?: Node;
  readonly diagnostics: readonly Diagnostic[];
  /** The first part of a JSON file that strict JSON does not have. Hookline reads it, but an agent may drop the file. */
  readonly beyondJson?: BeyondJson;
}

export interface BeyondJson {
  readonly what: 'a comment' | 'a comma after the last item' | 'a byte order mark';
  readonly at: Position;
}

export function entryOf(node: Node | undefined, key: string): Entry | undefined {
  return node?.kind === 'map' ? node.entries.find((entry) => entry.key === key) : undefined;
}

export function fieldOf(node: Node | undefined, key: string): Node | undefined {
  return entryOf(node, key)?.value;
}

export function toJson(node: Node): Json {
  switch (node.kind) {
    case 'scalar':
      return node.value;
    case 'list':
      return node.items.map(toJson);
    case 'map':
      // `fromEntries` defines own properties, so a `__proto__` key stays data.
      return Object.fromEntries(node.entries.map((entry) => [entry.key, toJson(entry.value)]));
  }
}

/** Returns the name of a node's type for messages such as "expected a list, found text". */
export function kindName(node: Node): string {
  if (node.kind === 'map') return 'a map';
  if (node.kind === 'list') return 'a list';
  if (node.value === null) return 'nothing';
  return { string: 'text', number: 'a number', boolean: 'a boolean' }[typeof node.value as 'string' | 'number' | 'boolean'];
}
