/**
 * Entry point of the guard for the other rooms: judges commands, and audits hooks before they become active. It is loaded only when there
 * is something to judge.
 */
import type { Finding } from './findings.ts';
import { judge } from './judge.ts';

export { type AuditOptions, type AuditReport, auditHook, isKeptOut, scriptFiles } from './audit/audit-hook.ts';
export type { Coverage } from './audit/cover/coverage.ts';
export type { AuditedFinding, Unaudited } from './audit/follow.ts';
export { inOneView } from './audit/observed-fs.ts';
export type { Finding, FindingSeverity } from './findings.ts';

/** Returns the findings on a shell command, most severe first. Never throws. */
export function judgeCommand(text: string): readonly Finding[] {
  return judge(text).findings;
}
