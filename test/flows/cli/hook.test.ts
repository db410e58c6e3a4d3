/** `hookline hook`: a process that an agent starts for an event, with nothing but the answer on its streams. */
import { expect, test } from 'vitest';
import { createWorkspace, type Workspace } from '../../support/workspace.ts';
import { type Ended, hookline, skill } from './program.ts';

const CALL = { session_id: 's1', cwd: '/tmp', turn_id: 't1', tool_use_id: 'u1', tool_name: 'Bash', tool_input: { command: 'ls' } };

function hook(workspace: Workspace, argv: readonly string[], payload: unknown, env?: Readonly<Record<string, string>>): Promise<Ended> {
  const stdin = typeof payload === 'string' ? payload : JSON.stringify(payload);
  return hookline(workspace, ['hook', ...argv], { stdin, ...(env && { env }) });
}

test('without an objection it is silent', async () => {
  const ended = await hook(createWorkspace(), ['codex'], { ...CALL, hook_event_name: 'PreToolUse' });
  expect(ended).toEqual({ exit: 0, stdout: '', stderr: '' });
});

test('a deny is in the words of the agent, with its exit code', async () => {
  const workspace = createWorkspace(skill('echo Not here. && exit 2'));
  const call = { session_id: 's1', tool_name: 'Bash', tool_input: { command: 'ls' }, hook_event_name: 'PreToolUse' };
  const { exit, stdout } = await hook(workspace, ['claude-code', '--trust-all'], call);
  expect({ exit, said: JSON.parse(stdout) }).toEqual({
    exit: 0,
    said: { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: 'Not here.' } },
  });
  const byExit = await hook(workspace, ['codex', '--trust-all'], { ...CALL, hook_event_name: 'PreToolUse' });
  expect(byExit).toEqual({ exit: 2, stdout: '', stderr: 'Not here.' });
});

test('the log is opened while a hook works, and not after it', async () => {
  const store = '"$HOME/.local/state/hookline/hookline.db"';
  // Only the timeout of the hook ends it otherwise.
  const workspace = createWorkspace(skill(`until [ -s ${store} ]; do sleep 0.05; done; echo Seen. && exit 2`));
  const ended = await hook(workspace, ['codex', '--trust-all'], { ...CALL, hook_event_name: 'PreToolUse' });
  expect(ended).toEqual({ exit: 2, stdout: '', stderr: 'Seen.' });
});

test('the project is the one that the agent names, also where it works further down', async () => {
  const workspace = createWorkspace({ ...skill('echo Not here. && exit 2'), 'src/deep/a.txt': '' });
  const deep = { ...workspace, root: workspace.at('src/deep') };
  const event = { ...CALL, hook_event_name: 'PreToolUse' };
  const named = { CLAUDE_PROJECT_DIR: workspace.root };
  expect((await hook(deep, ['claude-code', '--trust-all'], event)).stdout).toBe('');
  expect((await hook(deep, ['claude-code', '--trust-all'], event, named)).stdout).toContain('Not here.');
  // A variable of another agent is inherited, and does not move the project.
  expect((await hook(deep, ['codex', '--trust-all'], event, named)).stderr).toBe('');
  workspace.write({ '.git/HEAD': '' });
  expect((await hook(deep, ['codex', '--trust-all'], event)).stderr).toContain('Not here.');
});

test.each([
  ['a host that does not exist', ['codx']],
  ['an option that does not exist', ['codex', '--strickt']],
  ['a project that does not exist', ['codex', '--root', '/nowhere/at/all']],
  ['a store that can not be used', ['codex', '--store', 'ftp://nowhere']],
])('%s is no consent', async (_, argv) => {
  const ended = await hook(createWorkspace(), argv, { ...CALL, hook_event_name: 'PreToolUse' });
  expect(ended.exit === 2 || ended.stdout.includes('"deny"')).toBe(true);
});

test('a mistake in the entry does not keep an agent from stopping', async () => {
  const ended = await hook(createWorkspace(), ['codex', '--strickt'], { session_id: 's1', turn_id: 't1', hook_event_name: 'Stop' });
  expect(ended).toMatchObject({ exit: 0, stderr: expect.stringContaining('--strict') });
});

test('without a word it is for people, and wrong usage', async () => {
  const ended = await hookline(createWorkspace(), ['hook', 'codex'], { terminal: true });
  expect(ended.exit).toBe(64);
});
