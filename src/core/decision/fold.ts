/** Folds the verdicts of one lane into one, and joins lanes. A verdict that is added never lowers the severity. */

import type { FoldRule } from '../meaning/profile.ts';
import type { Json } from '../values/json.ts';
import { type ContextSource, type Decision, type Effect, join, PASS, type Verdict } from './decision.ts';

/** All verdicts of a lane so far. `rewrite` is absent until a hook rewrites the input. */
export interface FoldState {
  decision: Decision;
  rewrite?: Json;
  replace?: Json;
  contextStart: readonly string[];
  contextEnd: readonly string[];
  /** The sources of these texts: the same number, in the same order. */
  startSources: readonly ContextSource[];
  endSources: readonly ContextSource[];
  notices: readonly string[];
  continueWith?: string;
  halt?: string;
  quiet: boolean;
}

/** Shared by all states without texts, because most firings add none. */
const SILENCE: readonly never[] = Object.freeze([]);
/** The source of a text without a name. */
export const NOBODY: ContextSource = Object.freeze({ hook: '', name: 'unknown', dialect: 'unknown', scope: 'runtime' });

export function emptyFoldState(): FoldState {
  return {
    decision: PASS,
    contextStart: SILENCE,
    contextEnd: SILENCE,
    startSources: SILENCE,
    endSources: SILENCE,
    notices: SILENCE,
    quiet: false,
  };
}

/** Adds one verdict to a lane. The latest rewrite wins, and the earliest of the most severe decisions. */
export function addVerdict(sum: FoldState, verdict: Verdict, rule: FoldRule): void {
  // An allow endorsed the input that its hook saw, so a later rewrite turns it back into no opinion.
  if (sum.decision.kind === 'allow' && verdict.effects.some(({ kind }) => kind === 'rewrite')) sum.decision = PASS;
  sum.decision = join(sum.decision, verdict.decision);
  for (const effect of verdict.effects) addEffect(sum, effect, rule);
}

function addEffect(sum: FoldState, effect: Effect, rule: FoldRule): void {
  switch (effect.kind) {
    case 'rewrite':
      sum.rewrite = effect.value;
      return;
    case 'replace':
      sum.replace = effect.value;
      return;
    case 'context':
      addContext(sum, effect, rule);
      return;
    case 'notice':
      sum.notices = [...sum.notices, effect.text];
      return;
    case 'continue':
      sum.continueWith ??= effect.with;
      return;
    case 'halt':
      sum.halt ??= effect.reason;
      return;
    case 'quiet':
      sum.quiet = true;
      return;
  }
}

function addContext(sum: FoldState, { text, at, from = NOBODY }: Effect & { kind: 'context' }, rule: FoldRule): void {
  if (at !== 'start') {
    sum.contextEnd = [...sum.contextEnd, text];
    sum.endSources = [...sum.endSources, from];
    return;
  }
  const isOnly = rule.contextStart === 'last';
  sum.contextStart = isOnly ? [text] : [...sum.contextStart, text];
  sum.startSources = isOnly ? [from] : [...sum.startSources, from];
}

/** Joins a finished lane into the firing. A rewrite turns an allow that endorsed the old input back into a pass. */
export function joinLane(total: FoldState, lane: FoldState, rule: FoldRule): void {
  if (lane.rewrite !== undefined) {
    total.rewrite = lane.rewrite;
    if (total.decision.kind === 'allow') total.decision = PASS;
  }
  if (lane.replace !== undefined) total.replace = lane.replace;
  total.decision = join(total.decision, lane.decision);
  total.contextStart = both(total.contextStart, lane.contextStart);
  total.startSources = both(total.startSources, lane.startSources);
  const joined = rule.contextEnd === 'joined' && lane.contextEnd.length > 1;
  total.contextEnd = both(total.contextEnd, joined ? [lane.contextEnd.join('\n')] : lane.contextEnd);
  total.endSources = both(total.endSources, joined ? [oneOf(lane.endSources)] : lane.endSources);
  total.notices = both(total.notices, lane.notices);
  if (lane.continueWith !== undefined) total.continueWith ??= lane.continueWith;
  if (lane.halt !== undefined) total.halt ??= lane.halt;
  total.quiet ||= lane.quiet;
}

/** A text of several hooks belongs to the first one and to all others. */
function oneOf([first = NOBODY, ...others]: readonly ContextSource[]): ContextSource {
  const also = others.filter(({ hook }) => hook !== first.hook);
  return also.length === 0 ? first : { ...first, also };
}

function both<T>(first: readonly T[], second: readonly T[]): readonly T[] {
  if (second.length === 0) return first;
  return first.length === 0 ? second : [...first, ...second];
}
