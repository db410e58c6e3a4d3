/** Ends a firing: the decision of all hooks, the stop cap, background hooks and the outcome. Also the outcome of a bug in Hookline. */

import type { Dialect } from '../../core/contracts/dialect.ts';
import type { Call } from '../../core/contracts/handler.ts';
import { type Decision, PASS, reasonOf } from '../../core/decision/decision.ts';
import type { Outcome } from '../../core/decision/outcome.ts';
import { type HookEvent, kindRule } from '../../core/event/event.ts';
import { canBeDenied } from '../../core/meaning/profile.ts';
import type { Diagnostic } from '../../core/values/diagnostic.ts';
import { looseCopy } from '../../core/values/frozen.ts';
import { callFor, folderFor, voidIfChanged } from '../ask/ask-hook.ts';
import type { Firing } from '../ask/firing.ts';
import { noteAsked } from '../ask/once.ts';
import { detached, skipped } from '../ask/report.ts';
import type { EngineContext, StopCounts } from '../ports.ts';

/** A bug in Hookline is neither a denial nor consent by a hook. It denies if the event can be denied, and names Hookline as the cause. */
export function ownFailure(context: EngineContext, event: HookEvent, error: unknown): Outcome {
  const gates = canBeDenied(
    event.kind,
    context.ports.dialects.map(({ profile }) => profile),
  );
  const message = `Hookline itself failed: ${error instanceof Error ? error.message : String(error)}`;
  return {
    id: event.id,
    kind: event.kind,
    decision: gates ? 'deny' : 'pass',
    reason: gates ? message : null,
    context: [],
    contextSources: [],
    notices: [],
    quiet: false,
    unmatched: 0,
    hooks: [],
    diagnostics: [{ severity: 'error', code: 'internal', message, hint: 'This is a bug in Hookline, not in a hook. Please report it.' }],
  };
}

export interface EngineState {
  readonly context: EngineContext;
  readonly stopCap: StopCap;
}

/** Starts the background hooks and returns the outcome. */
export function buildOutcome(engine: EngineState, firing: Firing, decision: Decision, unmatched: number): MutableOutcome {
  const { total, event, diagnostics } = firing;
  startDetached(engine.context, firing, decision);
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
    hooks: firing.earlierReports.length === 0 ? firing.reports : [...firing.earlierReports, ...firing.reports],
    diagnostics,
  };
  // Assigned, not spread, because this runs for every event that reaches a hook.
  // The caller may pass them on to a tool, which may change its input.
  if (total.rewrite !== undefined) outcome.rewrite = looseCopy(total.rewrite);
  if (total.replace !== undefined) outcome.replace = looseCopy(total.replace);
  if (total.halt !== undefined) outcome.halt = total.halt;
  if (decision.kind === 'deny' && kindRule(event.kind).denyContinues) outcome.continue = total.continueWith ?? decision.reason;
  return outcome;
}

export type MutableOutcome = { -readonly [K in keyof Outcome]: Outcome[K] };

/** Returns the decision of all hooks. A hold is not final, because a person may have approved it already. */
export function decide(engine: EngineState, firing: Firing): Decision {
  const { decision } = firing.total;
  if (decision.kind === 'hold') return { ...decision, reason: whyHeld(firing, decision.reason) };
  if (decision.kind === 'ask') {
    const reason = whyHeld(firing, decision.reason);
    if (firing.callerAsksPeople()) return { kind: 'ask', reason };
    if (engine.context.settings.canSettle) return { kind: 'hold', reason };
    return { kind: 'deny', reason: `${reason} (A person must be asked, but no person can answer here.)` };
  }
  return kindRule(firing.event.kind).denyContinues ? withinCap(engine, firing, decision) : decision;
}

/** Joins the reasons of several hooks that ask for a person, because they share one ticket. */
function whyHeld({ reports }: Firing, first: string): string {
  const reasons = reports.flatMap(({ decision, reason }) => (decision === 'hold' || decision === 'ask' ? [reason ?? first] : []));
  return reasons.length > 1 ? [...new Set(reasons)].join(' ') : first;
}

/** A hook may send the agent back a limited number of times in a row. After that the agent may stop. */
function withinCap({ context, stopCap }: EngineState, { event, total, diagnostics, callerGoesOn }: Firing, decision: Decision): Decision {
  const session = event.session.id;
  if (decision.kind !== 'deny') {
    stopCap.reset(session);
    return decision;
  }
  // A caller that cannot be sent back has stopped, whatever its hooks say.
  if (!callerGoesOn) return decision;
  const count = stopCap.count(session, event.data['continuations']);
  if (count < context.settings.stopCap) {
    const problem = stopCap.sentBack(session, count, total.continueWith ?? decision.reason);
    if (problem !== undefined) diagnostics.push(notCounted(problem));
    return decision;
  }
  stopCap.reset(session);
  diagnostics.push({
    severity: 'warning',
    code: 'stop-cap',
    message: `The agent was sent back ${count} times in a row, so it may stop now. The last objection: ${decision.reason}`,
    hint: 'Check the hook that objects. Its demand may be impossible to meet.',
  });
  return PASS;
}

/** Detached hooks start after the others, and only if the action proceeds. */
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
    // The hooks before it may have run for long, so it is checked again.
    const now = admission.again?.(folderFor(context, hook, firing.event)) ?? admission;
    if (!now.admitted) {
      firing.reports.push(skipped(hook, now.skipReason));
      firing.diagnostics.push(...now.diagnostics);
      continue;
    }
    const dialect = context.dialects.get(hook.dialect) as Dialect;
    const question = {
      placed,
      dialect,
      view: firing.event,
      original: firing.original,
      // It outlives its caller, and ends with the engine.
      signal: context.closing,
      environment: firing.environment,
    };
    const call = callFor(context, question, now);
    const kept = now.vouched ? { ...call, vouched: now.vouched } : call;
    // A process that runs the call later takes its own look at the files.
    const watched = now.changedSince ? { ...handler, handle: async (one: Call) => voidIfChanged(await handler.handle(one), now) } : handler;
    context.ports.background.start(kept, watched);
    firing.reports.push(detached(hook));
    noteAsked(context.once, firing.event.session.id, hook, firing.diagnostics);
  }
}

function notCounted(problem: string): Diagnostic {
  return {
    severity: 'warning',
    code: 'stop-not-counted',
    message: `The agent was sent back to work, but that could not be stored: ${problem}. Another process counts from the start.`,
    hint: 'Make the state folder writable.',
  };
}

/** Counts for each session how often in a row the agent was sent back to work, so that no hook can keep it working for ever. */
export interface StopCap {
  /** Returns the count so far. The caller's own count wins if it is higher. */
  count(session: string, reported: unknown): number;
  /** Returns why it cannot be kept as long as it should, or undefined if it is kept. */
  sentBack(session: string, count: number, feedback: string): string | undefined;
  reset(session: string): void;
  /** Begins the count anew, unless the prompt is the feedback itself: some agents submit it as a prompt. */
  prompted(session: string, prompt: unknown): void;
}

export function createStopCap(counts: StopCounts = createStopCounts()): StopCap {
  return {
    count(session, reported) {
      const known = counts.get(session);
      return typeof reported === 'number' && Number.isInteger(reported) && reported > known ? reported : known;
    },
    sentBack: (session, count, feedback) => counts.raise(session, count + 1, feedback),
    reset: (session) => counts.clear(session),
    prompted(session, prompt) {
      if (typeof prompt !== 'string' || !counts.has(session, prompt)) counts.clear(session);
    },
  };
}

const MOST_SESSIONS = 10_000;

/** Counts that last as long as the engine. */
function createStopCounts(): StopCounts {
  const counts = new Map<string, { readonly count: number; readonly said: ReadonlySet<string> }>();
  return {
    get: (session) => counts.get(session)?.count ?? 0,
    raise(session, to, feedback) {
      const said = new Set([...(counts.get(session)?.said ?? []), feedback.trim()]);
      if (counts.size >= MOST_SESSIONS && !counts.has(session)) counts.delete(counts.keys().next().value as string);
      counts.set(session, { count: to, said });
      return undefined;
    },
    has: (session, feedback) => counts.get(session)?.said.has(feedback.trim()) ?? false,
    clear(session) {
      if (counts.size > 0) counts.delete(session);
    },
  };
}
