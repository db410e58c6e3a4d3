/** An answer is empty only where the outcome is: whatever one part of it says reaches the host. */
import { expect, test } from 'vitest';
import { sampleOutcomes } from '../../../src/api/testing/describe-host.ts';
import { HOSTS } from '../../../src/builtins.ts';
import type { Host } from '../../../src/core/contracts/host.ts';
import type { Outcome } from '../../../src/core/decision/outcome.ts';
import type { HookEvent } from '../../../src/core/event/event.ts';
import { createHostAnswerer, type FiringEngine, type HostAnswer } from '../../../src/engine/answer-host.ts';

const claudeCode = HOSTS.find(({ id }) => id === 'claude-code') as Host;
const CALL = { session_id: 's1', cwd: '/tmp', tool_use_id: 'u1', tool_name: 'Bash', tool_input: { command: 'ls' } };
const [pass] = sampleOutcomes('tool.before');

/** Answers one call with an outcome for which no hook was asked, but for the parts that are given. */
async function answerTo(more: Partial<Outcome>, name = 'PreToolUse'): Promise<{ answer: HostAnswer; recorded: Outcome[] }> {
  const recorded: Outcome[] = [];
  const kind = name === 'PreToolUse' ? 'tool.before' : 'tool.after';
  const event: HookEvent = { id: 'e1', kind, at: '', session: { id: 's1', cwd: '/tmp' }, data: { tool: 'Bash' } };
  const engine: FiringEngine = {
    diagnostics: [],
    receive: () => event,
    judge: () => ({ ...(pass as Outcome), kind, hooks: [], diagnostics: [], ...more }),
    record(_, outcome) {
      recorded.push(outcome);
      return outcome;
    },
  };
  const answer = await createHostAnswerer(engine, { hosts: [claudeCode] })('claude-code', { ...CALL, hook_event_name: name });
  return { answer, recorded };
}

const EMPTY = { stdout: '', stderr: '', exit: 0 };

test('an outcome in which nothing is said is no opinion, and is recorded as it is', async () => {
  const { answer, recorded } = await answerTo({});
  expect(answer).toEqual(EMPTY);
  expect(recorded).toMatchObject([{ decision: 'pass', diagnostics: [] }]);
});

test.each<[string, Partial<Outcome>, string]>([
  ['context', { context: ['Mind the gap.'] }, 'Mind the gap.'],
  ['a notice', { notices: ['Formatted.'] }, 'Formatted.'],
  ['a rewrite', { rewrite: { command: 'pwd' } }, 'pwd'],
  ['a halt', { halt: 'Enough.' }, 'Enough.'],
  ['a deny', { decision: 'deny', reason: 'Not today.' }, 'Not today.'],
  ['an allow', { decision: 'allow', reason: 'Fine.' }, 'allow'],
  ['quiet', { quiet: true }, 'suppressOutput'],
])('%s alone is said', async (_, more, text) => {
  expect((await answerTo(more)).answer.stdout).toContain(text);
});

test('a replaced result alone is said', async () => {
  expect((await answerTo({ replace: 'key: ***' }, 'PostToolUse')).answer.stdout).toContain('key: ***');
});

test('a warning alone is a line for people, and a piece of information is none', async () => {
  const said = async (severity: 'warning' | 'info') =>
    (await answerTo({ diagnostics: [{ severity, code: 'x', message: 'Something is odd.' }] })).answer;
  expect(await said('warning')).toMatchObject({ stderr: expect.stringContaining('Something is odd.'), exit: 0 });
  expect((await said('info')).stderr).toBe('');
});
