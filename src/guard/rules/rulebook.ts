/** An index of the rules, so that an effect is matched only against the rules that can apply to it. */
import type { Effect } from '../effects/effect.ts';
import { RULES } from './compiled.ts';
import type { Rule } from './rule.ts';

const BOOK = new Map<string, Rule[]>();
for (const rule of RULES) for (const key of keysOf(rule)) addToIndex(key, rule);

export function rulesOn({ kind, facts }: Effect): readonly Rule[] {
  const { command } = facts;
  const named = typeof command === 'string' ? BOOK.get(`${kind} ${command}`) : undefined;
  const general = BOOK.get(kind);
  return named === undefined ? (general ?? []) : general === undefined ? named : [...general, ...named];
}

/** Returns the keys of a rule: the names of its commands, or otherwise its effect. */
function keysOf({ match }: Rule): readonly string[] {
  const { effect, command } = match;
  const names = typeof command === 'string' ? [command] : Array.isArray(command) ? command : [];
  return names.length === 0 || names.some((name) => name.includes('*')) ? [effect] : names.map((name) => `${effect} ${name}`);
}

function addToIndex(key: string, rule: Rule): void {
  const page = BOOK.get(key);
  if (page === undefined) BOOK.set(key, [rule]);
  else page.push(rule);
}
