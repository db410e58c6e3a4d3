/**
 * The log entry of a background hook whose files changed while it ran. The event was recorded before the hook had ended, so the fault is an
 * entry of its own.
 */
import type { Call } from '../../core/contracts/handler.ts';
import type { Outcome } from '../../core/decision/outcome.ts';
import type { Fault, Reply } from '../../core/decision/reply.ts';
import type { HookEvent } from '../../core/event/event.ts';

export interface LateFault {
  readonly event: HookEvent;
  readonly outcome: Outcome;
}

/** Returns undefined if the answer is none that must be recorded. */
export function lateFault(
  { hook, event }: Pick<Call, 'hook' | 'event'>,
  answer: Reply | Fault | undefined,
  id: string,
): LateFault | undefined {
  if (!event || answer?.kind !== 'fault' || answer.fault !== 'changed') return undefined;
  const { id: hookId, name, dialect, event: native, handler, source } = hook;
  const { fault: kind, detail, exit } = answer;
  const report = {
    id: hookId,
    name,
    dialect,
    event: native,
    handler: handler.type,
    source,
    status: 'faulted' as const,
    fault: { kind, detail },
    ...(exit !== undefined && { exit }),
  };
  const nothing = { context: [], contextSources: [], notices: [], quiet: false, unmatched: 0, diagnostics: [] };
  return { event, outcome: { id, kind: event.kind, decision: 'pass', reason: null, ...nothing, hooks: [report] } };
}
