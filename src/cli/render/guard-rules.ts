/** The rules of the guard as a list, by category. */
import type { Rule } from '../../guard/rules/rule.ts';
import type { Style } from './style.ts';
import { block, pad, plural } from './text.ts';

export function renderRules(rules: readonly Rule[], style: Style): string {
  const categories = [...new Set(rules.map(({ category, pack }) => titleOf(category, pack)))].sort();
  const wide = Math.max(10, ...rules.map(({ id }) => id.length));
  const sections = categories.map((title) => {
    const own = rules.filter(({ category, pack }) => titleOf(category, pack) === title);
    return `${style.bold(title)}\n${own.map((rule) => line(rule, wide, style)).join('\n')}\n`;
  });
  return `${sections.join('\n')}\n${style.bold(plural(rules.length, 'rule'))}\n`;
}

function titleOf(category: string, pack: string | undefined): string {
  return pack === undefined ? category : `${category} (pack ${pack})`;
}

function line({ id, severity, locked, reason }: Rule, wide: number, style: Style): string {
  const paint = severity === 'catastrophic' || severity === 'high' ? style.red : severity === 'medium' ? style.yellow : style.dim;
  const indent = ' '.repeat(wide + 18);
  return `  ${pad(id, wide)}  ${paint(pad(locked ? `${severity} !` : severity, 14))}${block(reason, indent, style.columns).trimStart()}`;
}
