/** The end of a firing: what the hooks have come to, the stop cap, background hooks, and the outcome. */
import { type Decision, PASS, reasonOf } from '../core/decision.ts';
import type { Dialect } from '../core/dialect.ts';
import { kindRule } from '../core/event.ts';
import type { Outcome } from '../core/outcome.ts';
import { callFor } from './call.ts';
import type { EngineContext } from './context.ts';
import type { Firing } from './firing.ts';
import { noteAsked } from './once.ts';
import { detached, skipped } from './report.ts';
import type { StopCap } from './stop-cap.ts';

export interface Ends {
  readonly context: EngineContext;
  readonly stopCap: StopCap;
}

/** Starts what was to run in the background, and says what came of it. */
export function conclude(ends: Ends, firing: Firing, decision: Decision, unmatched: number): MutableOutcome {
  const { total, event, diagnostics } = firing;
  startDetached(ends.context, firing, decision);
  const outcome: MutableOutcome = {
    id: event.id,
    kind: event.kind,
    decision: decision.kind,
    reason: reasonOf(decision),
    context: total.contextStart.length === 0 ? total.contextEnd : [...total.contextStart, ...total.contextEnd],
    contextSources: total.startSources.length === 0 ? total.endSources : [...total.startSources, ...total.endSources],
    notices: total.notices,
    quiet: total.quiet,
    unmatched,
    hooks: firing.before.length === 0 ? firing.reports : [...firing.before, ...firing.reports],
    diagnostics,
  };
  // Assigned, not spread: this runs for every event that reaches a hook.
  if (total.rewrite !== undefined) outcome.rewrite = total.rewrite;
  if (total.replace !== undefined) outcome.replace = total.replace;
  if (total.halt !== undefined) outcome.halt = total.halt;
  if (decision.kind === 'deny' && kindRule(event.kind).denyContinues) outcome.continue = total.continueWith ?? decision.reason;
  return outcome;
}

export type MutableOutcome = { -readonly [K in keyof Outcome]: Outcome[K] };

/** What the hooks have come to. A hold is not the last word: somebody may have approved it already. */
export function decide(ends: Ends, firing: Firing): Decision {
  const { decision } = firing.total;
  if (decision.kind === 'hold') return { ...decision, reason: whyHeld(firing, decision.reason) };
  if (decision.kind === 'ask') {
    const reason = whyHeld(firing, decision.reason);
    if (firing.asks) return { kind: 'ask', reason };
    if (ends.context.settings.canAnswer) return { kind: 'hold', reason };
    return { kind: 'deny', reason: `${reason} (A person must be asked, and nobody can answer here.)` };
  }
  return kindRule(firing.event.kind).denyContinues ? withinCap(ends, firing, decision) : decision;
}

/** Several hooks that want a person share one ticket, which says what each of them wants. */
function whyHeld({ reports }: Firing, first: string): string {
  const reasons = reports.flatMap(({ decision, reason }) => (decision === 'hold' || decision === 'ask' ? [reason ?? first] : []));
  return reasons.length > 1 ? [...new Set(reasons)].join(' ') : first;
}

/** A hook may send the agent back a limited number of times in a row; after that the agent may stop. */
function withinCap({ context, stopCap }: Ends, { event, diagnostics }: Firing, decision: Decision): Decision {
  const session = event.session.id;
  if (decision.kind !== 'deny') {
    stopCap.reset(session);
    return decision;
  }
  const count = stopCap.count(session, event.data['continuations']);
  if (count < context.settings.stopCap) {
    stopCap.sentBack(session, count);
    return decision;
  }
  stopCap.reset(session);
  diagnostics.push({
    severity: 'warning',
    code: 'stop-cap',
    message: `The agent was sent back ${count} times in a row; it may stop now. The last objection: ${decision.reason}`,
    hint: 'Look at the hook that objects: what it asks for may be out of reach.',
  });
  return PASS;
}

/** Detached hooks start after the others, and only if the action goes ahead. */
function startDetached(context: EngineContext, firing: Firing, decision: Decision): void {
  for (const { admission, ...placed } of firing.detached ?? []) {
    const { hook } = placed;
    if (decision.kind !== 'pass' && decision.kind !== 'allow') {
      firing.reports.push(skipped(hook, `the action was ${decision.kind === 'deny' ? 'denied' : 'held'}`));
      continue;
    }
    const handler = context.ports.handlers.get(hook.handler.type);
    if (!handler) {
      firing.reports.push(skipped(hook, `no handler of type \`${hook.handler.type}\` is registered`));
      continue;
    }
    // The hooks before it may have run for long: what it was when its turn came says nothing about now.
    const now = admission.again?.(firing.event.session.cwd) ?? admission;
    if (!now.admitted) {
      firing.reports.push(skipped(hook, now.skip));
      firing.diagnostics.push(...now.diagnostics);
      continue;
    }
    const dialect = context.dialects.get(hook.dialect) as Dialect;
    const call = callFor(context, {
      placed,
      dialect,
      view: firing.event,
      original: firing.original,
      signal: undefined,
      environment: firing.environment,
    });
    context.ports.background.start(now.vouched ? { ...call, vouched: now.vouched } : call, handler);
    firing.reports.push(detached(hook));
    noteAsked(context.once, firing.event.session.id, hook, firing.diagnostics);
  }
}
