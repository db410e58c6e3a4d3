/** Sums up a batch of entries: what it adds to each figure. One transaction then adds all of it, so that no entry counts twice. */
import type { LogEntry } from '../core/record/decision-record.ts';
import { addToBucket, type Buckets, bucketOf } from './buckets.ts';
import { fingerprint } from './problem-shape.ts';
import { type EntryFacts, type HookFacts, readEntry } from './read-entry.ts';
import { FACETS, type FacetName, type Unit, type ViewDecision, type ViewEntry } from './views.ts';

export interface Summary {
  readonly rows: readonly ViewEntry[];
  readonly facets: ReadonlyMap<string, FacetSum>;
  readonly sessions: ReadonlyMap<string, SessionSum>;
  readonly agents: ReadonlyMap<string, AgentSum>;
  readonly tallies: ReadonlyMap<string, TallySum>;
  readonly tools: ReadonlyMap<string, ToolSum>;
  readonly kinds: ReadonlyMap<string, KindSum>;
  readonly hooks: ReadonlyMap<string, HookSum>;
  readonly hookTimes: ReadonlyMap<string, HookTimeSum>;
  readonly hookEntries: readonly HookEntry[];
  readonly problems: ReadonlyMap<string, ProblemSum>;
}

export interface FacetSum {
  readonly name: FacetName;
  readonly value: string;
  n: number;
  readonly firstPos: number;
  lastPos: number;
}

export interface CountSum {
  n: number;
  denied: number;
  held: number;
  asked: number;
  faults: number;
  firstAt: number;
  lastAt: number;
}

export interface SessionSum extends CountSum {
  last: EntryFacts;
  parent: string | null;
  lastPos: number;
  /** Whole microseconds, here and below, so that a sum does not depend on its order. */
  hookUs: number;
  title: string | null;
  titlePos: number;
}

export interface AgentSum extends CountSum {
  readonly session: string;
  readonly agent: string;
  parent: string | null;
}

export interface TallySum {
  readonly unit: Unit;
  readonly at: number;
  n: number;
  readonly decisions: Record<ViewDecision, number>;
  faults: number;
  us: number;
  firstPos: number;
  lastPos: number;
}

export interface ToolSum {
  readonly at: number;
  readonly tool: string;
  readonly decision: ViewDecision;
  n: number;
}

export interface KindSum {
  readonly at: number;
  readonly kind: string;
  n: number;
}

export interface HookSum {
  hook: HookFacts;
  kind: string;
  readonly firstAt: number;
  lastAsked: number | null;
  lastFault: number | null;
}

export interface HookTimeSum {
  readonly unit: 'hour' | 'day';
  readonly at: number;
  readonly hook: string;
  asked: number;
  denied: number;
  held: number;
  faulted: number;
  skipped: number;
  us: number;
  usMax: number;
  judged: number;
  cached: number;
  input: number;
  output: number;
  /** Millionths. */
  money: number;
  readonly buckets: Buckets;
}

export interface HookEntry {
  readonly hook: string;
  readonly pos: number;
  readonly verdict: string;
}

export interface ProblemSum {
  readonly kind: string;
  readonly hook: string;
  readonly shape: string;
  firstAt: number;
  lastAt: number;
  n: number;
  unseen: number;
  lastPos: number;
}

const UNITS: Readonly<Record<Unit, number>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/** Returns the beginning of the minute, the hour or the day. */
export function beginOf(unit: Unit, at: number): number {
  return at - (at % UNITS[unit]);
}

export function lengthOf(unit: Unit): number {
  return UNITS[unit];
}

export function noDecisions(): Record<ViewDecision, number> {
  return { pass: 0, allow: 0, ask: 0, hold: 0, deny: 0, unknown: 0 };
}

interface Sums {
  readonly facets: Map<string, FacetSum>;
  readonly sessions: Map<string, SessionSum>;
  readonly agents: Map<string, AgentSum>;
  readonly tallies: Map<string, TallySum>;
  readonly tools: Map<string, ToolSum>;
  readonly kinds: Map<string, KindSum>;
  readonly hooks: Map<string, HookSum>;
  readonly hookTimes: Map<string, HookTimeSum>;
  readonly hookEntries: Map<string, HookEntry>;
  readonly problems: Map<string, ProblemSum>;
}

export function summarise(entries: readonly LogEntry[]): Summary {
  const sums: Sums = {
    ...{ facets: new Map(), sessions: new Map(), agents: new Map(), tallies: new Map(), tools: new Map(), kinds: new Map() },
    ...{ hooks: new Map(), hookTimes: new Map(), hookEntries: new Map(), problems: new Map() },
  };
  const rows = entries.map((entry) => {
    const facts = readEntry(entry);
    const { row } = facts;
    for (const name of FACETS) addFacet(sums, name, row[name] ?? '', row.pos);
    if (row.sort === 'event') addEvent(sums, facts);
    for (const hook of facts.hooks) addHook(sums, row, hook);
    if (row.isAlarm) addProblem(sums, 'not-enforced', { id: '', shape: row.tool ?? '' }, row, 0);
    return row;
  });
  return { ...sums, rows, hookEntries: [...sums.hookEntries.values()] };
}

function addFacet({ facets }: Sums, name: FacetName, value: string, pos: number): void {
  if (value === '') return;
  const sum = entryOf(facets, `${name} ${value}`, () => ({ name, value, n: 0, firstPos: pos, lastPos: pos }));
  sum.n++;
  sum.lastPos = pos;
}

function addEvent(sums: Sums, facts: EntryFacts): void {
  const { row, parent, title } = facts;
  const { at, pos, session, agent, tool, decision, kind, faults, ms } = row;
  for (const unit of ['minute', 'hour', 'day'] as const) {
    const begin = beginOf(unit, at);
    const empty = (): TallySum => ({
      ...{ unit, at: begin, n: 0, decisions: noDecisions(), faults: 0, us: 0, firstPos: pos, lastPos: pos },
    });
    const tally = entryOf(sums.tallies, `${unit} ${begin}`, empty);
    tally.n++;
    tally.decisions[decision]++;
    tally.faults += faults;
    tally.us += micro(ms, 1000);
    tally.lastPos = pos;
  }
  const [hour, day] = [beginOf('hour', at), beginOf('day', at)];
  if (tool !== null) entryOf(sums.tools, `${hour} ${decision} ${tool}`, () => ({ at: hour, tool, decision, n: 0 })).n++;
  entryOf(sums.kinds, `${day} ${kind}`, () => ({ at: day, kind, n: 0 })).n++;
  if (session === '') return;
  const counts = { n: 0, denied: 0, held: 0, asked: 0, faults: 0, firstAt: at, lastAt: at };
  const lane = entryOf(sums.agents, JSON.stringify([session, agent]), () => ({ ...counts, session, agent, parent }));
  lane.parent = parent ?? lane.parent;
  addCounts(lane, row);
  const first = (): SessionSum => ({ ...counts, last: facts, parent: null, lastPos: pos, hookUs: 0, title: null, titlePos: 0 });
  const sum = entryOf(sums.sessions, session, first);
  addCounts(sum, row);
  sum.lastPos = pos;
  for (const hook of facts.hooks) if (hook.status !== 'detached' && hook.ms !== null) sum.hookUs += micro(hook.ms, 1000);
  if (agent === '') sum.parent = parent ?? sum.parent;
  if (sum.title === null && title !== null) {
    sum.title = title;
    sum.titlePos = pos;
  }
  sum.last = facts;
}

function addCounts(sum: CountSum, { at, decision, faults }: ViewEntry): void {
  sum.n++;
  if (decision === 'deny') sum.denied++;
  if (decision === 'hold') sum.held++;
  if (decision === 'ask') sum.asked++;
  sum.faults += faults;
  sum.firstAt = Math.min(sum.firstAt, at);
  sum.lastAt = Math.max(sum.lastAt, at);
}

function addHook(sums: Sums, row: ViewEntry, hook: HookFacts): void {
  const { at, pos, sort, kind } = row;
  const isAsked = hook.status !== 'skipped' && sort !== 'late';
  const known = entryOf(sums.hooks, hook.id, () => ({ hook, kind, firstAt: at, lastAsked: null, lastFault: null }));
  known.hook = hook;
  known.kind = kind;
  if (isAsked) known.lastAsked = Math.max(at, known.lastAsked ?? 0);
  if (hook.fault) known.lastFault = Math.max(at, known.lastFault ?? 0);
  for (const unit of ['hour', 'day'] as const)
    addHookTime(hookTimeOf(sums, unit, beginOf(unit, at), hook.id), hook, isAsked, sort === 'late');
  const verdict = hook.fault ? 'fault' : OBJECTIONS.includes(hook.decision ?? '') ? hook.decision : null;
  if (verdict !== null && hook.status !== 'skipped') sums.hookEntries.set(`${hook.id} ${pos}`, { hook: hook.id, pos, verdict });
  if (!hook.fault) return;
  const isUnseen = sort === 'event' && hook.decision !== 'deny' && row.decision !== 'deny' && row.decision !== 'hold';
  addProblem(sums, `fault:${hook.fault.kind}`, { id: hook.id, shape: hook.fault.shape }, row, isUnseen ? 1 : 0);
}

const OBJECTIONS: readonly string[] = ['deny', 'hold', 'ask'];

function hookTimeOf({ hookTimes }: Sums, unit: 'hour' | 'day', at: number, hook: string): HookTimeSum {
  return entryOf(hookTimes, `${unit} ${at} ${hook}`, () => ({
    ...{ unit, at, hook, asked: 0, denied: 0, held: 0, faulted: 0, skipped: 0, us: 0, usMax: 0 },
    ...{ judged: 0, cached: 0, input: 0, output: 0, money: 0, buckets: new Map() },
  }));
}

/** The end of a background hook was asked before, and no agent waited for it. */
function addHookTime(sum: HookTimeSum, hook: HookFacts, isAsked: boolean, isLate: boolean): void {
  if (isAsked) sum.asked++;
  if (hook.status === 'skipped') sum.skipped++;
  if (hook.fault) sum.faulted++;
  else if (isAsked && hook.decision === 'deny') sum.denied++;
  else if (isAsked && (hook.decision === 'hold' || hook.decision === 'ask')) sum.held++;
  if (isAsked && hook.status !== 'detached' && hook.ms !== null && !isLate) {
    const us = micro(hook.ms, 1000);
    sum.us += us;
    sum.usMax = Math.max(sum.usMax, us);
    addToBucket(sum.buckets, bucketOf(hook.ms), 1);
  }
  if (!hook.judge) return;
  if (hook.judge.cached) sum.cached++;
  else sum.judged++;
  sum.input += hook.judge.input;
  sum.output += hook.judge.output;
  sum.money += micro(hook.judge.money, 1e6);
}

function addProblem(sums: Sums, kind: string, { id, shape }: { id: string; shape: string }, { at, pos }: ViewEntry, unseen: number): void {
  const empty = (): ProblemSum => ({ kind, hook: id, shape, firstAt: at, lastAt: at, n: 0, unseen: 0, lastPos: pos });
  const sum = entryOf(sums.problems, fingerprint(id, kind, shape), empty);
  sum.n++;
  sum.unseen += unseen;
  sum.firstAt = Math.min(sum.firstAt, at);
  sum.lastAt = Math.max(sum.lastAt, at);
  sum.lastPos = pos;
}

function micro(value: number, factor: number): number {
  return Math.min(Number.MAX_SAFE_INTEGER, Math.round(value * factor));
}

function entryOf<T>(map: Map<string, T>, key: string, make: () => T): T {
  let found = map.get(key);
  if (found === undefined) {
    found = make();
    map.set(key, found);
  }
  return found;
}
