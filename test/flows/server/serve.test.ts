/** `hookline serve` and its client as installed: the same answers as without, from hooks that are always the ones on disk. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { POLL } from '../../support/patience.ts';
import { createWorkspace } from '../../support/workspace.ts';
import { eventually, hookline } from '../cli/program.ts';
import { client, events, filesOf, said, serving, stopLater } from './serving.ts';

const EVENT = '{"hook_event_name":"PreToolUse","session_id":"s","cwd":"/","tool_name":"Bash","tool_input":{"command":"ls"}}';
const denying = (reason: string) => `#!/bin/sh\necho "${reason}" >&2\nexit 2\n`;
const hook = { '~/.config/agents/hooks/gate/HOOK.md': '---\nname: gate\ndescription: A gate.\ntrigger: before_tool\n---\n' };

test('the client of a running server says what the command says', async () => {
  const workspace = createWorkspace({ ...hook, '~/.config/agents/hooks/gate/scripts/run.sh': denying('not today') });
  const endpoint = await serving(workspace);
  const direct = await hookline(workspace, ['hook', 'claude-code', 'PreToolUse'], { stdin: EVENT });
  expect(`${direct.stdout}${direct.stderr}`).toContain('not today');
  expect(await client(workspace, EVENT)).toEqual(direct);
  expect(await events(workspace)).toBe(1);
  expect(await client(workspace, 'no json')).toEqual(
    await hookline(workspace, ['hook', 'claude-code', 'PreToolUse'], { stdin: 'no json' }),
  );
  expect(endpoint.pid).not.toBe(process.pid);
});

test('a hook that changes, and settings that change, count at once', async () => {
  const workspace = createWorkspace({ ...hook, '~/.config/agents/hooks/gate/scripts/run.sh': denying('first') });
  await serving(workspace);
  expect(said(await client(workspace, EVENT))).toContain('first');
  workspace.write({ '~/.config/agents/hooks/gate/scripts/run.sh': denying('second') });
  expect(said(await client(workspace, EVENT))).toContain('second');
  workspace.write({ '~/.config/hookline/settings.json': '{"dialects": ["arawn"]}' });
  await expect.poll(async () => said(await client(workspace, EVENT)), POLL).not.toContain('second');
  workspace.remove('~/.config/hookline/settings.json');
  workspace.remove('~/.config/agents/hooks/gate');
  await expect.poll(async () => said(await client(workspace, EVENT)), POLL).not.toContain('second');
});

test('where the user wants it, the first event starts a server for the next ones', async () => {
  const workspace = createWorkspace({ ...hook, '~/.config/agents/hooks/gate/scripts/run.sh': denying('no') });
  const { endpoint: file } = filesOf(workspace);
  expect(said(await client(workspace, EVENT))).toContain('no');
  expect(existsSync(file)).toBe(false);
  expect((await hookline(workspace, ['serve', 'auto'])).exit).toBe(0);
  stopLater(workspace);
  expect(said(await client(workspace, EVENT))).toContain('no');
  expect(await eventually(() => existsSync(file))).toBe(true);
  expect(said(await client(workspace, EVENT))).toContain('no');
  expect(await events(workspace)).toBe(1);
  expect((await hookline(workspace, ['serve', 'manual'])).exit).toBe(0);
  expect((await hookline(workspace, ['serve', 'stop'])).exit).toBe(0);
  expect(await eventually(() => !existsSync(file))).toBe(true);
  expect((await hookline(workspace, ['serve', 'status'])).exit).toBe(1);
});

test('a server that is killed is replaced, and no event goes without an answer', async () => {
  const workspace = createWorkspace({ ...hook, '~/.config/agents/hooks/gate/scripts/run.sh': denying('no') });
  const { pid } = await serving(workspace);
  process.kill(pid, 'SIGKILL');
  expect(said(await client(workspace, EVENT))).toContain('no');
  expect((await serving(workspace)).pid).not.toBe(pid);
  expect(said(await client(workspace, EVENT))).toContain('no');
  expect(await events(workspace)).toBe(1);
});

test('a second server, a bad option and an unknown word are refused', async () => {
  const workspace = createWorkspace();
  await serving(workspace);
  expect(await hookline(workspace, ['serve'])).toMatchObject({ exit: 1, stdout: expect.stringContaining('already') });
  expect((await hookline(workspace, ['serve', '--port', 'x'])).exit).toBe(64);
  expect(await hookline(workspace, ['serve', 'stpo'])).toMatchObject({ exit: 64, stderr: expect.stringContaining('hookline serve stop') });
});

test('a hook sees the environment of whoever calls, by bash, by curl and without the server alike', async () => {
  const tell = 'echo "$PATH|$VIRTUAL_ENV|$CLAUDE_PLUGIN_ROOT|$ANY_NAME|<$DEPLOY_TOKEN>|$ODD" >&2; exit 2';
  const settings = { hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: tell }] }] } };
  const workspace = createWorkspace({ '~/.claude/settings.json': JSON.stringify(settings) });
  await serving(workspace);
  const PATH = `/of/the/caller:${process.env['PATH']}`;
  const env = { PATH, VIRTUAL_ENV: '/venv', CLAUDE_PLUGIN_ROOT: '/plugin', ANY_NAME: 'é', DEPLOY_TOKEN: 'secret', ODD: 'a\nb&c' };
  const ways = { bash: {}, curl: { HOOKLINE_HOOK_BASH: 'no' }, node: { HOOKLINE_SERVE: 'off' } };
  const answers = [];
  for (const way of Object.values(ways)) answers.push(await client(workspace, EVENT, { ...env, ...way }, ['codex', 'PreToolUse']));
  expect(answers[0]?.stderr).toContain(`${PATH}|/venv|/plugin|é|<>|a\nb&c`);
  expect([answers[1], answers[2]]).toEqual([answers[0], answers[0]]);
  expect(await events(workspace)).toBe(2);
});

test('whoever keeps their files elsewhere is not answered from here', async () => {
  const workspace = createWorkspace({ ...hook, '~/.config/agents/hooks/gate/scripts/run.sh': denying('here') });
  await serving(workspace);
  const env = { HOOKLINE_HOME: '', XDG_CONFIG_HOME: path.join(workspace.home, 'other') };
  expect(said(await client(workspace, EVENT, env))).not.toContain('here');
  expect(said(await client(workspace, EVENT))).toContain('here');
});
