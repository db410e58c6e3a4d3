/** The rules, each parsed when an effect first needs it. An effect is matched only against the rules that can apply to it. */
import type { Effect } from '../effects/effect.ts';
import { RULE_TEXTS, rulePositions } from './compiled.ts';
import type { Rule } from './rule.ts';

const PARSED: Rule[] = [];

export function rulesOn({ kind, facts }: Effect): readonly Rule[] {
  const { command } = facts;
  const general = rulesUnder(kind);
  return typeof command === 'string' ? [...general, ...rulesUnder(`${kind} ${command}`)] : general;
}

export function allRules(): readonly Rule[] {
  return RULE_TEXTS.map((_, position) => ruleAt(position));
}

function rulesUnder(key: string): readonly Rule[] {
  const index = rulePositions();
  return Object.hasOwn(index, key) ? (index[key] ?? []).map(ruleAt) : [];
}

function ruleAt(position: number): Rule {
  PARSED[position] ??= JSON.parse(RULE_TEXTS[position] ?? '') as Rule;
  return PARSED[position];
}
