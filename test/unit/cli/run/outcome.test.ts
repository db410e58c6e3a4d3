import { expect, test } from 'vitest';
import type { Request } from '../../../../src/cli/input/fire-request.ts';
import { createStyle } from '../../../../src/cli/print/style.ts';
import { widthOf } from '../../../../src/cli/print/text.ts';
import { renderOutcome } from '../../../../src/cli/run/print-outcome.ts';
import type { HookReport, Outcome } from '../../../../src/core/decision/outcome.ts';

const style = createStyle({ colour: false, columns: 100 });
const request: Request = { kind: 'tool.before', data: { tool: 'Bash', input: { command: 'deploy --token hunter2hunter2' } }, context: {} };
const hook: HookReport = {
  id: 'skillkit:skills/guard/SKILL.md#0',
  name: 'guard',
  dialect: 'skillkit',
  event: 'PreToolUse',
  handler: 'command',
  source: { file: 'skills/guard/SKILL.md', line: 7, scope: 'project' },
  status: 'answered',
  decision: 'deny',
  reason: 'not on Fridays',
  ms: 12.3,
};
const outcome: Outcome = {
  id: 'o1',
  kind: 'tool.before',
  decision: 'deny',
  reason: 'not on Fridays',
  context: [],
  contextSources: [],
  notices: [],
  quiet: false,
  unmatched: 3,
  hooks: [hook],
  diagnostics: [],
};

test('one line says which hook denied, why, how long it took and where it stands', () => {
  const line = renderOutcome(outcome, request, style)
    .split('\n')
    .find((text) => text.includes('guard'));
  for (const part of ['✗', 'skillkit · PreToolUse', 'not on Fridays', '12 ms', 'skills/guard/SKILL.md:7']) expect(line).toContain(part);
});

test('what was fired is shown without its secrets', () => {
  const shown = renderOutcome(outcome, request, style);
  expect(shown).toContain('tool.before  Bash');
  expect(shown).toContain('deploy --token [redacted]');
  expect(shown).not.toContain('hunter2');
});

test('a rewrite is shown as before and after, and a changed secret as a change', () => {
  const before: Request = { ...request, data: { tool: 'Bash', input: { command: 'rm x', token: 'old-secret', keep: 1 } } };
  const shown = renderOutcome(
    { ...outcome, decision: 'allow', rewrite: { command: 'trash x', token: 'new-secret', keep: 1 } },
    before,
    style,
  );
  expect(shown).toContain('- command: rm x');
  expect(shown).toContain('+ command: trash x');
  expect(shown).toContain('+ token: [redacted]');
  expect(shown).not.toMatch(/[+-] keep|-secret/);
});

test('untrusted hooks come with what to do about them', () => {
  const { decision: _, reason: __, ms: ___, ...rest } = hook;
  const shown = renderOutcome(
    { ...outcome, decision: 'pass', reason: null, hooks: [{ ...rest, status: 'skipped', skip: 'untrusted' }] },
    request,
    style,
  );
  expect(shown).toContain('was not asked: untrusted');
  expect(shown).toContain('hookline trust add');
});

test('a hook can not repaint the terminal by anything it says', () => {
  const nasty = '\x1b[2J\x1b]0;owned\x07\r\u202eok';
  const shown = renderOutcome(
    {
      ...outcome,
      reason: nasty,
      context: [nasty],
      notices: [nasty],
      halt: nasty,
      hooks: [{ ...hook, name: nasty, event: nasty, reason: nasty }],
    },
    { ...request, data: { tool: nasty, input: { [nasty]: nasty } } },
    style,
  );
  expect(shown).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]/);
});

test('lines keep to the width of the terminal, however long the words', () => {
  const wordy = { ...hook, name: 'n'.repeat(80), reason: 'because '.repeat(80) };
  const shown = renderOutcome({ ...outcome, hooks: [wordy] }, request, style);
  for (const line of shown.split('\n')) expect(widthOf(line)).toBeLessThanOrEqual(100);
});
