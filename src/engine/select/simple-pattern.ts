/**
 * Matches patterns that need no regex engine: literals, their alternations, anchors, and literals joined by `.*`. It uses string operations alone,
 * in linear time, and returns the same results as the engine.
 */
import type { PatternTest } from '../../core/contracts/hook.ts';
import type { Test } from '../../core/event/match.ts';
import { foldCase } from './case-fold.ts';
import { type Node, parsePattern, type Syntax } from './pattern-syntax.ts';

type Anchor = PatternTest['anchor'];

/** Returns the test of a simple pattern, or undefined if it needs the engine. */
export function simpleTest(source: string, flags: string | undefined, anchor: Anchor): Test | undefined {
  const syntax = parsePattern(source, flags);
  const branches = syntax && simpleBranches(syntax, anchor);
  if (syntax === undefined || branches === undefined) return undefined;
  const test = testOf(branches, syntax);
  return syntax.fold ? (value) => test(foldCase(value)) : test;
}

/** Returns all values that a pattern matches, if they can be listed. */
export function exactValues(syntax: Syntax, anchor: Anchor): readonly string[] | undefined {
  if (syntax.fold || (anchor === 'search' && !syntax.tied)) return undefined;
  const branches = simpleBranches(syntax, anchor);
  return branches?.every(isExact) ? branches.map(first) : undefined;
}

/** Pieces of text with a gap between each two. */
interface Branch {
  readonly start: boolean;
  readonly end: boolean;
  readonly pieces: readonly string[];
}

/** Limits on the size to which a small pattern may expand. A larger one is left to the engine. */
const MAX_BRANCHES = 4096;
const MAX_PRODUCT = 256;
const MAX_PARTS = 64;
/** From this number of searches of one text on, the engine's single pass is faster. */
const MAX_SEARCHES = 64;

function simpleBranches(syntax: Syntax, anchor: Anchor): readonly Branch[] | undefined {
  const whole = anchor === 'whole';
  const branches = expand(syntax.tree)?.map((branch) => trim(whole ? { ...branch, start: true, end: true } : branch));
  if (branches === undefined) return undefined;
  if (!branches.every(isExact) && branches.length > MAX_SEARCHES) return undefined;
  const split = !syntax.dotAll && branches.some(({ pieces }) => pieces.length > 1 && pieces.some((piece) => piece.includes('\n')));
  if (split) return undefined;
  return syntax.fold ? branches.map((branch) => ({ ...branch, pieces: branch.pieces.map(foldCase) })) : branches;
}

function expand(node: Node): readonly Branch[] | undefined {
  switch (node.kind) {
    case 'text':
      return [{ start: false, end: false, pieces: [node.text] }];
    case 'gap':
      return [{ start: false, end: false, pieces: ['', ''] }];
    case 'start':
      return [{ start: true, end: false, pieces: [''] }];
    case 'end':
      return [{ start: false, end: true, pieces: [''] }];
    case 'either':
      return gather(node.branches);
    case 'sequence':
      if (node.parts.length > MAX_PARTS) return undefined;
      if (node.parts.length === 1 && node.parts[0] !== undefined) return expand(node.parts[0]);
      return node.parts.reduce<readonly Branch[] | undefined>(
        (before, part) => before && product(before, expand(part)),
        [{ start: false, end: false, pieces: [''] }],
      );
    default:
      return undefined;
  }
}

function gather(nodes: readonly Node[]): readonly Branch[] | undefined {
  const all: Branch[] = [];
  for (const node of nodes) {
    const list = expand(node);
    if (list === undefined || all.length + list.length > MAX_BRANCHES) return undefined;
    for (const branch of list) all.push(branch);
  }
  return all;
}

function product(before: readonly Branch[], after: readonly Branch[] | undefined): readonly Branch[] | undefined {
  if (after === undefined) return undefined;
  // One side may be a long list, such as the one between `^(` and `)$`.
  if (Math.min(before.length, after.length) > 1 && before.length * after.length > MAX_PRODUCT) return undefined;
  const all: Branch[] = [];
  for (const left of before) {
    for (const right of after) {
      // An anchor with text on its wrong side is rare and left to the engine.
      if ((left.end && !isEmpty(right)) || (right.start && !isEmpty(left))) return undefined;
      if (left.pieces.length + right.pieces.length > MAX_PARTS) return undefined;
      const seam = (left.pieces.at(-1) ?? '') + first(right);
      const pieces = [...left.pieces.slice(0, -1), seam, ...right.pieces.slice(1)];
      all.push({ start: left.start || right.start, end: left.end || right.end, pieces });
    }
  }
  return all;
}

/** A gap at an open end, and a gap after a gap, require nothing. */
function trim({ start, end, pieces }: Branch): Branch {
  const last = pieces.length - 1;
  const kept = pieces.filter((piece, i) => piece !== '' || (i === 0 && start) || (i === last && end));
  return { start, end, pieces: kept.length === 0 ? [''] : kept };
}

function isExact({ start, end, pieces }: Branch): boolean {
  return start && end && pieces.length === 1;
}

function isEmpty({ pieces }: Branch): boolean {
  return pieces.length === 1 && pieces[0] === '';
}

function first({ pieces }: Branch): string {
  return pieces[0] ?? '';
}

function testOf(branches: readonly Branch[], { dotAll }: Syntax): Test {
  if (branches.every(isExact) && branches.length > 2) {
    const values = new Set(branches.map(first));
    return (value) => values.has(value);
  }
  const tests = branches.map((branch) => branchTest(branch, dotAll));
  const [only] = tests;
  return tests.length === 1 && only !== undefined ? only : (value) => tests.some((test) => test(value));
}

function branchTest(branch: Branch, dotAll: boolean): Test {
  const { start, end, pieces } = branch;
  if (pieces.length > 1) return dotAll ? (value) => lineMatches(branch, value) : (value) => someLineMatches(branch, value);
  const text = first(branch);
  if (start && end) return (value) => value === text;
  if (start) return (value) => value.startsWith(text);
  if (end) return (value) => value.endsWith(text);
  return text === '' ? () => true : (value) => value.includes(text);
}

/** Gaps and pieces contain no newline here, so a match lies within one line: the first line if it is anchored to the start, and so on. */
function someLineMatches(branch: Branch, value: string): boolean {
  const { start, end } = branch;
  const newline = value.indexOf('\n');
  if (newline < 0) return lineMatches(branch, value);
  if (start) return !end && lineMatches(branch, value.slice(0, newline));
  if (end) return lineMatches(branch, value.slice(value.lastIndexOf('\n') + 1));
  for (let from = value.indexOf(first(branch)); from >= 0; ) {
    const to = value.indexOf('\n', from);
    if (lineMatches(branch, to < 0 ? value.slice(from) : value.slice(from, to))) return true;
    from = to < 0 ? -1 : value.indexOf(first(branch), to + 1);
  }
  return false;
}

/** Taking each piece at its first position leaves the most room for the next. */
function lineMatches({ start, end, pieces }: Branch, line: string): boolean {
  const last = pieces.length - 1;
  let from = 0;
  for (const [i, piece] of pieces.entries()) {
    if (i === last && end) return line.length - piece.length >= from && line.endsWith(piece);
    const at = i === 0 && start ? (line.startsWith(piece) ? 0 : -1) : line.indexOf(piece, from);
    if (at < 0) return false;
    from = at + piece.length;
  }
  return true;
}
