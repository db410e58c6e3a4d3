/**
 * Detects a denied tool call that ran nevertheless, because no hook protects an agent that does not obey. Compares each event that reports a run
 * with the denials in the record of the session. It never changes a decision and only reports.
 */
import type { LogEntry } from '../../core/contracts/decision-record.ts';
import type { Store } from '../../core/contracts/store.ts';
import type { Outcome } from '../../core/decision/outcome.ts';
import type { EventKind, HookEvent } from '../../core/event/event.ts';
import type { Diagnostic } from '../../core/values/diagnostic.ts';
import { canonicalJson } from '../../core/values/digest.ts';
import { type Json, textOf } from '../../core/values/json.ts';
import { redact } from '../../core/values/redact.ts';

/** Returns the outcome, with an alarm if the call was denied before. If the record cannot be read, the recorder reports that. */
export async function withAlarm({ log }: Store, event: HookEvent, outcome: Outcome): Promise<Outcome> {
  const tool = textOf(event.data['tool']) as string;
  const entries = await log.list({ session: event.session.id, tool, limit: LOOKED_AT }).catch(() => []);
  const judged = entries.filter(({ kind }) => GATES.includes(kind)).findLast(sameCall(event));
  if (!judged || (judged.decision !== 'deny' && judged.decision !== 'hold') || isRefusalTold(event, judged)) return outcome;
  return { ...outcome, diagnostics: [...outcome.diagnostics, alarm(tool, judged)] };
}

/** How many entries of a session to read. A run is reported soon after it was judged. */
const LOOKED_AT = 50;
export const GATES: readonly EventKind[] = ['tool.before', 'permission.request'];

/** Finds the call by its id if both have one, otherwise by its tool and input. */
function sameCall({ data }: HookEvent): (entry: LogEntry) => boolean {
  const id = textOf(data['toolUseId']);
  let input: string | undefined;
  return ({ data: judged }) => {
    const other = textOf(judged['toolUseId']);
    if (id !== undefined && other !== undefined) return id === other;
    // Compared as the record keeps it, with secrets masked.
    input ??= maskedInput(data['input']);
    return canonicalJson(judged['input'] ?? null) === input;
  };
}

function maskedInput(input: Json | undefined): string {
  const { value } = redact({ data: { input: input ?? null } });
  return canonicalJson((value as { readonly data: { readonly input: Json } }).data.input);
}

/** Some agents report a denied call as a failed one, with the denial as its error. */
function isRefusalTold({ kind, data }: HookEvent, { reason }: LogEntry): boolean {
  if (kind !== 'tool.error' || reason === null) return false;
  const error = data['error'];
  return (typeof error === 'string' ? error : JSON.stringify(error ?? '')).includes(reason.slice(0, 80));
}

function alarm(tool: string, { id, decision, reason }: LogEntry): Diagnostic {
  const word = decision === 'deny' ? 'denied' : 'held';
  return {
    severity: 'error',
    code: 'denied-but-ran',
    message: `${tool} was ${word} (${id}) and the agent reports that it ran: ${reason ?? 'no reason was given'}`,
    hint: `The agent ignores its hooks, so do not rely on them there. \`hookline why ${id}\` shows the decision.`,
  };
}
