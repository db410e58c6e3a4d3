/** Reads an outcome back from the log. An entry of another version may lack parts and must still be explained. */

import type { ContextSource } from '../../core/decision/decision.ts';
import type { Approval, GrantRef, HookReport, Outcome } from '../../core/decision/outcome.ts';
import type { LogEntry } from '../../core/record/decision-record.ts';
import type { Diagnostic } from '../../core/values/diagnostic.ts';
import { isObject, type Json, type JsonObject, textOf } from '../../core/values/json.ts';

/** The outcome of a firing. The entry of an act has the same parts, all of them empty. */
export type Recorded = Omit<Outcome, 'kind'> & Pick<LogEntry, 'kind'>;

export function readRecorded({ id, kind, decision, reason, ticket, outcome }: LogEntry): Recorded {
  const kept: JsonObject = isObject(outcome) ? outcome : {};
  const { rewrite, replace, unmatched, approval, grants } = kept;
  const goesOn = textOf(kept['continue']);
  const halt = textOf(kept['halt']);
  const lateOf = textOf(kept['lateOf']);
  return {
    id,
    kind,
    decision,
    reason,
    ...(rewrite !== undefined && { rewrite }),
    ...(replace !== undefined && { replace }),
    context: listOf(kept['context']).filter(isText),
    contextSources: listOf(kept['contextSources']).flatMap(readSource),
    notices: listOf(kept['notices']).filter(isText),
    ...(goesOn !== undefined && { continue: goesOn }),
    ...(halt !== undefined && { halt }),
    quiet: kept['quiet'] === true,
    ...(decision === 'hold' && ticket !== null && { ticket: { id: ticket, expiresAt: '' } }),
    ...(isObject(approval) && isText(approval['state']) && { approval: approval as unknown as Approval }),
    ...(Array.isArray(grants) && { grants: grants.filter(isObject) as unknown as readonly GrantRef[] }),
    ...(lateOf !== undefined && { lateOf }),
    unmatched: typeof unmatched === 'number' ? unmatched : 0,
    hooks: listOf(kept['hooks']).flatMap(readReport),
    diagnostics: listOf(kept['diagnostics']).flatMap(readDiagnostic),
  };
}

const STATUSES: readonly unknown[] = ['answered', 'faulted', 'skipped', 'detached'] satisfies HookReport['status'][];

/** Parts that a sentence needs must be present. The rest is returned as it was written. */
function readReport(value: Json): HookReport[] {
  if (!isObject(value) || !isText(value['name']) || !STATUSES.includes(value['status'])) return [];
  const { source, fault, effects, judge } = value;
  const file = isObject(source) ? textOf(source['file']) : undefined;
  const report = {
    ...value,
    source: isObject(source) && file !== undefined ? source : { file: 'an unknown file', scope: 'runtime' },
    ...(fault !== undefined && !isObject(fault) && { fault: undefined }),
    ...(judge !== undefined && !isJudgeNote(judge) && { judge: undefined }),
    ...(effects !== undefined && { effects: listOf(effects).filter(isText) }),
  };
  return [report as unknown as HookReport];
}

function isJudgeNote(value: Json): boolean {
  return isObject(value) && isText(value['model']) && typeof value['inputTokens'] === 'number' && typeof value['outputTokens'] === 'number';
}

/** Returns the sources of the texts, as far as the entry has them. */
function readSource(value: Json): ContextSource[] {
  if (!isObject(value) || !isText(value['name'])) return [];
  const { also, ...source } = value;
  const others = listOf(also).flatMap(readSource);
  return [{ ...(source as unknown as ContextSource), ...(others.length > 0 && { also: others }) }];
}

function readDiagnostic(value: Json): Diagnostic[] {
  return isObject(value) && isText(value['message']) && isText(value['severity']) ? [value as unknown as Diagnostic] : [];
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
