/** What a sheet of rules may hold beside rules. */
import type { Effect, Facts } from '../effects/effect.ts';
import type { FindingSeverity } from '../findings.ts';

/** A class of paths: those that one of `is` matches and none of `not`. `~` is the home, `**` any number of folders. */
export interface PathGlobs {
  readonly is: readonly string[];
  readonly not: readonly string[];
}

/** How a command's words are read. */
export interface CommandSyntax {
  /** Options whose value is the next word. */
  readonly valued: readonly string[];
}

/** A rule, as plain data: which effects it is about, how bad they are, and what to say. Written in YAML, compiled into the package. */

/** All keys must hold. A list holds if one of its values does; `*` in a text stands for any text. */
export type Pattern = Readonly<Record<string, string | boolean | readonly string[]>>;

export interface Rule {
  /** Stable, kebab-case. */
  readonly id: string;
  readonly category: string;
  readonly severity: FindingSeverity;
  /** How bad it is in a hook's own command; `none`: hooks may do this. The same as `severity` if it is left out. */
  readonly inHook?: FindingSeverity | 'none';
  /** No configuration may relax it. */
  readonly locked?: boolean;
  /** Counts only where this pack is switched on. */
  readonly pack?: string;
  readonly match: Pattern & { readonly effect: string };
  /** Where one of these holds, the rule does not. */
  readonly unless?: readonly Pattern[];
  /** `{fact}` stands for the effect's fact. */
  readonly reason: string;
  readonly instead: string;
}

export function applies({ match, unless }: Rule, { kind, facts }: Effect): boolean {
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
  if (typeof wanted !== 'string') return wanted.some((one) => meets(one, fact));
  if (typeof fact === 'boolean') return false;
  return typeof fact === 'string' ? globMatches(wanted, fact) : fact.some((one) => globMatches(wanted, one));
}

/** `*` is any text, without backtracking into more than one star at a time. */
export function globMatches(glob: string, text: string): boolean {
  if (!glob.includes('*')) return glob === text;
  const [first = '', ...parts] = glob.split('*');
  if (!text.startsWith(first)) return false;
  const last = parts.pop() ?? '';
  let at = first.length;
  for (const part of parts) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}

/** The reason with its facts filled in; brackets that stay empty are left out. */
export function reasonOf({ reason }: Rule, { facts }: Effect): string {
  const told = reason.replace(/\{(\w+)\}/g, (_, key: string) => {
    const fact = Object.hasOwn(facts, key) ? facts[key] : undefined;
    const text = typeof fact === 'string' ? fact : Array.isArray(fact) ? fact.join(', ') : '';
    return text.length > 80 ? `${text.slice(0, 79)}…` : text;
  });
  return told.replaceAll(' ()', '');
}
