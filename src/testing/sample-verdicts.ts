/** Verdicts within an event's grants, and what a verdict comes to once it is folded: the measure by which two are the same. */
import { type Decision, type Effect, type Grant, PASS, type Verdict } from '../core/decision.ts';
import { type EventKind, kindRule } from '../core/event.ts';
import { addVerdict, emptySum, joinLane, type Sum } from '../core/fold.ts';
import type { FoldRule } from '../core/profile.ts';

/** Each decision and each effect that is granted, alone, and each decision with all effects. */
export function sampleVerdicts(grants: readonly Grant[], kind: EventKind): Verdict[] {
  const decisions = [PASS, ...DECISIONS.filter((decision) => grants.includes(decision.kind as Grant))];
  const effects = effectsOn(kind).filter((effect) => grants.includes(effect.kind));
  return [
    ...decisions.map((decision) => ({ decision, effects: [] })),
    ...effects.map((effect) => ({ decision: PASS, effects: [effect] })),
    ...decisions.map((decision) => ({ decision, effects })),
  ];
}

/** What the verdict adds up to. Order and number of effects are the wire's own affair; this is not. */
export function meaningOf(verdict: Verdict, fold: FoldRule): Sum {
  const lane = emptySum();
  addVerdict(lane, verdict, fold);
  const total = emptySum();
  joinLane(total, lane, fold);
  return total;
}

const DECISIONS: readonly Decision[] = [
  { kind: 'allow' },
  { kind: 'allow', reason: 'It is only a listing.' },
  { kind: 'ask', reason: 'Better ask first.' },
  { kind: 'hold', reason: 'Waits for approval.', state: { step: 1 } },
  { kind: 'deny', reason: 'Not here: "rm" is off limits.\nUse trash.' },
];

function effectsOn(kind: EventKind): readonly Effect[] {
  const rewrite = kindRule(kind).rewrites?.type === 'text' ? 'Another text.' : { command: 'ls' };
  return [
    { kind: 'rewrite', value: rewrite },
    { kind: 'context', text: 'First things first.', at: 'start' },
    { kind: 'context', text: 'Mind the gap.' },
    { kind: 'notice', text: 'Formatted 3 files.' },
    { kind: 'replace', value: 'redacted' },
    { kind: 'continue', with: 'Run the tests.' },
    { kind: 'halt', reason: 'Enough.' },
    { kind: 'quiet' },
  ];
}
