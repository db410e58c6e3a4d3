/**
 * Overrides: a person states, with a reason and an expiry date, that a rule does not apply to a command or a file. A locked rule has no
 * overrides. A finding that an override covers is still reported, together with the override.
 */
import { endOf, type GuardOverride } from '../core/contracts/guard-settings.ts';
import type { GuardFinding, GuardVerdict } from './guard.ts';
import { globMatches } from './rules/rule.ts';
import { allRules } from './rules/rulebook.ts';

export interface OverrideContext {
  readonly overrides: readonly GuardOverride[];
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly home: string;
}

/** Returns the verdict with every covered finding turned into no objection. */
export function withOverrides(verdict: GuardVerdict, context: OverrideContext): GuardVerdict {
  if (context.overrides.length === 0 || verdict.decision === 'none') return verdict;
  const findings = verdict.findings.map((finding): GuardFinding => {
    const covering = finding.decision === 'none' ? undefined : context.overrides.find((override) => covers(override, finding, context));
    return covering ? { ...finding, decision: 'none', override: { reason: covering.reason, expires: covering.expires } } : finding;
  });
  return { ...verdict, decision: worst(findings), findings };
}

export function worst(findings: readonly Pick<GuardFinding, 'decision'>[]): GuardVerdict['decision'] {
  return findings.some(({ decision }) => decision === 'deny')
    ? 'deny'
    : findings.some(({ decision }) => decision === 'ask')
      ? 'ask'
      : 'none';
}

/** Returns one sentence for each override that has no effect. */
export function overrideProblems(overrides: readonly GuardOverride[], now: number): readonly string[] {
  return overrides.flatMap((override) => {
    const { rule, expires, reason } = override;
    const known = allRules().find(({ id }) => id === rule);
    const end = endOf(override);
    if (known?.locked) return [`The override of ${rule} has no effect: the rule is locked.`];
    if (reason.trim() === '') return [`The override of ${rule} has no effect: it gives no reason.`];
    if (end === undefined) return [`The override of ${rule} has no effect: ${expires} is not an ISO date.`];
    return end <= now ? [`The override of ${rule} has no effect: it expired on ${expires}.`] : [];
  });
}

function covers(override: GuardOverride, finding: GuardFinding, { now, home }: OverrideContext): boolean {
  if (override.rule !== finding.rule || finding.locked || override.reason.trim() === '') return false;
  if ((endOf(override) ?? 0) <= now) return false;
  const { command, path } = override;
  // A file has a path and a command has a text, so a condition on one never matches the other.
  if (command !== undefined && (finding.path !== undefined || finding.text.endsWith('…') || !globMatches(command, finding.text)))
    return false;
  return (
    path === undefined ||
    (finding.path !== undefined &&
      globMatches(
        path.replace(/^~(?=\/|$)/, () => home),
        finding.path,
      ))
  );
}
