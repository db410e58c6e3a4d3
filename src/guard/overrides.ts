/**
 * Overrides: somebody's word that a rule does not count for a command or a file, with a reason and an end. A locked rule has none. What an
 * override takes away is still told, with whose word it was; what is wrong with one is said.
 */
import { endOf, type GuardOverride } from '../core/contracts/guard-settings.ts';
import type { GuardFinding, GuardVerdict } from './guard.ts';
import { RULES } from './rules/compiled.ts';
import { globMatches } from './rules/rule.ts';

export interface OverrideContext {
  readonly overrides: readonly GuardOverride[];
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly home: string;
}

/** The verdict with every finding that an override covers turned to no objection. */
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

/** What keeps overrides from counting, one sentence each. */
export function overrideProblems(overrides: readonly GuardOverride[], now: number): readonly string[] {
  return overrides.flatMap((override) => {
    const { rule, expires, reason } = override;
    const known = RULES.find(({ id }) => id === rule);
    const end = endOf(override);
    if (known?.locked) return [`The override of ${rule} does not count: the rule is locked.`];
    if (reason.trim() === '') return [`The override of ${rule} does not count: it gives no reason.`];
    if (end === undefined) return [`The override of ${rule} does not count: ${expires} is no ISO date.`];
    return end <= now ? [`The override of ${rule} does not count any more: it expired on ${expires}.`] : [];
  });
}

function covers(override: GuardOverride, finding: GuardFinding, { now, home }: OverrideContext): boolean {
  if (override.rule !== finding.rule || finding.locked || override.reason.trim() === '') return false;
  if ((endOf(override) ?? 0) <= now) return false;
  const { command, path } = override;
  // A file is named by its path and a command by its words: a condition on the one says nothing of the other.
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
