/** Cursor reads the entries of Claude Code as well as its own: the hooks judge once, and no refusal is lost. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { HOSTS } from '../../../src/builtins.ts';
import type { Host } from '../../../src/core/contracts/host.ts';
import { carryOut, planInstall } from '../../../src/install/install.ts';
import { answererFor, createWorkspace, insideOf, type Workspace } from '../../support/workspace.ts';

const hostCalled = (id: string) => HOSTS.find((host) => host.id === id) as Host;

function install(workspace: Workspace, id: string): void {
  const { home, root } = workspace;
  const change = planInstall({
    host: hostCalled(id),
    scope: 'user',
    folders: { home, root },
    reach: { via: 'command', program: ['/opt/hookline-hook'] },
  });
  if ('problems' in change) throw new Error(JSON.stringify(change.problems));
  carryOut(change.files);
}

const call = (event: string, session = 'c1', more: object = {}) =>
  JSON.stringify({
    hook_event_name: event,
    cursor_version: '3',
    conversation_id: session,
    tool_name: 'Shell',
    tool_input: { command: 'ls' },
    tool_use_id: 'u1',
    ...more,
  });

/** Asks as two processes would, by the entry of this host; `judged` counts how often the hook was asked. */
async function asking(workspace: Workspace) {
  let judged = 0;
  const ask = async (entry: string, text: string): Promise<string> => {
    const hookline = await workspace.open();
    hookline.on('tool.before', () => {
      judged++;
      return { decision: 'deny', reason: 'not today' };
    });
    const { stdout, stderr, exit } = await answererFor(hookline, insideOf(hookline).answerContext)(entry, text, 'PreToolUse');
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
    return stdout.includes('not today') ? 'deny' : stdout === '{}' ? '' : stdout;
  };
  return { ask, count: () => judged };
}

test('the entry in its own file answers, the other one has no opinion once the first was called for that event', async () => {
  const workspace = createWorkspace();
  install(workspace, 'cursor');
  const { ask, count } = await asking(workspace);
  // Not known yet to be called: both answer.
  expect([await ask('claude-code', call('preToolUse')), await ask('cursor', call('preToolUse'))]).toEqual(['deny', 'deny']);
  const before = count();
  expect([await ask('claude-code', call('preToolUse')), await ask('cursor', call('preToolUse'))]).toEqual(['', 'deny']);
  expect(count() - before).toBe(1);
});

test('in another session, for another event, and without a session nothing is known of it: both answer', async () => {
  const workspace = createWorkspace();
  install(workspace, 'cursor');
  const { ask } = await asking(workspace);
  for (const entry of ['claude-code', 'cursor']) await ask(entry, call('preToolUse'));
  expect(await ask('claude-code', call('preToolUse', 'c2'))).toBe('deny');
  expect(await ask('claude-code', call('beforeMCPExecution'))).toBe('deny');
  const nameless = call('preToolUse', undefined, { conversation_id: undefined });
  for (const entry of ['cursor', 'claude-code']) expect(await ask(entry, nameless)).toBe('deny');
});

test('an entry that is gone, or that somebody gave a matcher, is not counted on', async () => {
  const workspace = createWorkspace();
  install(workspace, 'cursor');
  const { ask } = await asking(workspace);
  for (const entry of ['claude-code', 'cursor']) await ask(entry, call('preToolUse'));
  const file = readFileSync(workspace.at('~/.cursor/hooks.json'), 'utf8');
  const hooks = JSON.parse(file);
  hooks.hooks.preToolUse[0].matcher = 'Write';
  workspace.write({ '~/.cursor/hooks.json': JSON.stringify(hooks) });
  expect(await ask('claude-code', call('preToolUse'))).toBe('deny');
  workspace.remove('~/.cursor');
  expect(await ask('claude-code', call('preToolUse'))).toBe('deny');
  workspace.write({ '~/.cursor/hooks.json': file });
  expect(await ask('claude-code', call('preToolUse'))).toBe('');
});

test('Copilot calls the same event by another name there', async () => {
  const workspace = createWorkspace();
  install(workspace, 'copilot');
  let judged = 0;
  const ask = async (entry: string, payload: object, event: string): Promise<string> => {
    const hookline = await workspace.open();
    hookline.on('tool.before', () => {
      judged++;
      return { decision: 'deny', reason: 'not today' };
    });
    const answer = answererFor(hookline, insideOf(hookline).answerContext);
    return (await answer(entry, JSON.stringify(payload), event, { COPILOT_CLI: '1' })).stdout;
  };
  const own = { sessionId: 's1', timestamp: 1, cwd: '/tmp', toolName: 'bash', toolArgs: { command: 'ls' } };
  const foreign = { hook_event_name: 'PreToolUse', session_id: 's1', cwd: '/tmp', tool_name: 'Bash', tool_input: { command: 'ls' } };
  await ask('claude-code', foreign, 'PreToolUse');
  await ask('copilot', own, 'preToolUse');
  expect(await ask('claude-code', foreign, 'PreToolUse')).toBe('');
  expect(await ask('copilot', own, 'preToolUse')).toContain('not today');
  expect(judged).toBe(3);
});
