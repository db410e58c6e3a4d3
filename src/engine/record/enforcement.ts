/**
 * Detects a denied tool call that ran nevertheless, because no hook protects an agent that does not obey. Compares each event that reports a run
 * with the denials in the record of the session. It never changes a decision and only reports.
 */

import type { Store } from '../../core/contracts/store.ts';
import type { Outcome } from '../../core/decision/outcome.ts';
import type { EventKind, HookEvent } from '../../core/event/event.ts';
import { CALLER_GONE, isAct, type LogEntry, type LogFilter } from '../../core/record/decision-record.ts';
import type { Diagnostic } from '../../core/values/diagnostic.ts';
import { canonicalJson, digestOf, type Hash } from '../../core/values/digest.ts';
import { isObject, type Json, textOf } from '../../core/values/json.ts';
import { redact } from '../../core/values/redact.ts';

/** Returns the outcome, with an alarm if the call was denied before. If the record cannot be read, the recorder reports that. */
export async function withAlarm({ log }: Store, event: HookEvent, outcome: Outcome, hash: Hash): Promise<Outcome> {
  const tool = textOf(event.data['tool']) as string;
  const isSame = sameCall(event, hash);
  const find = async (filter: LogFilter): Promise<LogEntry | undefined> => {
    const entries = await log.list({ session: event.session.id, tool, ...filter }).catch(() => []);
    return entries.findLast((entry) => !isAct(entry.kind) && GATES.includes(entry.kind) && isAnswered(entry) && isSame(entry));
  };
  // Few calls are denied, so this reads little, however many calls there were and however large.
  const denied = await find({ decision: ['deny', 'hold'], among: LOOKED_AT, limit: MOST_DENIED });
  if (!denied || isRefusalTold(event, denied)) return outcome;
  const later = await find({ decision: ['pass', 'allow', 'ask'], after: denied.seq, among: LOOKED_AT, limit: LOOKED_AT });
  return later ? outcome : { ...outcome, diagnostics: [...outcome.diagnostics, alarm(tool, denied)] };
}

/** How many entries of the log to look at. A run is reported soon after it was judged. */
const LOOKED_AT = 2000;
const MOST_DENIED = 50;
export const GATES: readonly EventKind[] = ['tool.before', 'permission.request'];

/** Whether an agent received the answer. The end of a background hook is not an answer. */
function isAnswered({ outcome }: LogEntry): boolean {
  if (isObject(outcome) && outcome['lateOf'] !== undefined) return false;
  const diagnostics = isObject(outcome) ? outcome['diagnostics'] : undefined;
  return !(Array.isArray(diagnostics) && diagnostics.some((one: Json) => isObject(one) && one['code'] === CALLER_GONE));
}

/** Finds the call by its id if both have one, otherwise by its tool and input. */
function sameCall({ data }: HookEvent, hash: Hash): (entry: LogEntry) => boolean {
  const id = textOf(data['toolUseId']);
  let input: string | undefined;
  let digest: string | undefined;
  return ({ data: judged, digests }) => {
    const other = textOf(judged['toolUseId']);
    if (id !== undefined && other !== undefined) return id === other;
    digest ??= digestOf(data['input'] ?? null, hash);
    if (digests.input !== undefined) return digests.input === digest;
    // Entries of older versions are compared as the record keeps them, with secrets masked.
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
