/** The index of the rules and the texts of the path classes leave nothing out. */
import { expect, test } from 'vitest';
import { effect } from '../../../../src/guard/effects/effect.ts';
import { needleOf } from '../../../../src/guard/effects/files/needle.ts';
import { pathClasses, pathNeedles } from '../../../../src/guard/rules/compiled.ts';
import { allRules, rulesOn } from '../../../../src/guard/rules/rulebook.ts';

test('an effect is matched against every rule on it, whichever of its commands a rule names', () => {
  for (const rule of allRules()) {
    const names = [rule.match['command'] ?? 'any'].flat().map(String);
    for (const command of names) expect(rulesOn(effect(rule.match.effect, { command }))).toContain(rule);
  }
});

test('a rule that names its commands is not matched against others', () => {
  const [named] = allRules().filter(({ match: { command } }) => typeof command === 'string' && !command.includes('*'));
  expect(rulesOn(effect(named?.match.effect ?? '', { command: 'another' }))).not.toContain(named);
});

test('a name that every object has is no command with rules', () => {
  expect(rulesOn(effect('constructor', { command: 'toString' }))).toEqual([]);
});

test('every path that a class holds contains one of the texts that are searched first', () => {
  const globs = Object.values(pathClasses()).flatMap(({ is }) => is);
  expect(globs.length).toBeGreaterThan(100);
  for (const glob of globs)
    expect({ glob, found: pathNeedles().some((needle) => needleOf(glob).includes(needle)) }).toEqual({ glob, found: true });
});
