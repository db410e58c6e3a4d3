/**
 * Finds the hooks of one kind of event. The part of a selection that depends on names alone (the tool, the agent …) is computed once per set of
 * names and cached. The part that depends on content is computed for every event, but only for the hooks that the names admit. The cache is
 * bounded, because the sender of events chooses the names. A full cache is emptied, which costs less than tracking use.
 */
import type { HookEvent } from '../../core/event/event.ts';
import { DYNAMIC_FACETS, type Facet, soleValue } from '../../core/event/facet.ts';
import { answersTo, type Placed } from '../../core/event/match.ts';
import { type Admits, allHold, indexRules, isBlind, type Rule } from './condition-index.ts';
import { type Check, checkMaker, type Reading, readFacets } from './probe.ts';

type Path = readonly (string | undefined)[];

export interface PathCache<Value extends object> {
  get(path: Path): Value | undefined;
  /** The same for a path of one name. */
  getByName(name: string | undefined): Value | undefined;
  /** `weight`: how much of the cache the value takes, in entries of a list. */
  set(path: Path, value: Value, weight: number): void;
}

interface Bounds {
  readonly entries: number;
  readonly weight: number;
  /** A path with a longer name is not cached. */
  readonly nameLength: number;
}

/** All paths of one cache have the same length. */
export function pathCache<Value extends object>(bounds: Bounds): PathCache<Value> {
  const root: Level<Value> = new Map();
  let entries = 0;
  let total = 0;
  return {
    get(path) {
      let at: Level<Value> | Value | undefined = root;
      for (let i = 0; i < path.length && at !== undefined; i++) at = (at as Level<Value>).get(path[i]);
      // A path is followed to its end, where only values are.
      return at as Value | undefined;
    },
    getByName: (name) => root.get(name) as Value | undefined,
    set(path, value, weight) {
      if (weight > bounds.weight || path.some((name) => name !== undefined && name.length > bounds.nameLength)) return;
      if (entries >= bounds.entries || total + weight > bounds.weight) {
        root.clear();
        entries = 0;
        total = 0;
      }
      let level = root;
      for (const name of path.slice(0, -1)) {
        const next = (level.get(name) as Level<Value> | undefined) ?? new Map();
        level.set(name, next);
        level = next;
      }
      level.set(path.at(-1), value);
      entries++;
      total += weight;
    },
  };
}

/** Levels down to the last name of a path, which holds a value. */
type Level<Value> = Map<string | undefined, Level<Value> | Value>;

export const NONE: readonly Placed[] = Object.freeze([]);

/**
 * @param hooks all hooks of the kind, in order
 * @param searching called by a selection that the cache does not answer
 */
export function indexKind(hooks: readonly Placed[], searching: () => void): (event: HookEvent) => readonly Placed[] {
  const rules = hooks.map(splitter());
  // Hooks that test content alone are kept out of the cache, where they would be listed once per tool.
  const contentOnly = rules.filter(({ names, content }) => names.checks.length === 0 && content.checks.length > 0).map(byContent);
  const anywhere = group(contentOnly);
  const planOf = planner(hooks, rules, searching);
  const byText = indexRules(rules.map(byContent).filter((rule) => rule.checks.length > 0 && !isBlind(rule)));
  const isAnywhere = new Set(contentOnly.map(({ place }) => place));

  function contentMatches(plan: Plan, event: HookEvent): number[] {
    searching();
    const reading = readFacets(event);
    const answers = (place: number) => answersTo(at(hooks, place), event);
    const found = hold(anywhere.blind, reading, answers, hold(plan.open.blind, reading, always, []));
    if (plan.open.guided.length + anywhere.guided.length <= HANDFUL) {
      return hold(anywhere.guided, reading, answers, hold(plan.open.guided, reading, always, found));
    }
    plan.members ??= new Set(plan.open.guided.map(({ place }) => place));
    const { members } = plan;
    return found.concat(byText.find(reading, (place) => (isAnywhere.has(place) ? answers(place) : members.has(place))));
  }

  return (event) => {
    const plan = planOf(event);
    if (contentOnly.length === 0 && plan.open.size === 0) return plan.answer;
    const found = contentMatches(plan, event);
    if (found.length === 0) return plan.answer;
    return [...plan.sure, ...found].sort((a, b) => a - b).map((place) => at(hooks, place));
  };
}

/** From this number of hooks on, one pass over the text for all of them is faster. */
const HANDFUL = 8;
const BOUNDS = { entries: 1000, weight: 200_000, nameLength: 256 };

interface Rules {
  readonly names: Rule;
  readonly content: Rule;
}

/** Rules, divided by whether they have required literals. */
interface Group {
  readonly blind: readonly Rule[];
  readonly guided: readonly Rule[];
  readonly size: number;
}

/** The hooks that the names in an event admit. */
interface Plan {
  /** Hooks that do not test the content, as positions and as the result if no other hook joins them. */
  readonly sure: readonly number[];
  readonly answer: readonly Placed[];
  /** Hooks that test the content. */
  readonly open: Group;
  members?: ReadonlySet<number>;
}

function splitter(): (placed: Placed, place: number) => Rules {
  const toCheck = checkMaker();
  return ({ hook }, place) => {
    const names: Check[] = [];
    const content: Check[] = [];
    for (const condition of hook.when) (DYNAMIC_FACETS.has(condition.facet) ? content : names).push(toCheck(condition));
    return { names: { place, checks: names }, content: { place, checks: content } };
  };
}

function byContent({ content }: Rules): Rule {
  return content;
}

function group(rules: readonly Rule[]): Group {
  return { blind: rules.filter(isBlind), guided: rules.filter((rule) => !isBlind(rule)), size: rules.length };
}

const always: Admits = () => true;

/** Adds the admitted rules that hold. */
function hold(rules: readonly Rule[], reading: Reading, admits: Admits, places: number[]): number[] {
  for (const rule of rules) if (admits(rule.place) && allHold(rule, reading)) places.push(rule.place);
  return places;
}

function planner(hooks: readonly Placed[], rules: readonly Rules[], searching: () => void): (event: HookEvent) => Plan {
  const named = rules.filter(({ names, content }) => names.checks.length > 0 || content.checks.length === 0).map(({ names }) => names);
  const byNames = indexRules(named);
  const facets = [...new Set(named.flatMap(({ checks }) => checks.map(({ probe }) => probe.facet)))];
  // An event of the program itself has no native name. Its path is that much shorter.
  const own: Plans = { cache: pathCache(BOUNDS), path: [], facets };
  const native: Plans = { cache: pathCache(BOUNDS), path: [], facets };

  function makePlan(event: HookEvent): Plan {
    searching();
    const places = byNames.find(readFacets(event), (place) => answersTo(at(hooks, place), event)).sort((a, b) => a - b);
    const sure = places.filter((place) => at(rules, place).content.checks.length === 0);
    const open = places.map((place) => at(rules, place).content).filter(({ checks }) => checks.length > 0);
    const answer = sure.length === 0 ? NONE : Object.freeze(sure.map((place) => at(hooks, place)));
    return { sure, answer, open: group(open) };
  }

  /** Most programs test one name, such as that of the tool, and then every event takes the short way. */
  const [single] = facets.length === 1 ? facets : [];

  return (event) => {
    if (single !== undefined && event.native === undefined) {
      const name = soleValue(event, single);
      const known = name === null ? undefined : own.cache.getByName(name);
      if (known !== undefined) return known;
    }
    const plans = event.native === undefined && facets.length > 0 ? own : native;
    if (!writePath(plans, event)) return makePlan(event);
    const known = plans.cache.get(plans.path);
    if (known !== undefined) return known;
    const plan = makePlan(event);
    plans.cache.set(plans.path, plan, plan.sure.length + plan.open.size);
    return plan;
  };
}

/** The plans of events with paths of one length, and the last path. */
interface Plans {
  readonly cache: PathCache<Plan>;
  readonly path: (string | undefined)[];
  readonly facets: readonly Facet[];
}

/** Writes the names that a plan depends on over the last ones, to save an array. False if a facet has more than one value. */
function writePath({ path, facets }: Plans, event: HookEvent): boolean {
  let next = 0;
  if (event.native !== undefined || facets.length === 0) {
    path[next++] = event.native?.dialect;
    path[next++] = event.native?.name;
  }
  for (const facet of facets) {
    const value = soleValue(event, facet);
    if (value === null) return false;
    path[next++] = value;
  }
  return true;
}

/** Positions come from the very lists that they index. */
function at<Item>(items: readonly Item[], place: number): Item {
  return items[place] as Item;
}
