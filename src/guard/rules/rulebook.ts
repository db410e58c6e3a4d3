/** The rules, each parsed when an effect first needs it. An effect is matched only against the rules that can apply to it. */
import type { Effect } from '../effects/effect.ts';
import { rulePositions, ruleTexts } from './compiled.ts';
import type { Rule } from './rule.ts';

const PARSED: Rule[] = [];
const UNDER = new Map<string, readonly Rule[]>();
const NONE: readonly Rule[] = [];

export function rulesOn({ kind, facts }: Effect): readonly Rule[] {
  const { command } = facts;
  const general = rulesUnder(kind);
  const special = typeof command === 'string' ? rulesUnder(`${kind} ${command}`) : NONE;
  return special.length === 0 ? general : [...general, ...special];
}

export function allRules(): readonly Rule[] {
  return ruleTexts().map((_, position) => ruleAt(position));
}

function rulesUnder(key: string): readonly Rule[] {
  const known = UNDER.get(key);
  if (known !== undefined) return known;
  const index = rulePositions();
  // Only the keys of the index are kept, because a text can name any number of commands.
  if (!Object.hasOwn(index, key)) return NONE;
  const rules = (index[key] ?? []).map(ruleAt);
  UNDER.set(key, rules);
  return rules;
}

function ruleAt(position: number): Rule {
  PARSED[position] ??= JSON.parse(ruleTexts()[position] ?? '') as Rule;
  return PARSED[position];
}
