/**
 * The log entry of a background hook that has ended: its exit code and its output, or its fault. The event was recorded before the hook had
 * ended, so this is an entry of its own, which names the decision that it belongs to.
 */
import type { Call } from '../../core/contracts/handler.ts';
import type { HookReport, Outcome } from '../../core/decision/outcome.ts';
import { type Fault, fault, isFault, type Reply } from '../../core/decision/reply.ts';
import type { HookEvent } from '../../core/event/event.ts';

export interface LateEnd {
  readonly event: HookEvent;
  readonly outcome: Outcome;
}

/** Returns undefined if nothing needs to be recorded: a function of this process that returned has no output to keep. */
export function lateEnd(
  { hook, event }: Pick<Call, 'hook' | 'event'>,
  answer: Reply | Fault | undefined,
  id: string,
  ms?: number,
): LateEnd | undefined {
  if (!event || answer === undefined || answer.kind === 'value' || answer.kind === 'verdict') return undefined;
  const failed = isFault(answer) ? answer : failureOf(answer);
  const written = isFault(answer) ? answer.reply : answer;
  const exit = answer.kind === 'process' ? answer.exit : isFault(answer) ? answer.exit : undefined;
  const { id: hookId, name, dialect, event: native, handler, source } = hook;
  const report: HookReport = {
    ...{ id: hookId, name, dialect, event: native, handler: handler.type, source },
    status: failed ? 'faulted' : 'answered',
    ...(failed && { fault: { kind: failed.fault, detail: failed.detail } }),
    ...(exit !== undefined && exit !== null && { exit }),
    ...(ms !== undefined && { ms: Math.round(ms) }),
    ...(written?.kind === 'process' && { ...kept('stdout', written.stdout), ...kept('stderr', written.stderr) }),
  };
  const nothing = { context: [], contextSources: [], notices: [], quiet: false, unmatched: 0, diagnostics: [] };
  const { tool } = event.data;
  return {
    // The payload is in the entry of the decision.
    event: { ...event, data: tool === undefined ? {} : { tool } },
    outcome: { id, kind: event.kind, decision: 'pass', reason: null, ...nothing, lateOf: event.id, hooks: [report] },
  };
}

/** No one waits for its answer, so every exit code other than 0 and every status other than 2xx is a failure and nothing more. */
function failureOf(reply: Reply): Fault | undefined {
  if (reply.kind === 'process') {
    if (reply.exit === null) return fault('signal', 'was ended by a signal');
    return reply.exit === 0 ? undefined : fault('exit', `exit code ${reply.exit}`);
  }
  if (reply.kind !== 'http' || (reply.status >= 200 && reply.status < 300)) return undefined;
  return fault('status', `the server answered with status ${reply.status}`);
}

/** How much of a stream is kept, in characters. */
const KEPT = 2000;

function kept<K extends 'stdout' | 'stderr'>(stream: K, text: string): { readonly [P in K]?: string } {
  const trimmed = text.trim();
  if (trimmed === '') return {};
  return { [stream]: trimmed.length > KEPT ? `${trimmed.slice(0, KEPT)}…` : trimmed } as { readonly [P in K]?: string };
}
