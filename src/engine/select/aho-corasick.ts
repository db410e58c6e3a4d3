/**
 * Finds which of many words occur in a text, in one pass over it, however many words there are. Letters are compared without case (see
 * `case-fold.ts`). The caller tests each word again, so a false match does no harm, and a match is never missed.
 */
import { foldCase, foldUnit } from './case-fold.ts';

export interface WordFinder {
  /** Reports each word that occurs in one of the texts once, by its index. */
  scan(texts: readonly string[], found: (word: number) => void): void;
}

/** The words must be distinct when folded, and not empty. */
export function findWords(words: readonly string[]): WordFinder {
  const trie = buildTrie(words.map(foldCase));
  const { link, word, rows } = trie;
  const withRow = rows.length / ROW;
  const seen = new Uint32Array(word.length);
  let round = 0;

  function report(state: number, found: (word: number) => void): void {
    // Every state that follows on the chain was reported with this one.
    for (let at = word[state] === 0 ? at0(link, state) : state; at !== 0 && seen[at] !== round; at = at0(link, at)) {
      seen[at] = round;
      found(at0(word, at) - 1);
    }
  }

  return {
    scan(texts, found) {
      round = (round + 1) >>> 0;
      if (round === 0) {
        seen.fill(0);
        round = 1;
      }
      for (const text of texts) {
        let state = 0;
        for (let i = 0; i < text.length; i++) {
          const unit = text.charCodeAt(i);
          state = state < withRow && unit < ROW ? at0(rows, state * ROW + unit) : step(trie, state, foldUnit(unit));
          if (state !== 0) report(state, found);
        }
      }
    },
  };
}

/** States are numbered by their distance from the root. 0 is the root and also means "none". */
interface Trie {
  /** An open-addressing table of edges: the start state, the code unit and the target state. */
  readonly edgeFrom: Int32Array;
  readonly edgeUnit: Uint16Array;
  readonly edgeTo: Int32Array;
  /** The state of the longest word beginning that is a suffix of the text read so far. */
  readonly fail: Int32Array;
  /** The next state along `fail` at which a word ends. */
  readonly link: Int32Array;
  /** The word that ends here, plus one. */
  readonly word: Int32Array;
  /** For the states nearest the root, where most of a text is read: the target state of each ASCII unit, capitals included. */
  readonly rows: Int32Array;
}

const ROW = 0x80;
const MAX_ROWS = 512;

function buildTrie(words: readonly string[]): Trie {
  const most = words.reduce((sum, { length }) => sum + length, 1);
  const slots = 2 ** Math.ceil(Math.log2(most * 2 + 1));
  const trie: Trie = {
    edgeFrom: new Int32Array(slots),
    edgeUnit: new Uint16Array(slots),
    edgeTo: new Int32Array(slots),
    fail: new Int32Array(most),
    link: new Int32Array(most),
    word: new Int32Array(most),
    rows: new Int32Array(ROW * Math.min(most, MAX_ROWS)),
  };
  const parent = new Int32Array(most);
  const via = new Uint16Array(most);
  const levels = addWords(trie, words, parent, via);
  linkStates(trie, levels.at(-1) ?? 1, parent, via);
  fillRows(trie, levels, parent, via);
  return trie;
}

/**
 * Adds all words at once, unit by unit, so that states nearer the root have lower numbers. Returns the first state of each level and, last, the
 * number of states.
 */
function addWords(trie: Trie, words: readonly string[], parent: Int32Array, via: Uint16Array): readonly number[] {
  const reached = new Int32Array(words.length);
  const levels = [0];
  let states = 1;
  for (let depth = 0, open = true; open; depth++) {
    open = false;
    levels.push(states);
    for (let i = 0; i < words.length; i++) {
      const text = words[i] ?? '';
      if (depth >= text.length) continue;
      open = true;
      const from = at0(reached, i);
      const unit = text.charCodeAt(depth);
      let to = child(trie, from, unit);
      if (to === 0) {
        to = states++;
        addEdge(trie, from, unit, to);
        parent[to] = from;
        via[to] = unit;
      }
      reached[i] = to;
      if (depth === text.length - 1) trie.word[to] = i + 1;
    }
  }
  return levels;
}

function linkStates(trie: Trie, states: number, parent: Int32Array, via: Uint16Array): void {
  const { fail, link, word } = trie;
  for (let state = 1; state < states; state++) {
    const from = at0(parent, state);
    const next = from === 0 ? 0 : step(trie, at0(fail, from), via[state] ?? 0);
    fail[state] = next;
    link[state] = word[next] === 0 ? at0(link, next) : next;
  }
}

/** A state's row is the row of its `fail`, which is on a nearer level and so complete, overlaid with its own edges. */
function fillRows({ rows, fail }: Trie, levels: readonly number[], parent: Int32Array, via: Uint16Array): void {
  const withRow = rows.length / ROW;
  for (const [level, begin] of levels.entries()) {
    if (begin >= withRow) return;
    const next = levels[level + 1] ?? begin;
    for (let state = begin; state < Math.min(next, withRow); state++) {
      const copied = at0(fail, state) * ROW;
      rows.copyWithin(state * ROW, copied, copied + ROW);
    }
    for (let state = next; state < (levels[level + 2] ?? next); state++) {
      const row = at0(parent, state) * ROW;
      const unit = via[state] ?? 0;
      if (row >= rows.length || unit >= ROW) continue;
      rows[row + unit] = state;
      if (unit >= 0x61 && unit <= 0x7a) rows[row + unit - 0x20] = state;
    }
  }
}

function addEdge({ edgeFrom, edgeUnit, edgeTo }: Trie, from: number, unit: number, to: number): void {
  const mask = edgeTo.length - 1;
  let slot = hash(from, unit) & mask;
  while (edgeTo[slot] !== 0) slot = (slot + 1) & mask;
  edgeFrom[slot] = from;
  edgeUnit[slot] = unit;
  edgeTo[slot] = to;
}

function child({ edgeFrom, edgeUnit, edgeTo }: Trie, from: number, unit: number): number {
  const mask = edgeTo.length - 1;
  for (let slot = hash(from, unit) & mask; ; slot = (slot + 1) & mask) {
    const to = at0(edgeTo, slot);
    if (to === 0 || (edgeFrom[slot] === from && edgeUnit[slot] === unit)) return to;
  }
}

function step(trie: Trie, from: number, unit: number): number {
  for (let state = from; ; state = at0(trie.fail, state)) {
    const next = child(trie, state, unit);
    if (next !== 0 || state === 0) return next;
  }
}

function hash(from: number, unit: number): number {
  const mixed = Math.imul(from, 0x9e3779b1) ^ Math.imul(unit, 0x85ebca6b);
  return mixed ^ (mixed >>> 15);
}

/** Typed arrays have no holes, so an index within bounds always has a number. */
function at0(array: Int32Array, index: number): number {
  return array[index] ?? 0;
}
