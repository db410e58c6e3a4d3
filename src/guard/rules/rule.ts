/**
 * The format of the rules. They are written in YAML and compiled into the package. A sheet can also define path classes and the syntax of
 * commands.
 */
import type { Effect, Facts } from '../effects/effect.ts';
import type { FindingSeverity } from '../findings.ts';

/** A class of paths: those that one of `is` matches and none of `not`. `~` is the home and `**` matches any number of folders. */
export interface PathGlobs {
  readonly is: readonly string[];
  readonly not: readonly string[];
}

/** How the words of a command are parsed. */
export interface CommandSyntax {
  /** Options that take the next word as their value. */
  readonly valued: readonly string[];
}

/** How an agent is started so that it asks no person, or without the settings of its user. */
export interface AgentStart {
  readonly title: string;
  readonly programs: readonly string[];
  /** Options, alone or with a value after a space. */
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, readonly string[]>>;
  /** Variables that move its settings, with the usual place. */
  readonly moves: Readonly<Record<string, string>>;
}

/**
 * Conditions on the facts of an effect. All keys must match. A list matches if one of its values does, and `*` in a text matches any text.
 */
export type Pattern = Readonly<Record<string, string | boolean | readonly string[]>>;

export interface Rule {
  /** Stable, kebab-case. */
  readonly id: string;
  readonly category: string;
  readonly severity: FindingSeverity;
  /** The severity in a hook's own command. `none`: hooks may do this. Default: `severity`. */
  readonly inHook?: FindingSeverity | 'none';
  /** Whether no configuration can relax the rule. */
  readonly locked?: boolean;
  /** The rule applies only if this pack is enabled. */
  readonly pack?: string;
  readonly match: Pattern & { readonly effect: string };
  /** Exceptions: if one of these matches, the rule does not apply. */
  readonly unless?: readonly Pattern[];
  /** The predicate of the sentence "This action …", in the third person. `{fact}` is replaced by the effect's fact. */
  readonly reason: string;
  readonly instead: string;
}

export function applies({ match, unless }: Pick<Rule, 'match' | 'unless'>, { kind, facts }: Effect): boolean {
  return match.effect === kind && holds(match, facts) && !unless?.some((exception) => holds(exception, facts));
}

function holds(pattern: Pattern, facts: Facts): boolean {
  for (const key in pattern) {
    if (key !== 'effect' && !meets(pattern[key] ?? false, Object.hasOwn(facts, key) ? (facts[key] ?? false) : false)) return false;
  }
  return true;
}

function meets(wanted: Pattern[string], fact: Facts[string]): boolean {
  if (typeof wanted === 'boolean') return wanted === (fact === true || (typeof fact !== 'boolean' && fact.length > 0));
  if (typeof fact === 'boolean') return false;
  if (typeof wanted !== 'string') return isOneOf(sortedOut(wanted), fact);
  if (typeof fact === 'string') return globMatches(wanted, fact);
  for (const one of fact) if (globMatches(wanted, one)) return true;
  return false;
}

/** A list of a pattern, with its plain texts apart from its globs, because every command is compared with hundreds of texts. */
interface SortedOut {
  readonly plain: ReadonlySet<string>;
  readonly globs: readonly string[];
}

const SORTED_OUT = new WeakMap<readonly string[], SortedOut>();

function sortedOut(wanted: readonly string[]): SortedOut {
  const known = SORTED_OUT.get(wanted);
  if (known !== undefined) return known;
  const made: SortedOut = {
    plain: new Set(wanted.filter((one) => !one.includes('*'))),
    globs: wanted.filter((one) => one.includes('*')),
  };
  SORTED_OUT.set(wanted, made);
  return made;
}

function isOneOf(wanted: SortedOut, fact: string | readonly string[]): boolean {
  if (typeof fact !== 'string') {
    for (const one of fact) if (isOneOf(wanted, one)) return true;
    return false;
  }
  if (wanted.plain.has(fact)) return true;
  for (const glob of wanted.globs) if (globMatches(glob, fact)) return true;
  return false;
}

/** Returns whether a glob matches a text. `*` matches any text. Each part is searched once from the left, so nothing backtracks. */
export function globMatches(glob: string, text: string): boolean {
  if (!glob.includes('*')) return glob === text;
  // Without a list of the parts, because every command is compared with many globs.
  let star = glob.indexOf('*');
  if (!text.startsWith(glob.slice(0, star))) return false;
  let at = star;
  for (let next = glob.indexOf('*', star + 1); next !== -1; next = glob.indexOf('*', star + 1)) {
    const found = text.indexOf(glob.slice(star + 1, next), at);
    if (found === -1) return false;
    at = found + next - star - 1;
    star = next;
  }
  const last = glob.slice(star + 1);
  return text.length - last.length >= at && text.endsWith(last);
}

/** Returns the reason with its facts filled in, without brackets that stay empty. */
export function reasonOf({ reason }: Pick<Rule, 'reason'>, { facts }: Effect): string {
  const told = reason.replace(/\{(\w+)\}/g, (_, key: string) => {
    const fact = Object.hasOwn(facts, key) ? facts[key] : undefined;
    const text = typeof fact === 'string' ? fact : Array.isArray(fact) ? fact.join(', ') : '';
    return text.length > 80 ? `${text.slice(0, 79)}…` : text;
  });
  return told.replaceAll(' ()', '');
}
