/** The guard's public face: judges commands, and audits hooks before they become active. Imported only when something is to be judged. */
import type { Finding } from './findings.ts';
import { judge } from './judge.ts';

export { type AuditOptions, auditHook, isKeptOut, scriptFiles } from './audit/audit-hook.ts';
export type { AuditedFinding, Unaudited } from './audit/follow.ts';
export type { Finding, FindingSeverity } from './findings.ts';

/** What is dangerous about a shell command; most severe first, empty if nothing is. Never throws. */
export function judgeCommand(text: string): readonly Finding[] {
  return judge(text).findings;
}
