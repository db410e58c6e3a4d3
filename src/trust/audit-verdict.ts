/**
 * Decides whether a hook may run after its audit. A catastrophic finding always keeps it from running, a high one unless the user's own
 * settings waive it. The engine and the commands use the same decision.
 */

import type { Hook } from '../core/contracts/hook.ts';
import { type Sorted, sortByWaivers } from '../core/contracts/waiver.ts';
import type { Diagnostic } from '../core/values/diagnostic.ts';
import type { AuditedFinding } from '../guard/index.ts';
import type { AuditSettings } from '../load/settings/settings.ts';

export interface Leniency {
  /** Whether a hook may ask not to be audited. */
  readonly allowSkip: boolean;
  readonly waivers: NonNullable<AuditSettings['waivers']>;
}

export interface AuditVerdict extends Sorted<AuditedFinding> {
  /** Findings that keep the hook from running. Without any it may run. */
  readonly blocking: readonly AuditedFinding[];
}

export function auditVerdict(hook: Hook, findings: readonly AuditedFinding[], leniency: Leniency, digest: () => string): AuditVerdict {
  const { id, name, formerName } = hook;
  const sorted = sortByWaivers(findings, { id, name, formerName, digest }, leniency.waivers, Date.now());
  const skips = hook.skipAudit === true && leniency.allowSkip;
  const blocking = sorted.standing.filter(({ severity }) => severity === 'catastrophic' || (severity === 'high' && !skips));
  return { ...sorted, blocking };
}

/** Returns one error for each finding that keeps the hook from running. */
export function blockingDiagnostics(hook: Hook, { blocking, expired, refused }: AuditVerdict): readonly Diagnostic[] {
  return blocking.map((finding) => {
    const late = expired.find(({ rules }) => rules.includes(finding.rule));
    const vain = refused.some(({ rules }) => rules.includes(finding.rule));
    const note = late ? ` The waiver for it expired (${late.expires}).` : vain ? ' A waiver cannot accept this finding.' : '';
    return findingDiagnostic('error', `Hook \`${hook.name}\` does not run`, finding, note);
  });
}

export function findingDiagnostic(severity: Diagnostic['severity'], lead: string, finding: AuditedFinding, note = ''): Diagnostic {
  const { rule, file, line, column, message, hint } = finding;
  const place = { file, ...(line !== undefined && { line }), ...(column !== undefined && { column }) };
  return { severity, code: `audit-${rule}`, ...place, message: `${lead}: ${message}`, hint: `${hint}${note}` };
}
