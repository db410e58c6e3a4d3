/** An audit in numbers. */
import type { HookAudit } from '../api/audit-hooks.ts';
import type { FindingSeverity } from '../guard/index.ts';

export interface AuditSummary {
  readonly hooks: number;
  /** Hooks in which nothing was found, whatever of them could not be looked into. */
  readonly clean: number;
  readonly keptOut: number;
  readonly findings: Readonly<Record<FindingSeverity, number>>;
  readonly unaudited: number;
  readonly waived: number;
}

export function summaryOf(audits: readonly HookAudit[]): AuditSummary {
  const all = audits.flatMap(({ findings }) => findings);
  const count = (wanted: FindingSeverity): number => all.filter(({ severity }) => severity === wanted).length;
  const sum = (of: (audit: HookAudit) => readonly unknown[]): number => audits.reduce((total, audit) => total + of(audit).length, 0);
  return {
    hooks: audits.length,
    clean: audits.filter(({ findings }) => findings.length === 0).length,
    keptOut: audits.filter(({ blocking }) => blocking.length > 0).length,
    findings: { catastrophic: count('catastrophic'), high: count('high'), medium: count('medium'), low: count('low') },
    unaudited: sum(({ unaudited }) => unaudited),
    waived: sum(({ waived }) => waived),
  };
}
