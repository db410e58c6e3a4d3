import { describe, expect, test } from 'vitest';
import type { GuardOverride } from '../../../src/core/contracts/guard-settings.ts';
import type { GuardFinding, GuardVerdict } from '../../../src/guard/guard.ts';
import { overrideProblems, withOverrides } from '../../../src/guard/overrides.ts';
import { allRules } from '../../../src/guard/rules/rulebook.ts';
import { guardTool } from '../../../src/guard/tools/guard-tool.ts';

const NOW = Date.parse('2026-06-15T12:00:00Z');
const finding = (over: Partial<GuardFinding>): GuardFinding => ({
  rule: 'some-rule',
  severity: 'high',
  message: 'm',
  hint: 'h',
  text: 'tool --force x',
  decision: 'deny',
  ...over,
});
const verdict = (...findings: GuardFinding[]): GuardVerdict => ({
  decision: 'deny',
  preset: 'standard',
  complete: true,
  findings,
  commands: [],
});
const override = (over: Partial<GuardOverride> = {}): GuardOverride => ({
  rule: 'some-rule',
  reason: 'ours',
  expires: '2026-12-31',
  ...over,
});
const decide = (said: GuardVerdict, ...overrides: GuardOverride[]) =>
  withOverrides(said, { overrides, now: NOW, home: '/home/me' }).decision;

test('an override of the rule turns its findings to no objection, and they are still told with whose word it was', () => {
  const relaxed = withOverrides(verdict(finding({})), { overrides: [override()], now: NOW, home: '/h' });
  expect(relaxed.decision).toBe('none');
  expect(relaxed.findings).toEqual([finding({ decision: 'none', override: { reason: 'ours', expires: '2026-12-31' } })]);
});

test('what another rule says stays', () => {
  expect(decide(verdict(finding({}), finding({ rule: 'other' })), override())).toBe('deny');
  expect(decide(verdict(finding({}), finding({ rule: 'other', decision: 'ask' })), override())).toBe('ask');
});

test('a locked rule has no override', () => {
  expect(decide(verdict(finding({ locked: true })), override())).toBe('deny');
});

test('it ends: a day at its end, a moment at once', () => {
  expect(decide(verdict(finding({})), override({ expires: '2026-06-14' }))).toBe('deny');
  expect(decide(verdict(finding({})), override({ expires: '2026-06-15' }))).toBe('none');
  expect(decide(verdict(finding({})), override({ expires: '2026-06-15T12:00:00Z' }))).toBe('deny');
  for (const expires of ['', 'never', '31.12.2026', '2026-13-45', '9999'])
    expect(decide(verdict(finding({})), override({ expires })), expires).toBe('deny');
});

test('without a reason it does not count', () => {
  expect(decide(verdict(finding({})), override({ reason: ' ' }))).toBe('deny');
});

describe('its conditions', () => {
  test('a command is the offending command as a whole', () => {
    expect(decide(verdict(finding({})), override({ command: 'tool --force *' }))).toBe('none');
    expect(decide(verdict(finding({})), override({ command: 'tool' }))).toBe('deny');
    expect(decide(verdict(finding({}), finding({ text: 'tool --force y' })), override({ command: 'tool --force x' }))).toBe('deny');
  });

  test('a command that is not shown to its end is not matched', () => {
    expect(decide(verdict(finding({ text: 'tool --force x …' })), override({ command: 'tool *' }))).toBe('deny');
  });

  test('a path is where the file really is; it says nothing of commands', () => {
    const file = finding({ text: 'x', path: '/home/me/notes/a' });
    expect(decide(verdict(file), override({ path: '~/notes/*' }))).toBe('none');
    expect(decide(verdict(file), override({ path: '~/other/*' }))).toBe('deny');
    expect(decide(verdict(file), override({ command: '*' }))).toBe('deny');
    expect(decide(verdict(finding({})), override({ path: '*' }))).toBe('deny');
  });
});

test('what keeps an override from counting is said', () => {
  const locked = allRules().find((rule) => rule.locked)?.id ?? '';
  const problems = overrideProblems(
    [override({ expires: '2026-01-01' }), override({ rule: locked }), override(), override({ expires: 'x' })],
    NOW,
  );
  expect(problems).toEqual([
    expect.stringContaining('expired on 2026-01-01'),
    expect.stringContaining('locked'),
    expect.stringContaining('not an ISO date'),
  ]);
});

test('a tool is judged with the overrides it is given, and without them otherwise', () => {
  const use = (overrides: GuardOverride[]) => guardTool('Bash', {}, { overrides, now: NOW }).decision;
  expect(use([])).toBe('ask');
  expect(use([override({ rule: 'uncertain' })])).toBe('none');
});
