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
  special(matcher: FoundMatcher, facet: Facet, event: string, problems: Problems): SpecialTest | 'everything' | undefined;
  /** Returns the matcher as a regular expression. */
  pattern(source: string): string;
  /** Returns the regular expression together with the other names of the tools that it matches. */
  widen(pattern: string, facet: Facet): string;
  /** The only causes that an event of this agent has. An event that is not listed may have others. */
  readonly causes: Readonly<Record<string, readonly string[]>>;
  /** Warns of a regular expression that matches no tool. */
  warn(matcher: FoundMatcher, facet: Facet, problems: Problems): void;
}

export type SpecialTest = Pick<Condition, 'test'> & Partial<Pick<Condition, 'missing'>>;

/** Returns the conditions of a matcher; undefined if the matcher cannot be used, and then its hooks are not loaded. */
export function conditionsFor(
  event: string,
  matcher: FoundMatcher | undefined,
  { checkPattern }: Pick<LoadContext, 'checkPattern'>,
  terms: MatcherTerms,
  problems: Problems,
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
  if (special !== undefined) {
    if (special !== 'everything' && special.test.kind === 'oneOf') warnCause(matcher, event, special.test.values, terms, problems);
    return special === 'everything' ? [] : [{ facet, missing, ...special }];
  }
  const pattern = terms.pattern(matcher.source);
  if (!isUsable(matcher, checkPattern(pattern), problems)) return undefined;
  const said = problems.list.length;
  terms.warn(matcher, facet, problems);
  if (facet === 'tool' && problems.list.length === said) warnNeverFires(matcher, problems);
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
export function warnForeignMatcher({ source, at }: FoundMatcher, problems: Problems): void {
  const hint = isRule(source)
    ? 'Name only the tool, and let the hook look at its input.'
    : source.includes(',') && !/[[{(]/.test(source)
      ? `Write \`${source.split(/\s*,\s*/).join('|')}\`.`
      : undefined;
  if (hint === undefined) return;
  const message = `\`${source}\` is read as a regular expression that matches no name, so these hooks never run.`;
  problems.report('warning', 'matcher-never-fires', at, message, hint);
}

/**
 * Whether this is a permission rule such as `Bash(git *)` and not a regular expression with a group. `mcp__a__(get_.*)` and `Bash(.*)` are the
 * latter: without their wildcards the group has names alone.
 */
export function isRule(source: string): boolean {
  const [, inside] = /^\w+\((.+)\)$/.exec(source) ?? [];
  if (inside === undefined) return false;
  return (
    !/^[\w|?()-]*$/.test(inside.replace(/^\?:/, '').replace(/(?:\.|\\[wdS]|\[[^\]]*\])[*+?]?|\w[*+]/g, '')) || /:\*|[ /~]/.test(inside)
  );
}

/** Warns of words that are no cause of the event. A word with characters of a pattern is never a cause. */
function warnCause({ source, at }: FoundMatcher, event: string, words: readonly string[], terms: MatcherTerms, problems: Problems): void {
  if (terms.profile.events[event]?.facet !== 'cause') return;
  const known = terms.causes[event];
  if (words.some((word) => (known ? known.includes(word) : /^[\w-]+$/.test(word)))) return;
  const message = `\`${source}\` is no cause of \`${event}\`, so these hooks never run.`;
  const hint = known ? `Write one of ${known.join(', ')}, or leave \`matcher\` out.` : 'Write one word, or leave `matcher` out.';
  problems.report('warning', 'matcher-never-fires', at, message, hint);
}

/** Warns of a pattern that asks for a character that no tool has in its name, such as a space or a parenthesis. */
export function warnNeverFires({ source, at }: FoundMatcher, problems: Problems): void {
  // The cost grows with the square of the nesting, and no one writes so long a matcher by hand.
  if (source.length > MOST_READ) return;
  const dead = alternativesOf(source).filter((one) => isDead(one) || isRule(one));
  const [first] = dead;
  if (first === undefined) return;
  const message = `\`${cutTo(first)}\` matches the name of no tool, so ${dead.length === alternativesOf(source).length ? 'these hooks never run' : 'this part has no effect'}.`;
  problems.report('warning', 'matcher-never-fires', at, message, 'Name only tools, and let the hook look at their input.');
}

const MOST_READ = 1000;

function cutTo(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/** Matches one piece of a regular expression: an escape, a class, or a character; then its quantifier. Groups are found by hand. */
const PIECE = /(\\.|\[(?:\\.|[^\]\\])*\]|[\s\S])([*?]|\{0?,\d*\}|\{0\})?/y;
/** No tool has these in its name. */
const NO_NAME = /^(?:\\s|\\[()[\]{}*=&|]|[\s"'`=<>;&!])$/;

/** Returns the alternatives at the top of a regular expression. */
function alternativesOf(source: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const [piece] of source.matchAll(/\\.|\[(?:\\.|[^\]\\])*\]|[\s\S]/g)) {
    depth += piece === '(' ? 1 : piece === ')' ? -1 : 0;
    if (piece === '|' && depth === 0) parts.push('');
    else parts[parts.length - 1] += piece;
  }
  return parts;
}

/** Whether everything that this alternative matches contains a character that no name has. */
function isDead(alternative: string): boolean {
  for (let at = 0; at < alternative.length; ) {
    if (alternative[at] === '(') {
      const end = endOfGroup(alternative, at);
      const inner = alternative.slice(at + 1, end).replace(/^\?(?::|<\w+>|P<\w+>)/, '');
      const isOptional = /^(?:[*?]|\{0)/.test(alternative.slice(end + 1));
      if (!isOptional && !inner.startsWith('?') && alternativesOf(inner).every(isDead)) return true;
      at = end + 1;
      continue;
    }
    PIECE.lastIndex = at;
    const [whole = 'x', piece = '', quantifier] = PIECE.exec(alternative) ?? [];
    if (quantifier === undefined && NO_NAME.test(piece)) return true;
    at += whole.length;
  }
  return false;
}

function endOfGroup(source: string, start: number): number {
  let depth = 0;
  for (const match of source.slice(start).matchAll(/\\.|\[(?:\\.|[^\]\\])*\]|[\s\S]/g)) {
    depth += match[0] === '(' ? 1 : match[0] === ')' ? -1 : 0;
    if (depth === 0) return start + match.index;
  }
  return source.length;
}

/** Reports the problem of a matcher that cannot be used as a pattern. */
export function isUsable(matcher: FoundMatcher, problem: string | undefined, problems: Problems): boolean {
  if (problem === undefined) return true;
  const hint = 'Fix the regular expression, or leave `matcher` out to match everything.';
  problems.report('error', 'bad-pattern', matcher.at, `The matcher \`${matcher.source}\` cannot be used: ${problem}`, hint);
  return false;
}

/** Reports a matcher on an event that has nothing to match. */
export function reportIgnoredMatcher(event: string, at: Position, problems: Problems, severity: Severity = 'info'): void {
  const message = `\`${event}\` has nothing to match, so \`matcher\` is ignored and the hook always runs.`;
  problems.report(severity, 'matcher-ignored', at, message, 'Remove `matcher`.');
}
