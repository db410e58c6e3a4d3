/** `hookline pause`: only a person can, everything says so while it lasts, it is logged, and it ends by itself. */
import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { LONGEST_PAUSE_MS, pauseFile, readPause, writePause } from '../../../src/stores/pause.ts';
import { createWorkspace, type Workspace } from '../../support/workspace.ts';
import { hookline, WITHOUT_PERSON } from './program.ts';

const EVENT = '{"hook_event_name":"PreToolUse","session_id":"s","cwd":"/","tool_name":"Bash","tool_input":{"command":"ls"}}';
const stateOf = (workspace: Workspace): string => workspace.at('~/.local/state');

function gated(): Workspace {
  return createWorkspace({
    '~/.config/agents/hooks/gate/HOOK.md': '---\nname: gate\ndescription: A gate.\ntrigger: before_tool\n---\n',
    '~/.config/agents/hooks/gate/scripts/run.sh': '#!/bin/sh\necho "not today" >&2\nexit 2\n',
  });
}

const ask = (workspace: Workspace) => hookline(workspace, ['hook', 'claude-code'], { stdin: EVENT });

test.skipIf(WITHOUT_PERSON)('a person pauses at a terminal: no gate denies, every answer says so, and the log shows it', async () => {
  const workspace = gated();
  expect((await ask(workspace)).stdout + (await ask(workspace)).stderr).toContain('not today');
  const paused = await hookline(workspace, ['pause', '--for', '5m', '--reason', 'the gate is broken'], { terminal: true, stdin: 'y\n' });
  expect(paused).toMatchObject({ exit: 0 });
  expect(paused.stdout).toContain('the gate is broken');
  const { stdout, stderr, exit } = await ask(workspace);
  expect(exit).toBe(0);
  expect(stdout + stderr).not.toContain('not today');
  expect(stdout + stderr).toContain('Hookline is paused until');
  expect((await hookline(workspace, ['list'])).stdout).toContain('Hookline is paused until');
  expect(await hookline(workspace, ['doctor'])).toMatchObject({ exit: 1, stdout: expect.stringContaining('Hookline is paused until') });
  expect((await hookline(workspace, ['pause', 'status'])).exit).toBe(1);
  const log = (await hookline(workspace, ['log', '--json'])).stdout;
  expect(log).toContain('A pause was started by');
  expect(log).toContain('Hookline is paused');
  expect((await hookline(workspace, ['pause', 'end'])).exit).toBe(0);
  expect((await ask(workspace)).stdout + (await ask(workspace)).stderr).toContain('not today');
  expect((await hookline(workspace, ['log', '--json'])).stdout).toContain('A pause was ended by');
});

test.each([
  ['without a terminal', {}],
  ['by an agent, even at a terminal', { terminal: true, env: { CLAUDECODE: '1' } }],
  ['by a hook, even at a terminal', { terminal: true, env: { HOOKLINE_DEPTH: '1' } }],
])('nobody pauses %s', async (_, options) => {
  const workspace = createWorkspace();
  expect((await hookline(workspace, ['pause'], { stdin: 'y\n', ...options })).exit).toBe(1);
  expect(existsSync(pauseFile(stateOf(workspace)))).toBe(false);
});

test('a person who does not confirm, or wants more than an hour, gets no pause', async () => {
  const workspace = createWorkspace();
  expect((await hookline(workspace, ['pause'], { terminal: true, stdin: 'n\n' })).exit).toBe(1);
  expect((await hookline(workspace, ['pause', '--for', '2h'], { terminal: true, stdin: 'y\n' })).exit).toBe(64);
  expect(existsSync(pauseFile(stateOf(workspace)))).toBe(false);
});

test('it opens an agent that a required hook locks out', async () => {
  const workspace = createWorkspace({ '~/.config/hookline/settings.json': '{"required": ["absent"]}' });
  expect((await ask(workspace)).stdout + (await ask(workspace)).stderr).toContain('absent');
  writePause(stateOf(workspace), { at: Date.now(), until: Date.now() + 60_000, by: 'ann', reason: '' });
  const { stdout, exit } = await ask(workspace);
  expect([exit, stdout.includes('deny')]).toEqual([0, false]);
});

describe('the file', () => {
  const pause = { at: 1000, until: 2000, by: 'ann', reason: '' };
  test('ends by itself', () => {
    const folder = createWorkspace().root;
    writePause(folder, pause);
    expect([readPause(folder, 999), readPause(folder, 1500), readPause(folder, 2000)]).toEqual([undefined, pause, undefined]);
  });
  test('counts for an hour at most, whatever it says', () => {
    const folder = createWorkspace().root;
    writePause(folder, { ...pause, until: 1001 + LONGEST_PAUSE_MS });
    expect(readPause(folder, 1500)).toBe(undefined);
  });
});

test('functions of a program and managed hooks are asked in a pause', async () => {
  const workspace = gated();
  workspace.write({
    'managed/managed/HOOK.md': '---\nname: managed\ndescription: A gate.\ntrigger: before_tool\n---\n',
    'managed/managed/scripts/run.sh': '#!/bin/sh\necho "by policy" >&2\nexit 2\n',
    'policy.json': JSON.stringify({ hooks: [workspace.at('managed')] }),
  });
  writePause(stateOf(workspace), { at: Date.now(), until: Date.now() + 600_000, by: 'ann', reason: '' });
  const managed = await workspace.open({ policy: workspace.at('policy.json') });
  const outcome = await managed.fire('tool.before', { tool: 'Bash', input: { command: 'ls' } });
  expect([outcome.decision, outcome.reason]).toEqual(['deny', expect.stringContaining('by policy')]);
  expect(outcome.hooks.find(({ name }) => name === 'gate')).toMatchObject({ status: 'skipped', skip: 'Hookline is paused' });
  const own = await workspace.open();
  own.on('tool.before', () => ({ decision: 'deny', reason: 'by the program' }));
  expect(await own.fire('tool.before', { tool: 'Bash', input: { command: 'ls' } })).toMatchObject({
    decision: 'deny',
    reason: 'by the program',
  });
});
