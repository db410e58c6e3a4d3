/**
 * Finds, among many rules, those whose checks all hold. It tries only rules that have a chance: each rule is filed under its most selective check,
 * by exact value or by required literal. Rules without such a check are always tried.
 */
import type { Facet } from '../../core/event/facet.ts';
import { findWords, type WordFinder } from './aho-corasick.ts';
import { type Check, checkHolds, type Probe, probeHolds, type Reading } from './probe.ts';

/** Checks that must all hold, and the position of their hook. */
export interface Rule {
  readonly place: number;
  readonly checks: readonly Check[];
}

export interface ConditionIndex {
  /** Returns the positions, in no order, of the admitted rules that hold. */
  find(reading: Reading, admits: Admits): number[];
}

export type Admits = (place: number) => boolean;

export function allHold({ checks }: Rule, reading: Reading): boolean {
  for (const check of checks) {
    if (!checkHolds(check, reading)) return false;
  }
  return true;
}

/** Only the test itself can rule it out. */
export function isBlind({ checks }: Rule): boolean {
  return checks.every(({ probe }) => probe.telling === 0);
}

export function indexRules(rules: readonly Rule[]): ConditionIndex {
  const shelves = new Map<Facet, Shelf>();
  const free: Rule[] = [];
  for (const rule of rules) {
    const check = mostTelling(rule);
    if (check === undefined) free.push(rule);
    else shelve(shelves, rule, check);
  }
  const all = [...shelves.values()];
  return {
    find(reading, admits) {
      const places: number[] = [];
      for (const { place } of free) if (admits(place)) places.push(place);
      for (const shelf of all) search(shelf, reading, admits, places);
      return places;
    },
  };
}

/** The rules that one probe decides first. */
interface Folder {
  readonly probe: Probe;
  readonly rules: Rule[];
  round: number;
}

/** The folders of one facet. */
interface Shelf {
  readonly facet: Facet;
  readonly folders: Map<Probe, Folder>;
  readonly byValue: Map<string, Folder[]>;
  readonly words: Map<string, Folder[]>;
  readonly always: Folder[];
  /** Rules whose check holds on an event without the facet. */
  readonly whenMissing: Rule[];
  /** Built from `words` at the first search. */
  finder?: { readonly words: WordFinder; readonly folders: readonly Folder[][] };
}

function mostTelling({ checks }: Rule): Check | undefined {
  let best = checks[0];
  for (const check of checks) if (best !== undefined && check.probe.telling > best.probe.telling) best = check;
  return best;
}

function shelve(shelves: Map<Facet, Shelf>, rule: Rule, { probe, whenMissing }: Check): void {
  const shelf = shelves.get(probe.facet) ?? emptyShelf(probe.facet);
  shelves.set(probe.facet, shelf);
  if (whenMissing) shelf.whenMissing.push(rule);
  const known = shelf.folders.get(probe);
  if (known !== undefined) {
    known.rules.push(rule);
    return;
  }
  const folder: Folder = { probe, rules: [rule], round: 0 };
  shelf.folders.set(probe, folder);
  if (probe.exact !== undefined) for (const value of probe.exact) file(shelf.byValue, value, folder);
  else if (probe.literals !== undefined) for (const literal of probe.literals) file(shelf.words, literal, folder);
  else shelf.always.push(folder);
}

function emptyShelf(facet: Facet): Shelf {
  return { facet, folders: new Map(), byValue: new Map(), words: new Map(), always: [], whenMissing: [] };
}

function file(folders: Map<string, Folder[]>, key: string, folder: Folder): void {
  const filed = folders.get(key);
  if (filed === undefined) folders.set(key, [folder]);
  else filed.push(folder);
}

function search(shelf: Shelf, reading: Reading, admits: Admits, places: number[]): void {
  const values = reading.values(shelf.facet);
  if (values === undefined) {
    for (const rule of shelf.whenMissing) if (admits(rule.place) && allHold(rule, reading)) places.push(rule.place);
    return;
  }
  if (shelf.byValue.size > 0) {
    for (const value of values) for (const folder of shelf.byValue.get(value) ?? []) open(folder, values, reading, admits, places);
  }
  if (shelf.words.size > 0) {
    shelf.finder ??= { words: findWords([...shelf.words.keys()]), folders: [...shelf.words.values()] };
    const { words, folders } = shelf.finder;
    words.scan(values, (word) => {
      for (const folder of folders[word] ?? []) open(folder, values, reading, admits, places);
    });
  }
  for (const folder of shelf.always) open(folder, values, reading, admits, places);
}

function open(folder: Folder, values: readonly string[], reading: Reading, admits: Admits, places: number[]): void {
  if (folder.round === reading.round) return;
  folder.round = reading.round;
  for (const rule of folder.rules) {
    if (!admits(rule.place)) continue;
    // Searched when the first admitted rule needs it, so that a text is not searched for hooks that cannot apply.
    if (!probeHolds(folder.probe, values, reading)) return;
    if (allHold(rule, reading)) places.push(rule.place);
  }
}
