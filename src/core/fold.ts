/** How the verdicts of one lane become one, and how lanes join. Folding in a verdict never lowers the severity. */
import { type Decision, type Effect, join, PASS, type Verdict } from './decision.ts';
import type { Json } from './json.ts';
import type { FoldRule } from './profile.ts';

/** The sum of what was said so far. `rewrite` is absent as long as nobody replaced anything. */
export interface Sum {
  decision: Decision;
  rewrite?: Json;
  replace?: Json;
  contextStart: string[];
  contextEnd: string[];
  notices: string[];
  continueWith?: string;
  halt?: string;
  quiet: boolean;
}

export function emptySum(): Sum {
  return { decision: PASS, contextStart: [], contextEnd: [], notices: [], quiet: false };
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
      if (effect.at !== 'start') sum.contextEnd.push(effect.text);
      else if (rule.contextStart === 'last') sum.contextStart = [effect.text];
      else sum.contextStart.push(effect.text);
      return;
    case 'notice':
      sum.notices.push(effect.text);
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
  total.contextStart.push(...lane.contextStart);
  if (rule.contextEnd === 'joined' && lane.contextEnd.length > 1) total.contextEnd.push(lane.contextEnd.join('\n'));
  else total.contextEnd.push(...lane.contextEnd);
  total.notices.push(...lane.notices);
  if (lane.continueWith !== undefined) total.continueWith ??= lane.continueWith;
  if (lane.halt !== undefined) total.halt ??= lane.halt;
  total.quiet ||= lane.quiet;
}
