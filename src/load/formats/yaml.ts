/** The library's nodes as ours. Aliases are followed within a bound, so that a few lines can not unfold into millions of nodes. */
import { type Alias, isAlias, isMap, isPair, isScalar, isSeq, type Pair, type Scalar, type ParsedNode as YamlNode } from 'yaml';
import type { Position } from '../core/diagnostic.ts';
import { type Entry, type Node, toJson } from '../core/document.ts';
import type { Complaints } from '../core/loading.ts';
import { finite, MAX_DEPTH, sayDuplicate, sayTooDeep } from './intake.ts';

/** How many nodes all aliases of a file may stand for. */
const MAX_ALIASED = 10_000;

/** Undefined if the data can't be used; the complaints then have an error. */
export function yamlNodes(root: YamlNode, positionOf: (offset: number) => Position, complaints: Complaints): Node | undefined {
  const walk: Walk = { positionOf, complaints, anchors: new Map(), aliased: 0, failed: false };
  const { node } = convert(walk, root, undefined, 1);
  return walk.failed ? undefined : node;
}

interface Walk {
  readonly positionOf: (offset: number) => Position;
  readonly complaints: Complaints;
  /** `open` while the node that carries the anchor is still being read. */
  readonly anchors: Map<string, Built | 'open'>;
  aliased: number;
  failed: boolean;
}

interface Built {
  readonly node: Node;
  /** Nodes in it, aliases unfolded. */
  readonly size: number;
  readonly height: number;
}

type Raw = YamlNode | Pair | null | undefined;

/** `nearby` is where an empty value is said to stand: at its key. */
function convert(walk: Walk, raw: Raw, nearby: Position | undefined, depth: number): Built {
  const own = raw && !isPair(raw) && raw.range ? walk.positionOf(raw.range[0]) : undefined;
  const position = (isEmpty(raw) ? (nearby ?? own) : (own ?? nearby)) ?? walk.positionOf(0);
  if (walk.failed || !raw) return leaf(position, null);
  if (depth > MAX_DEPTH) {
    fail(walk, () => sayTooDeep(walk.complaints, position));
    return leaf(position, null);
  }
  if (isAlias(raw)) return follow(walk, raw, position, depth);
  const anchor = isPair(raw) ? undefined : raw.anchor;
  if (anchor !== undefined) walk.anchors.set(anchor, 'open');
  const built = isScalar(raw) ? leaf(position, scalarValue(raw)) : collect(walk, raw, position, depth);
  if (anchor !== undefined) walk.anchors.set(anchor, built);
  return built;
}

function collect(walk: Walk, raw: YamlNode | Pair, at: Position, depth: number): Built {
  if (isPair(raw)) return convertMap(walk, [raw], at, depth);
  if (isMap(raw)) return convertMap(walk, raw.items, at, depth);
  const items = isSeq(raw) ? (raw.items as Raw[]).map((item) => convert(walk, item, undefined, depth + 1)) : [];
  return grown({ kind: 'list', at, items: items.map(({ node }) => node) }, items);
}

function convertMap(walk: Walk, pairs: readonly Pair[], at: Position, depth: number): Built {
  const entries: Entry[] = [];
  const values: Built[] = [];
  const slots = new Map<string, number>();
  for (const pair of pairs) {
    if (walk.failed) break;
    // The parser only makes nodes of its own kinds; the library types keys and values as unknown.
    const { key, at: keyAt } = convertKey(walk, pair.key as Raw, at, depth);
    const value = convert(walk, pair.value as Raw, keyAt, depth + 1);
    values.push(value);
    const entry = { key, at: keyAt, value: value.node };
    const slot = slots.get(key);
    if (slot === undefined) slots.set(key, entries.push(entry) - 1);
    else {
      sayDuplicate(walk.complaints, key, keyAt);
      entries[slot] = entry;
    }
  }
  return grown({ kind: 'map', at, entries }, values);
}

function convertKey(walk: Walk, raw: Raw, nearby: Position, depth: number): { readonly key: string; readonly at: Position } {
  const { node } = convert(walk, raw, nearby, depth + 1);
  if (node.kind !== 'scalar') {
    walk.complaints.say(
      'warning',
      'complex-key',
      node.at,
      'This key is not text but a list or map; it is read as JSON text.',
      'Write a plain key.',
    );
    return { key: JSON.stringify(toJson(node)), at: node.at };
  }
  if (node.value === null) return { key: raw && isScalar(raw) ? (raw.source ?? '') : '', at: node.at };
  return { key: String(node.value), at: node.at };
}

function follow(walk: Walk, alias: Alias, at: Position, depth: number): Built {
  const target = walk.anchors.get(alias.source);
  if (target === undefined || target === 'open') {
    const why = target === 'open' ? 'stands inside the very value it names' : 'names nothing that was anchored above';
    fail(walk, () =>
      walk.complaints.say(
        'error',
        'unknown-alias',
        at,
        `\`*${alias.source}\` ${why}.`,
        'Put the value in quotes if the `*` is meant as text.',
      ),
    );
    return leaf(at, null);
  }
  walk.aliased += target.size;
  if (walk.aliased > MAX_ALIASED) {
    const message = `The aliases of this file unfold into more than ${MAX_ALIASED} values.`;
    fail(walk, () => walk.complaints.say('error', 'alias-bomb', at, message, 'Write the values out.'));
  } else if (depth + target.height > MAX_DEPTH) fail(walk, () => sayTooDeep(walk.complaints, at));
  return { ...target, node: { ...target.node, at } };
}

function scalarValue(scalar: Scalar): string | number | boolean | null {
  const { value, source } = scalar;
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  return typeof value === 'number' ? finite(value, source ?? String(value)) : (source ?? String(value));
}

/** One complaint is enough: the data is not used. */
function fail(walk: Walk, say: () => void): void {
  if (!walk.failed) say();
  walk.failed = true;
}

function isEmpty(raw: Raw): boolean {
  return isScalar(raw) && raw.value === null && raw.source === '';
}

function leaf(at: Position, value: string | number | boolean | null): Built {
  return { node: { kind: 'scalar', at, value }, size: 1, height: 1 };
}

function grown(node: Node, parts: readonly Built[]): Built {
  let size = 1;
  let height = 0;
  for (const part of parts) {
    size += part.size;
    height = Math.max(height, part.height);
  }
  return { node, size, height: height + 1 };
}
