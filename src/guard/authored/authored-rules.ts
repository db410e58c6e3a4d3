/** The rules of settings, by the effect that they are about. They apply to the actions of agents, and not to the commands of hooks. */
import type { AuthoredRule } from '../../core/contracts/guard-settings.ts';
import type { Effect } from '../effects/effect.ts';
import type { Violation } from '../findings.ts';
import { applies, reasonOf } from '../rules/rule.ts';
import { printable } from '../shell/marks.ts';

/** One list serves many calls, so it is sorted once. */
const SORTED = new WeakMap<readonly AuthoredRule[], ReadonlyMap<string, readonly AuthoredRule[]>>();

export function authoredOn(rules: readonly AuthoredRule[] | undefined, kind: string): readonly AuthoredRule[] {
  if (rules === undefined || rules.length === 0) return [];
  let sorted = SORTED.get(rules);
  if (sorted === undefined) {
    const kinds = new Set(rules.map(({ match }) => match.effect));
    sorted = new Map([...kinds].map((one) => [one, rules.filter(({ match }) => match.effect === one)]));
    SORTED.set(rules, sorted);
  }
  return sorted.get(kind) ?? [];
}

/** Returns the rules of settings that apply to one effect. */
export function authoredViolations(rules: readonly AuthoredRule[] | undefined, seen: Effect): readonly Violation[] {
  return authoredOn(rules, seen.kind)
    .filter((rule) => applies(rule, seen))
    .map(({ id, severity, reason, instead, locked }) => ({
      ...{ rule: id, severity, message: printable(reasonOf({ reason }, seen)), hint: instead, category: 'own' },
      ...(locked && { locked }),
    }));
}
