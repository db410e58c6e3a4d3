/** Callers that name no session share none: what one process has noted of it says nothing about another's. */
import { expect, test } from 'vitest';
import { answererFor, createWorkspace, insideOf } from '../../support/workspace.ts';

const BROKEN = { '.agents/hooks/one/HOOK.md': 'no frontmatter' };
const payload = (session: string | undefined, event = 'PreToolUse') => ({
  ...{ hook_event_name: event, cwd: '/tmp', tool_name: 'Bash', tool_input: { command: 'ls' } },
  ...(session !== undefined && { session_id: session }),
});

test.each([
  ['s1', [true, false]],
  [undefined, [true, true]],
])('in session %s an error in a hook file is reported by two processes as %j', async (session, expected) => {
  const workspace = createWorkspace(BROKEN);
  const told: boolean[] = [];
  for (let process = 0; process < 2; process++) {
    const hookline = await workspace.open();
    const { stdout } = await answererFor(hookline, insideOf(hookline).answerContext)('claude-code', payload(session));
    told.push(stdout.includes('1 error'));
  }
  expect(told).toEqual(expected);
});

test.each([
  ['s1', true],
  [undefined, false],
])('in session %s a call that one process denied, and that another one hears of as run, is an alarm: %s', async (session, isAlarm) => {
  const workspace = createWorkspace();
  const open = () => workspace.open({ store: `sqlite:${workspace.at('~/log.db')}` });
  const first = await open();
  first.on('tool.before', () => ({ decision: 'deny', reason: 'not today' }));
  expect((await answererFor(first)('claude-code', payload(session))).stdout).toContain('not today');
  const ran = { ...payload(session, 'PostToolUse'), tool_response: { stdout: '' } };
  const { stderr } = await answererFor(await open())('claude-code', ran);
  expect(stderr.includes('reports that it ran')).toBe(isAlarm);
});
