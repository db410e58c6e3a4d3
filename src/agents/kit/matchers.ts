/** Turns the matcher of a group into conditions: the frame that formats with `{matcher, hooks}` groups share. */
import type { LoadContext } from '../../core/contracts/dialect.ts';
import type { Condition } from '../../core/contracts/hook.ts';
import type { Facet } from '../../core/event/facet.ts';
import type { Profile } from '../../core/meaning/profile.ts';
import type { Position, Severity } from '../../core/values/diagnostic.ts';
import type { Problems } from '../../core/values/read-document.ts';
import type { FoundMatcher } from './matcher-groups.ts';

/** How a format reads its matchers. */
export interface MatcherTerms {
  readonly profile: Pick<Profile, 'events' | 'match'>;
  /** Whether this text means that every event matches. */
  isEverything(source: string): boolean;
  /** How loud a matcher on an event without a facet is. */
  readonly ignored: Severity;
  /** Returns the test for a matcher that the format does not read as a regular expression, and `everything` if it matches all. */
  special(matcher: FoundMatcher, facet: Facet, event: string, complaints: Problems): SpecialTest | 'everything' | undefined;
  /** Returns the matcher as a regular expression. */
  pattern(source: string): string;
  /** Returns the regular expression together with the other names of the tools that it matches. */
  widen(pattern: string, facet: Facet): string;
  /** Warns of a regular expression that matches no tool. */
  warn(matcher: FoundMatcher, facet: Facet, complaints: Problems): void;
}

export type SpecialTest = Pick<Condition, 'test'> & Partial<Pick<Condition, 'missing'>>;

/** Returns the conditions of a matcher; undefined if the matcher cannot be used, and then its hooks are not loaded. */
export function conditionsFor(
  event: string,
  matcher: FoundMatcher | undefined,
  { checkPattern }: Pick<LoadContext, 'checkPattern'>,
  terms: MatcherTerms,
  complaints: Problems,
): readonly Condition[] | undefined {
  if (!matcher || terms.isEverything(matcher.source)) return [];
  const { events, match } = terms.profile;
  const facet = events[event]?.facet ?? null;
  if (facet === null) {
    reportIgnoredMatcher(event, matcher.at, problems, terms.ignored);
    return [];
  }
  const missing = match.missingFacet;
  const special = terms.special(matcher, facet, event, problems);
  if (special !== undefined) return special === 'everything' ? [] : [{ facet, missing, ...special }];
  const pattern = terms.pattern(matcher.source);
  if (!isUsable(matcher, checkPattern(pattern), problems)) return undefined;
  terms.warn(matcher, facet, problems);
  return [{ facet, test: { kind: 'pattern', source: terms.widen(pattern, facet), anchor: match.anchor }, missing }];
}

/** Judges each matcher once: the handlers of a group share one, and its problems are reported once. */
export function onceFor<T>(judge: (matcher: FoundMatcher | undefined) => T): (matcher: FoundMatcher | undefined) => T {
  const judged = new Map<FoundMatcher | undefined, T>();
  return (matcher) => {
    if (!judged.has(matcher)) judged.set(matcher, judge(matcher));
    return judged.get(matcher) as T;
  };
}

/** Returns a test for one of these names. */
export function oneOf(names: readonly string[]): SpecialTest {
  return { test: { kind: 'oneOf', values: [...new Set(names)] } };
}

/** Warns of matchers that other agents understand: a permission rule, or names with commas between them. */
export function warnForeignMatcher({ source, at }: FoundMatcher, complaints: Problems): void {
  const hint = /^\w+\(.*\)$/.test(source)
    ? 'Name only the tool, and let the hook look at its input.'
    : source.includes(',') && !/[[{(]/.test(source)
      ? `Write \`${source.split(/\s*,\s*/).join('|')}\`.`
      : undefined;
  if (hint === undefined) return;
  const message = `\`${source}\` is read as a regular expression that matches no name, so these hooks never run.`;
  problems.report('warning', 'matcher-never-fires', at, message, hint);
}

/** Reports the problem of a matcher that cannot be used as a pattern. */
export function isUsable(matcher: FoundMatcher, problem: string | undefined, complaints: Problems): boolean {
  if (problem === undefined) return true;
  const hint = 'Fix the regular expression, or leave `matcher` out to match everything.';
  problems.report('error', 'bad-pattern', matcher.at, `The matcher \`${matcher.source}\` cannot be used: ${problem}`, hint);
  return false;
}

/** Reports a matcher on an event that has nothing to match. */
export function reportIgnoredMatcher(event: string, at: Position, complaints: Problems, severity: Severity = 'info'): void {
  const message = `\`${event}\` has nothing to match, so \`matcher\` is ignored and the hook always runs.`;
  problems.report(severity, 'matcher-ignored', at, message, 'Remove `matcher`.');
}
