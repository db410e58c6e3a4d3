/** How the verdicts of one lane become one, and how lanes join. Folding in a verdict never lowers the severity. */
import { type Decision, type Effect, join, PASS, type Verdict } from './decision.ts';
import type { Json } from './json.ts';
import type { FoldRule } from './profile.ts';

/** The sum of what was said so far. `rewrite` is absent as long as nobody replaced anything. */
export interface Sum {
  decision: Decision;
  rewrite?: Json;
  replace?: Json;
  contextStart: readonly string[];
  contextEnd: readonly string[];
  notices: readonly string[];
  continueWith?: string;
  halt?: string;
  quiet: boolean;
}

/** Shared by all sums to which nobody has added a text: most firings say nothing. */
const SILENCE: readonly string[] = Object.freeze([]);

export function emptySum(): Sum {
  return { decision: PASS, contextStart: SILENCE, contextEnd: SILENCE, notices: SILENCE, quiet: false };
}

/** Adds one verdict to a lane's sum. The latest rewrite and the earliest of the most severe decisions stand. */
export function addVerdict(sum: Sum, verdict: Verdict, rule: FoldRule): void {
  // An allow endorsed the input it was shown: a later rewrite turns it back into no opinion.
  if (sum.decision.kind === 'allow' && verdict.effects.some(({ kind }) => kind === 'rewrite')) sum.decision = PASS;
  sum.decision = join(sum.decision, verdict.decision);
  for (const effect of verdict.effects) addEffect(sum, effect, rule);
}

function addEffect(sum: Sum, effect: Effect, rule: FoldRule): void {
  switch (effect.kind) {
    case 'rewrite':
      sum.rewrite = effect.value;
      return;
    case 'replace':
      sum.replace = effect.value;
      return;
    case 'context':
      if (effect.at !== 'start') sum.contextEnd = [...sum.contextEnd, effect.text];
      else sum.contextStart = rule.contextStart === 'last' ? [effect.text] : [...sum.contextStart, effect.text];
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

/** Joins a finished lane into the firing. A rewrite turns an allow that endorsed the old input back into a pass. */
export function joinLane(total: Sum, lane: Sum, rule: FoldRule): void {
  if (lane.rewrite !== undefined) {
    total.rewrite = lane.rewrite;
    if (total.decision.kind === 'allow') total.decision = PASS;
  }
  if (lane.replace !== undefined) total.replace = lane.replace;
  total.decision = join(total.decision, lane.decision);
  total.contextStart = both(total.contextStart, lane.contextStart);
  const joined = rule.contextEnd === 'joined' && lane.contextEnd.length > 1;
  total.contextEnd = both(total.contextEnd, joined ? [lane.contextEnd.join('\n')] : lane.contextEnd);
  total.notices = both(total.notices, lane.notices);
  if (lane.continueWith !== undefined) total.continueWith ??= lane.continueWith;
  if (lane.halt !== undefined) total.halt ??= lane.halt;
  total.quiet ||= lane.quiet;
}

function both(first: readonly string[], second: readonly string[]): readonly string[] {
  if (second.length === 0) return first;
  return first.length === 0 ? second : [...first, ...second];
}
