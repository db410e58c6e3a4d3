/** The index of the rules and the texts of the path classes leave nothing out. */
import { expect, test } from 'vitest';
import { effect } from '../../../../src/guard/effects/effect.ts';
import { needleOf } from '../../../../src/guard/effects/files/needle.ts';
import { pathClasses } from '../../../../src/guard/rules/compiled.ts';
import { classesNeeding } from '../../../../src/guard/rules/needles.ts';
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

test('a class can apply to every path that has the text one of its globs needs', () => {
  const globs = Object.entries(pathClasses()).flatMap(([name, { is }]) => is.map((glob) => [name, glob] as const));
  expect(globs.length).toBeGreaterThan(100);
  for (const [name, glob] of globs)
    for (const path of [needleOf(glob), `/x/${needleOf(glob)}/y`, `/home/me/x${needleOf(glob)}`])
      expect({ glob, found: classesNeeding(path).includes(name) }).toEqual({ glob, found: true });
});

test('no class can apply to a path without such a text', () => {
  expect(classesNeeding('/x/lib/parser/index.html')).toEqual([]);
});
