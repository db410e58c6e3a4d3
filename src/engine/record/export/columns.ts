/** The facts of an entry that every flat format has, by one name each. */
import { isAct, type LogEntry } from '../../../core/record/decision-record.ts';
import { isObject, textOf } from '../../../core/values/json.ts';

/** The result, as security products name it. */
export type Result = 'allowed' | 'approved' | 'waits' | 'denied';

export function resultOf({ decision, outcome, kind }: LogEntry): Result {
  if (decision === 'deny') return 'denied';
  if (decision === 'hold' || decision === 'ask') return 'waits';
  const approval = isObject(outcome) ? outcome['approval'] : undefined;
  return kind === 'ticket.approved' || (isObject(approval) && approval['state'] === 'approved') ? 'approved' : 'allowed';
}

/** From 0, nothing to see, to 10. An act that was refused is the loudest: somebody tried what only a person may do. */
export function severityOf(entry: LogEntry): number {
  const result = resultOf(entry);
  if (result === 'denied') return isAct(entry.kind) ? 8 : 6;
  if (faultsOf(entry).length > 0) return 5;
  return result === 'waits' ? 4 : isAct(entry.kind) ? 3 : 1;
}

/** The names of the hooks that were asked. */
export function hooksOf({ outcome }: LogEntry): readonly string[] {
  return reportsOf(outcome).flatMap((hook) => (hook['status'] === 'skipped' ? [] : (textOf(hook['name']) ?? [])));
}

/** The hooks that failed, each with the name of its fault. */
export function faultsOf({ outcome }: LogEntry): readonly string[] {
  return reportsOf(outcome).flatMap(({ name, fault }) =>
    isObject(fault) ? `${textOf(name) ?? ''}: ${textOf(fault['kind']) ?? 'unknown'}` : [],
  );
}

function reportsOf(outcome: LogEntry['outcome']) {
  const hooks = isObject(outcome) ? outcome['hooks'] : undefined;
  return Array.isArray(hooks) ? hooks.filter(isObject) : [];
}

/** Returns the action or act in one line. */
export function subjectOf({ data, tool }: LogEntry): string {
  const { input, prompt, text } = data;
  const subject = input ?? prompt ?? text;
  if (typeof subject === 'string') return subject;
  const command = isObject(subject) ? textOf(subject['command']) : undefined;
  return command ?? (subject === undefined ? (tool ?? '') : JSON.stringify(subject));
}
