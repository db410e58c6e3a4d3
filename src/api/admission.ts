/** Whether a hook may run: it must be trusted, and what it would run must survive the audit. The guard is loaded only when asked. */
import type { Trust } from '../config/trust.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import type { Dialect } from '../core/dialect.ts';
import type { Hook } from '../core/hook.ts';
import { ADMITTED, type Admission } from '../engine/ports.ts';
import type { AuditedFinding } from '../guard/index.ts';

export interface AdmissionRules {
  readonly trustAll: boolean;
  /** Whether a hook's own wish not to be audited counts. */
  readonly allowSkipAudit: boolean;
  readonly trust: Trust;
  /** The project: trust given in one clone does not count in another. */
  readonly root: string;
  /** Whether a hook came from a place that needs no further trust. */
  isTrustedPlace(hook: Hook): boolean;
  dialectOf(hook: Hook): Dialect;
}

export function createAdmission(rules: AdmissionRules): (hook: Hook) => Admission | Promise<Admission> {
  return (hook) => {
    if (hook.run) return ADMITTED;
    const trusted = rules.trustAll || rules.isTrustedPlace(hook);
    if (!trusted && rules.trust.isEmpty()) return UNTRUSTED;
    return judge(rules, hook, trusted);
  };
}

const UNTRUSTED: Admission = { admitted: false, why: 'untrusted', skip: 'untrusted', diagnostics: [] };

async function judge(rules: AdmissionRules, hook: Hook, trusted: boolean): Promise<Admission> {
  const guard = await import('../guard/index.ts');
  if (!trusted) {
    const { hookDigest } = await import('../config/hook-digest.ts');
    if (!rules.trust.has(hookDigest(hook, guard.scriptFiles(hook, { cwd: rules.root })), rules.root)) return UNTRUSTED;
  }
  const report = guard.auditHook(hook, { cwd: rules.root, folder: rules.dialectOf(hook).profile.load.auditFolder });
  if (!guard.isKeptOut(report)) return ADMITTED;
  if (hook.skipAudit && rules.allowSkipAudit) return ADMITTED;
  const diagnostics = report.findings.filter(({ severity }) => severity !== 'medium').map((finding) => describe(hook, finding));
  return { admitted: false, why: 'audit', skip: 'kept out by the security audit', diagnostics };
}

function describe(hook: Hook, finding: AuditedFinding): Diagnostic {
  return {
    severity: 'error',
    code: `audit-${finding.rule}`,
    file: finding.file,
    ...(finding.line !== undefined && { line: finding.line }),
    message: `Hook \`${hook.name}\` does not run: ${finding.message}`,
    hint: finding.hint,
  };
}
