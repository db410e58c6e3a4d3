/** Parses YAML 1.2 (core schema, no merge keys) with the library. Every problem has its position. Never throws. */
import {
  type Alias,
  Composer,
  type CST,
  type ErrorCode,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  type Pair,
  Parser,
  type Scalar,
  YAMLParseError,
  type Document as YamlDocument,
  type ParsedNode as YamlNode,
} from 'yaml';
import type { Position } from '../../core/values/diagnostic.ts';
import { type Document, type Entry, type Node, toJson } from '../../core/values/document.ts';
import { type Problems, problemsIn } from '../../core/values/read-document.ts';
import { finite, lineTable, MAX_DEPTH, sayDuplicate, sayTooDeep } from './intake.ts';

export function sayYamlError(problems: Problems, code: ErrorCode, detail: string, at: Position): void {
  // After an open bracket the library reports the indentation of the next line.
  const open = code === 'BAD_INDENT' && detail.startsWith('Flow');
  const known = open ? OPEN_BRACKET : WORDS[code];
  const [message, hint] = known ?? [`This is not valid YAML: ${detail.split('\n', 1)[0]}.`, 'Check the lines above, too.'];
  problems.report('error', 'invalid-yaml', at, message, hint);
}

const OPEN_BRACKET = ['A `[` or `{` above was not closed.', 'Close it, or put the value in quotes if it is meant as text.'] as const;

const WORDS: Partial<Record<ErrorCode, readonly [message: string, hint: string]>> = {
  BAD_DQ_ESCAPE: ['A backslash in double quotes escapes nothing here.', 'Use single quotes, where a backslash is just a backslash.'],
  BAD_INDENT: [
    'This line is indented by the wrong amount.',
    'Give entries of one map or list the same indentation, deeper than their key.',
  ],
  BAD_SCALAR_START: ['A value cannot start with this character.', 'Put the value in quotes.'],
  BLOCK_AS_IMPLICIT_KEY: ['There is a second `: ` on this line.', 'Put the value in quotes, or start a new line for the inner key.'],
  BLOCK_IN_FLOW: ['A list or map by indentation cannot be inside `[ ]` or `{ }`.', 'Write it in brackets, too.'],
  KEY_OVER_1024_CHARS: ['This key is longer than 1024 characters.', 'Shorten it, or close the quote that was left open.'],
  MULTILINE_IMPLICIT_KEY: ['This key goes over more than one line.', 'Close the quote or bracket above, or add the missing `:`.'],
  MULTIPLE_DOCS: ['There is more than one YAML document here.', 'Remove the `...` or `---` between them.'],
  RESOURCE_EXHAUSTION: ['The data is nested too deep.', 'Flatten it.'],
  TAB_AS_INDENT: ['This line is indented with a tab.', 'Indent with spaces.'],
  BAD_ALIAS: ['This `*alias` is not written as one.', 'Put the value in quotes if the `*` is meant as text.'],
  UNEXPECTED_TOKEN: ['This text does not belong here.', 'Put the value in quotes, or remove what follows it.'],
};

/** The largest number of nodes that all aliases of a file may expand to. */
const MAX_ALIASED = 10_000;

/**
 * Converts the library's nodes to Hookline's. Aliases are followed up to a limit, so that a few lines cannot expand to millions of nodes. Returns
 * undefined if the data cannot be used; `problems` then has an error.
 */
export function yamlNodes(root: YamlNode, positionOf: (offset: number) => Position, problems: Problems): Node | undefined {
  const walk: Walk = { positionOf, problems, anchors: new Map(), aliased: 0, failed: false };
  const { node } = convert(walk, root, undefined, 1);
  return walk.failed ? undefined : node;
}

interface Walk {
  readonly positionOf: (offset: number) => Position;
  readonly problems: Problems;
  /** `open` while the node that carries the anchor is still being read. */
  readonly anchors: Map<string, Built | 'open'>;
  aliased: number;
  failed: boolean;
}

interface Built {
  readonly node: Node;
  /** The number of nodes in it, with all aliases expanded. */
  readonly size: number;
  readonly height: number;
}

type Raw = YamlNode | Pair | null | undefined;

/** `nearby` is the position of an empty value: that of its key. */
function convert(walk: Walk, raw: Raw, nearby: Position | undefined, depth: number): Built {
  const own = raw && !isPair(raw) && raw.range ? walk.positionOf(raw.range[0]) : undefined;
  const position = (isEmpty(raw) ? (nearby ?? own) : (own ?? nearby)) ?? walk.positionOf(0);
  if (walk.failed || !raw) return leaf(position, null);
  if (depth > MAX_DEPTH) {
    fail(walk, () => sayTooDeep(walk.problems, position));
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
      sayDuplicate(walk.problems, key, keyAt);
      entries[slot] = entry;
    }
  }
  return grown({ kind: 'map', at, entries }, values);
}

function convertKey(walk: Walk, raw: Raw, nearby: Position, depth: number): { readonly key: string; readonly at: Position } {
  const { node } = convert(walk, raw, nearby, depth + 1);
  if (node.kind !== 'scalar') {
    walk.problems.report(
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
    const why = target === 'open' ? 'is inside the value that it names' : 'names no anchor above it';
    fail(walk, () =>
      walk.problems.report(
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
    const message = `The aliases of this file expand to more than ${MAX_ALIASED} values.`;
    fail(walk, () => walk.problems.report('error', 'alias-bomb', at, message, 'Write the values out.'));
  } else if (depth + target.height > MAX_DEPTH) fail(walk, () => sayTooDeep(walk.problems, at));
  return { ...target, node: { ...target.node, at } };
}

function scalarValue(scalar: Scalar): string | number | boolean | null {
  const { value, source } = scalar;
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  return typeof value === 'number' ? finite(value, source ?? String(value)) : (source ?? String(value));
}

/** Reports only the first error, because the data is not used. */
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

/** A text with more bad escapes than this is not meant as YAML. */
const MAX_BAD_ESCAPES = 100;

export function parseYaml(file: string, source: string, firstLine: number): Document {
  const problems = problemsIn(file);
  const lineOf = lineTable(source, firstLine);
  try {
    return readYaml(file, source, lineOf, problems);
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error;
    sayTooDeep(problems, lineOf(error.offset));
    return { file, diagnostics: problems.list };
  }
}

function readYaml(file: string, source: string, lineOf: (offset: number) => Position, problems: Problems): Document {
  const { parsed, escapes } = keepBackslashes(source);
  const positionOf = (offset: number) => lineOf(originalOffset(offset, escapes));

  for (const offset of escapes) {
    const shown = source.slice(offset, offset + 2);
    problems.report(
      'warning',
      'bad-escape',
      lineOf(offset),
      `\`${shown}\` is not an escape in double quotes; it is read with the backslash.`,
      'Use single quotes, where a backslash is just a backslash.',
    );
  }
  const [error] = parsed.errors;
  if (error) {
    sayYamlError(problems, error.code, error.message, positionOf(error.pos[0]));
    return { file, diagnostics: problems.list };
  }
  for (const warning of parsed.warnings) {
    const at = positionOf(warning.pos[0]);
    if (warning.code === 'TAG_RESOLVE_FAILED')
      problems.report('warning', 'unknown-tag', at, 'This tag is not known and is ignored.', 'Remove the `!tag`.');
    else problems.report('warning', 'invalid-yaml', at, `This is doubtful YAML: ${firstLineOf(warning.message)}`);
  }
  const root: Node | undefined = parsed.contents ? yamlNodes(parsed.contents, positionOf, problems) : undefined;
  return { file, ...(root && { root }), diagnostics: problems.list };
}

type Parsed = YamlDocument.Parsed;

/**
 * Stops at a depth that no hook file has. The library reads nested data by recursion, and a full stack can end the process without an exception,
 * so the depth is watched while the text is split into tokens.
 */
class BoundedParser extends Parser {
  override *next(source: string): Generator<CST.Token, void> {
    yield* super.next(source);
    if (this.stack.length > MAX_OPEN) throw new TooDeep(this.offset);
  }
}

/** A level of the data opens at most two tokens. */
const MAX_OPEN = 2 * MAX_DEPTH;

class TooDeep extends Error {
  readonly offset: number;
  constructor(offset: number) {
    super('The data is nested too deep.');
    this.offset = offset;
  }
}

function parse(source: string): Parsed {
  const composer = new Composer<YamlNode>({
    version: '1.2',
    schema: 'core',
    merge: false,
    // Reported below as a warning, because the library's own check is quadratic.
    uniqueKeys: false,
    resolveKnownTags: false,
    prettyErrors: false,
  });
  const [first, second] = composer.compose(new BoundedParser().parse(source), true, source.length);
  if (second) first?.errors.push(new YAMLParseError([second.range[0], second.range[1]], 'MULTIPLE_DOCS', ''));
  return first as Parsed;
}

/** Doubles each backslash that escapes nothing, because people write patterns such as `"\.py$"`, and YAML has no escape `\.`. */
function keepBackslashes(source: string): { readonly parsed: Parsed; readonly escapes: readonly number[] } {
  const parsed = parse(source);
  const escapes = parsed.errors.filter(({ code }) => code === 'BAD_DQ_ESCAPE').map(({ pos }) => pos[0]);
  const mendable = escapes.length > 0 && escapes.length <= MAX_BAD_ESCAPES && escapes.every((offset) => source[offset] === '\\');
  if (!mendable) return { parsed, escapes: [] };
  let mended = '';
  let from = 0;
  for (const offset of escapes) {
    mended += `${source.slice(from, offset)}\\`;
    from = offset;
  }
  return { parsed: parse(mended + source.slice(from)), escapes };
}

/** Returns the offset in the file for an offset in the corrected text. */
function originalOffset(offset: number, escapes: readonly number[]): number {
  let added = 0;
  while (added < escapes.length && (escapes[added] as number) + added < offset) added++;
  return offset - added;
}

function firstLineOf(message: string): string {
  return message.split('\n', 1)[0] ?? message;
}
