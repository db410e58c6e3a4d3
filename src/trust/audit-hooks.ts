/** Audits hooks, trusted or not, for `audit`, which shows all findings, and for `check`, which shows what follows from them. */
import type { Dialect } from '../core/contracts/dialect.ts';
import type { DescribeHandler } from '../core/contracts/handler.ts';
import type { Hook } from '../core/contracts/hook.ts';
import { isExpired, isMeant, type Waiver } from '../core/contracts/waiver.ts';
import type { Diagnostic } from '../core/values/diagnostic.ts';
import type { AuditedFinding, Coverage, Unaudited } from '../guard/index.ts';
import type { Memory } from '../load/memory.ts';
import type { AuditSettings } from '../load/settings/settings.ts';
import { auditVerdict, blockingDiagnostics, findingDiagnostic, type Leniency } from './audit-verdict.ts';
import { hookDigest, readOnce } from './hook-digest.ts';
import { auditTogether } from './remembered-audit.ts';

export interface HookAudit {
  readonly hook: Hook;
  /** The digest by which it is trusted and waived. It changes with the hook and its files. */
  readonly digest: string;
  readonly files: readonly string[];
  /** The files and folders that trust covers, and the parts that it does not cover. */
  readonly covers: Coverage;
  /** The findings that are not waived, worst first. */
  readonly findings: readonly AuditedFinding[];
  readonly unaudited: readonly Unaudited[];
  readonly waived: readonly { readonly finding: AuditedFinding; readonly waiver: Waiver }[];
  /** The findings that keep the hook from running. */
  readonly blocking: readonly AuditedFinding[];
  /** The blocking findings as errors. */
  readonly errors: readonly Diagnostic[];
}

/** The formats of the hooks, and what their handlers do. */
export interface AuditKnowledge {
  readonly dialects: readonly Dialect[];
  readonly describe: DescribeHandler;
  /** Where reports are kept for the next process. Undefined: each audit is made anew. */
  readonly memory?: Memory | undefined;
}

/** Audits each hook. Without `leniency` no finding is waived. */
export async function auditHooks(
  hooks: readonly Hook[],
  root: string,
  { dialects, describe, memory }: AuditKnowledge,
  leniency: Leniency = NONE,
  ignores: readonly string[] = [],
): Promise<readonly HookAudit[]> {
  const reports = await auditTogether(memory, hooks, (hook) => {
    const dialect = dialects.find(({ id }) => id === hook.dialect);
    return { describe, cwd: root, folder: dialect?.profile.load.auditFolder ?? false, ignores };
  });
  const read = readOnce();
  return reports.map((report, i): HookAudit => {
    const hook = hooks[i] as Hook;
    const digest = hookDigest(hook, report.files, root, read);
    const verdict = auditVerdict(hook, report.findings, leniency, () => digest);
    return {
      hook,
      digest,
      files: report.files,
      covers: report.covers,
      findings: verdict.standing,
      unaudited: report.unaudited,
      waived: verdict.waived,
      blocking: verdict.blocking,
      errors: blockingDiagnostics(hook, verdict),
    };
  });
}

export function leniencyOf(settings: AuditSettings | undefined): Leniency {
  return { allowSkip: settings?.allowSkip ?? false, waivers: settings?.waivers ?? [] };
}

/** Returns the findings of the audit as diagnostics. A finding that keeps a hook from running is an error. */
export async function auditFindings(
  hooks: readonly Hook[],
  root: string,
  known: AuditKnowledge,
  settings?: AuditSettings,
): Promise<readonly Diagnostic[]> {
  const audits = await auditHooks(hooks, root, known, leniencyOf(settings));
  return audits.flatMap(({ hook, findings, blocking, errors }) => {
    const lesser = findings.filter((finding) => !blocking.includes(finding));
    const lead = `Hook \`${hook.name}\``;
    return [...errors, ...lesser.map((finding) => findingDiagnostic(finding.severity === 'low' ? 'info' : 'warning', lead, finding))];
  });
}

/** Reports waivers without effect: expired, or for hooks that are not among these. */
export function idleWaivers(waivers: readonly Waiver[], audits: readonly HookAudit[]): readonly Diagnostic[] {
  const now = Date.now();
  return waivers.flatMap((waiver): Diagnostic[] => {
    const about = `The waiver for \`${waiver.hook}\` (${waiver.rules.join(', ')})`;
    if (isExpired(waiver, now))
      return [{ severity: 'warning', code: 'expired-waiver', message: `${about} expired (${waiver.expires}).`, hint: RENEW }];
    const meant = audits.filter(({ hook, digest }) =>
      isMeant({ id: hook.id, name: hook.name, formerName: hook.formerName, digest: () => digest }, waiver),
    );
    const used = meant.some(({ waived }) => waived.some((one) => one.waiver === waiver));
    if (used) return [];
    const why =
      meant.length > 0 ? 'matches no finding that can be waived' : 'matches no hook that was found, or the hook has changed since';
    return [{ severity: 'info', code: 'unused-waiver', message: `${about} ${why}.`, hint: 'Remove it unless another project needs it.' }];
  });
}

const NONE: Leniency = { allowSkip: false, waivers: [] };
const RENEW = 'Review the finding, then renew the waiver in your settings or remove it.';
