/** A hook that could not be loaded protects nobody: the person at the agent hears of it once in a session, and the answer stays what it is. */
import { expect, test } from 'vitest';
import { answererFor, createWorkspace, insideOf, type Workspace } from '../../support/workspace.ts';

const BROKEN = {
  '.agents/hooks/one/HOOK.md': '---\nname: one\ndescription: A gate.\ntrigger: no_such\n---\n',
  '.agents/hooks/one/scripts/run.sh': '#!/bin/sh\n',
  '.agents/hooks/two/HOOK.md': 'no frontmatter',
};
const payload = (event: string, session = 's1') =>
  JSON.stringify({ hook_event_name: event, session_id: session, cwd: '/tmp', tool_name: 'Bash', tool_input: { command: 'ls' } });

/** As by another process each time. */
async function ask(workspace: Workspace, host: string, text: string, hook?: { notice?: string; deny?: string }) {
  const hookline = await workspace.open();
  const { notice, deny } = hook ?? {};
  if (hook)
    hookline.on('tool.before', () => ({
      ...(notice !== undefined && { notice }),
      ...(deny !== undefined && { decision: 'deny', reason: deny }),
    }));
  const { stdout, stderr } = await answererFor(hookline, insideOf(hookline).answerContext)(host, text);
  return { said: stdout === '' ? undefined : JSON.parse(stdout), stderr };
}

test('as a notice where the agent shows one: how many, where the first is, and what shows them', async () => {
  const workspace = createWorkspace(BROKEN);
  const { said, stderr } = await ask(workspace, 'claude-code', payload('PreToolUse'));
  expect(said).toEqual({
    systemMessage: `Hookline: Not all hooks are in force: 2 errors, the first in ${workspace.at('.agents/hooks/one/HOOK.md')}:4. \`hookline check\` shows them.`,
  });
  expect(stderr).toBe('');
  expect((await ask(workspace, 'claude-code', payload('PreToolUse'))).said).toBeUndefined();
  expect((await ask(workspace, 'claude-code', payload('PreToolUse', 's2'))).said).toBeDefined();
});

test('a deny is said with it', async () => {
  const { said } = await ask(createWorkspace(BROKEN), 'claude-code', payload('PreToolUse'), { deny: 'not today' });
  expect(said).toMatchObject({ systemMessage: expect.stringContaining('2 errors'), hookSpecificOutput: { permissionDecision: 'deny' } });
});

test('a hook that has a notice of its own comes first, and the line follows with the next answer', async () => {
  const workspace = createWorkspace(BROKEN);
  expect((await ask(workspace, 'claude-code', payload('PreToolUse'), { notice: 'Mind the gap.' })).said).toEqual({
    systemMessage: 'Mind the gap.',
  });
  expect((await ask(workspace, 'claude-code', payload('PreToolUse'))).said.systemMessage).toContain('2 errors');
});

test('on stderr where the agent shows no notice, once as well', async () => {
  const workspace = createWorkspace(BROKEN);
  expect((await ask(workspace, 'kimi', payload('PreToolUse'))).stderr).toContain('2 errors');
  expect((await ask(workspace, 'kimi', payload('PreToolUse'))).stderr).toBe('');
});

test('where all is well nothing is said', async () => {
  expect(await ask(createWorkspace(), 'claude-code', payload('PreToolUse'))).toEqual({ said: undefined, stderr: '' });
});
