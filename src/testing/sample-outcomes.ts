/** Outcomes of every decision and effect, alone and together, whatever an event grants: a host must find an answer to all of them. */
import type { DecisionKind } from '../core/decision.ts';
import { type EventKind, kindRule } from '../core/event.ts';
import type { Outcome } from '../core/outcome.ts';

export function sampleOutcomes(kind: EventKind): Outcome[] {
  const decisions = DECISIONS.map((decision) => outcomeOf(kind, decision));
  return decisions.flatMap((outcome) => [outcome, ...extrasOn(kind).map((extra) => ({ ...outcome, ...extra }))]);
}

const DECISIONS: readonly DecisionKind[] = ['pass', 'allow', 'ask', 'hold', 'deny'];

const REASONS: Readonly<Record<DecisionKind, string | null>> = {
  pass: null,
  allow: 'It is only a listing.',
  ask: 'Better ask first.',
  hold: 'Waits for approval.',
  deny: 'Not here: "rm" is off limits.\nUse trash.',
};

function outcomeOf(kind: EventKind, decision: DecisionKind): Outcome {
  const reason = REASONS[decision];
  return {
    id: 'sample',
    kind,
    decision,
    reason,
    context: [],
    contextSources: [],
    notices: [],
    quiet: false,
    unmatched: 0,
    hooks: [],
    diagnostics: [],
    ...(decision === 'hold' && { ticket: { id: 'ticket-1', expiresAt: '2025-01-03T03:04:05.678Z' } }),
    ...(decision === 'deny' && kindRule(kind).denyContinues && { continue: 'Run the tests.' }),
  };
}

function extrasOn(kind: EventKind): readonly Partial<Outcome>[] {
  const rewrite = kindRule(kind).rewrites?.type === 'text' ? 'Another text.' : { command: 'ls' };
  const each: readonly Partial<Outcome>[] = [
    { rewrite },
    { replace: 'redacted' },
    { context: ['First things first.', 'Mind the gap.'] },
    { notices: ['Formatted 3 files.'] },
    { halt: 'Enough.' },
    { quiet: true },
  ];
  return [...each, Object.assign({}, ...each) as Partial<Outcome>];
}
