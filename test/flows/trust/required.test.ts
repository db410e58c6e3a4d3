/** A required hook that can not judge is a deny where the event can be denied, and said where it can not. */
import { expect, test } from 'vitest';
import type { HooklineOptions } from '../../../src/index.ts';
import { createWorkspace, type Workspace } from '../../support/workspace.ts';
import { BASH, gate, SCRIPT, trustAll, trustOf } from './trusted-project.ts';

const ASK: HooklineOptions = { trust: 'ask' };
const REQUIRED = 'metadata:\n  required: true\n';

async function fire(workspace: Workspace, options: HooklineOptions = ASK) {
  return (await workspace.open(options)).fire('tool.before', BASH);
}

function settings(required: readonly string[]): Record<string, string> {
  return { '~/.config/hookline/settings.json': JSON.stringify({ required }) };
}

test('a required hook denies while it is untrusted, modified, refused or kept out, says why and what to do, and judges once it is trusted', async () => {
  const workspace = createWorkspace(gate('closed', 'gate', REQUIRED));
  const denied = async (word: string): Promise<void> => {
    const outcome = await fire(workspace);
    expect(outcome).toMatchObject({ decision: 'deny', hooks: [{ name: 'gate', status: 'skipped', decision: 'deny' }] });
    expect(outcome.reason).toContain('`gate` is required');
    expect(outcome.reason).toContain(word);
  };
  await denied('untrusted');
  await trustAll(workspace);
  expect(await fire(workspace)).toMatchObject({ reason: 'closed', hooks: [{ status: 'answered' }] });
  workspace.write({ [SCRIPT]: '#!/bin/sh\nexit 0\n' });
  await denied('hookline trust diff');
  await trustAll(workspace);
  expect((await fire(workspace)).decision).toBe('pass');
  const [entry] = trustOf(workspace).list();
  if (entry) trustOf(workspace).deny(entry);
  await denied('refused');
  workspace.write({ [SCRIPT]: '#!/bin/sh\nrm -rf /\n' });
  await trustAll(workspace);
  await denied('audit');
});

test('it denies only what it would have judged', async () => {
  const workspace = createWorkspace(gate('closed', 'gate', `matcher:\n  tool: Write\n${REQUIRED}`));
  expect((await fire(workspace)).decision).toBe('pass');
  const hookline = await workspace.open(ASK);
  expect((await hookline.fire('tool.before', { tool: 'Write', input: {} })).decision).toBe('deny');
  expect((await hookline.plan('tool.before', { tool: 'Write', input: {} })).hooks[0]).toMatchObject({
    runs: false,
    required: true,
    why: expect.stringContaining('it is required'),
  });
  expect((await hookline.list()).hooks[0]).toMatchObject({ required: true, trust: 'untrusted' });
});

test.each(Object.entries(REQUIRED_EVERYWHERE()))('%s: `required` is read, and denies while the hook is untrusted', async (_, files) => {
  const workspace = createWorkspace(files);
  const outcome = await fire(workspace);
  expect(outcome.decision).toBe('deny');
  expect(outcome.reason).toContain('is required');
  expect((await fire(workspace, { trust: 'all' })).decision).toBe('pass');
  const { diagnostics } = await (await workspace.open()).list();
  // A note on how a file was read is no problem.
  expect(diagnostics.filter(({ severity }) => severity !== 'info')).toEqual([]);
});

function REQUIRED_EVERYWHERE(): Record<string, Record<string, string>> {
  const command = 'true';
  return {
    skillkit: {
      'skills/s/SKILL.md': `---\nname: s\nhooks:\n  PreToolUse:\n    - hooks:\n        - type: command\n          command: "true"\n          required: true\n---\n`,
    },
    'claude-agent': { '.claude/settings.json': JSON.stringify({ hooks: { PreToolUse: { gate: { command, required: true } } } }) },
    agenthooks: { ...gate('', 'gate', REQUIRED), [SCRIPT]: '#!/bin/sh\nexit 0\n' },
    hooktoml: {
      'hooks/g/HOOK.toml': '[hook]\nname = "g"\nevent = "before_tool_call"\nrequired = true\n[hook.action.shell]\ncommand = "true"\n',
    },
    arawn: {
      'plugins/p/.claude-plugin/plugin.json': '{"name": "p"}',
      'plugins/p/hooks/hooks.json': JSON.stringify({ hooks: { PreToolUse: [{ hooks: [{ type: 'command', command, required: true }] }] } }),
    },
  };
}

test('a disabled hook that is required denies, and so does one that runs in the background', async () => {
  const toml = (more: string): Record<string, string> => ({
    'hooks/g/HOOK.toml': `[hook]\nname = "g"\nevent = "before_tool_call"\nrequired = true\n${more}[hook.action.shell]\ncommand = "true"\n`,
  });
  expect(await fire(createWorkspace(toml('enabled = false\n')), { trust: 'all' })).toMatchObject({
    decision: 'deny',
    hooks: [{ skip: 'disabled' }],
  });
  expect(await fire(createWorkspace(gate('', 'gate', `async: true\n${REQUIRED}`)))).toMatchObject({
    decision: 'deny',
    hooks: [{ skip: 'untrusted' }],
  });
});

test('on an event that can not be denied it is a warning', async () => {
  const workspace = createWorkspace({
    'hooks/g/HOOK.toml': '[hook]\nname = "g"\nevent = "on_message_sent"\nrequired = true\n[hook.action.shell]\ncommand = "true"\n',
  });
  const outcome = await (await workspace.open(ASK)).fire('message.sent', { channel: 'c', content: 'x' });
  expect(outcome).toMatchObject({ decision: 'pass', hooks: [{ skip: 'untrusted' }] });
  expect(outcome.diagnostics).toContainEqual(expect.objectContaining({ severity: 'warning', code: 'required-hook' }));
});

test('a name in the settings that no hook has denies whatever can be denied, before any hook is asked', async () => {
  const workspace = createWorkspace({ ...settings(['wall']), ...gate('closed') });
  const hookline = await workspace.open();
  const outcome = await hookline.fire('tool.before', BASH);
  expect(outcome).toMatchObject({ decision: 'deny', hooks: [{ name: 'gate', status: 'skipped', skip: expect.stringContaining('wall') }] });
  expect(outcome.reason).toMatch(/`wall` is required.*no hook of this name/);
  expect((await hookline.fire('prompt.submit', { prompt: 'hi' })).decision).toBe('deny');
  expect(await hookline.fire('message.sent', { channel: 'c', content: 'x' })).toMatchObject({
    decision: 'pass',
    diagnostics: [{ severity: 'warning', code: 'required-hook' }],
  });
  expect((await hookline.plan('tool.before', BASH)).denied).toContain('wall');
  expect((await hookline.list()).diagnostics).toContainEqual(expect.objectContaining({ severity: 'error', code: 'required-hook' }));
});

test('a name is answered for by a hook of the user, by a function, and by a trusted hook of the project, but not by an untrusted one', async () => {
  const user = Object.fromEntries(Object.entries(gate('mine')).map(([name, text]) => [name.replace('.agents', '~/.config/agents'), text]));
  expect((await fire(createWorkspace({ ...settings(['gate']), ...user }))).reason).toBe('mine');
  const workspace = createWorkspace({ ...settings(['gate']), ...gate('closed') });
  const hookline = await workspace.open(ASK);
  const spoofed = await hookline.fire('prompt.submit', { prompt: 'hi' });
  expect(spoofed).toMatchObject({ decision: 'deny' });
  expect(spoofed.reason).toContain('untrusted');
  const off = hookline.on('prompt.submit', () => undefined, { name: 'gate' });
  expect((await hookline.fire('prompt.submit', { prompt: 'hi' })).decision).toBe('pass');
  off();
  await trustAll(workspace);
  expect((await (await workspace.open(ASK)).fire('prompt.submit', { prompt: 'hi' })).decision).toBe('pass');
});
