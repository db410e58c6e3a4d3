/** The laws of a hook's environment, on real processes: nothing secret gets in that nobody asked for, and nothing promised is missing. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import type { HooklineOptions } from '../../../src/index.ts';
import { createWorkspace, type Workspace } from '../../support/workspace.ts';
import { eventually, hookline } from '../cli/program.ts';

const SECRETS = { GITHUB_TOKEN: 'g-secret', AWS_SECRET_ACCESS_KEY: 'a-secret', HTTPS_PROXY: 'http://u:p-secret@h', EDITOR: 'vi-secret' };

/** Sets variables of this process for one test. */
function setVariables(variables: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(variables)) {
    const before = process.env[name];
    process.env[name] = value;
    onTestFinished(() => {
      if (before === undefined) delete process.env[name];
      else process.env[name] = before;
    });
  }
}

/** One hook of each format that writes down its environment. */
function spying(): Workspace {
  const workspace = createWorkspace();
  const spy = (name: string): string => `env > ${workspace.at(name)}`;
  const action = [{ matcher: '.*', hooks: [{ type: 'command', command: spy('arawn') }] }];
  workspace.write({
    'skills/a/SKILL.md': `---\nname: a\ndescription: A.\nhooks:\n  PreToolUse:\n    - hooks:\n        - type: command\n          command: ${spy('skillkit')}\n---\n`,
    '.claude/settings.json': JSON.stringify({ hooks: { preToolUse: { spy: spy('claude-agent') } } }),
    '.agents/hooks/spy/HOOK.md': '---\nname: spy\ndescription: Spies.\ntrigger: before_tool\n---\n',
    '.agents/hooks/spy/scripts/run.sh': `#!/bin/sh\n${spy('agenthooks')}\n`,
    'hooks/spy/HOOK.toml': `[hook]\nname = "spy"\nevent = "before_tool_call"\n\n[hook.action.shell]\ncommand = ${JSON.stringify(spy('hooktoml'))}\n`,
    'plugins/p/.claude-plugin/plugin.json': '{"name":"p"}',
    'plugins/p/hooks/hooks.json': JSON.stringify({ hooks: { PreToolUse: action } }),
  });
  return workspace;
}

const FORMATS = ['skillkit', 'claude-agent', 'agenthooks', 'hooktoml', 'arawn'];

async function seenBy(workspace: Workspace, options: HooklineOptions = {}): Promise<Record<string, Record<string, string>>> {
  const engine = await workspace.open(options);
  const { hooks } = await engine.fire('tool.before', { tool: 'Bash', input: { command: 'ls' } });
  expect(hooks.map(({ status }) => status)).toEqual(FORMATS.map(() => 'answered'));
  return Object.fromEntries(FORMATS.map((name) => [name, read(workspace, name)]));
}

function read(workspace: Workspace, name: string): Record<string, string> {
  const lines = readFileSync(workspace.at(name), 'utf8').split('\n');
  return Object.fromEntries(
    lines.flatMap((line) => (line.includes('=') ? [[line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]] : [])),
  );
}

test('no secret gets into a hook of any format, and what every program needs does', async () => {
  setVariables(SECRETS);
  const seen = await seenBy(spying());
  for (const name of FORMATS) {
    expect(seen[name]).toMatchObject({
      PATH: process.env['PATH'],
      HOOKLINE_DEPTH: '1',
      HOOKLINE_HOOKS: expect.stringMatching(/^[0-9a-f]{16}$/),
    });
    expect(Object.keys(SECRETS).filter((secret) => seen[name]?.[secret] !== undefined)).toEqual(name === 'claude-agent' ? ['EDITOR'] : []);
  }
});

test('what a format promises is there under every policy', async () => {
  for (const policy of ['promised', 'pass', 'allow', 'deny'] as const) {
    const workspace = spying();
    const seen = await seenBy(workspace, { environment: { policy, names: [] } });
    expect(seen).toMatchObject({
      skillkit: { HOOK_INPUT: expect.stringContaining('"tool"') },
      'claude-agent': { EVENT: 'pre_tool_use' },
      agenthooks: { AGENT_HOOK_DIR: workspace.at('.agents/hooks/spy') },
      hooktoml: { HOOK_EVENT: 'before_tool_call', HOOK_NAME: 'spy' },
      arawn: { CLAUDE_PLUGIN_ROOT: workspace.at('plugins/p'), ARAWN_PLUGIN_DIR: workspace.at('plugins/p') },
    });
  }
});

test('a secret that the user names gets in, alone', async () => {
  setVariables(SECRETS);
  const seen = await seenBy(spying(), { environment: { names: ['GITHUB_TOKEN'] } });
  for (const name of FORMATS) expect(seen[name]).toMatchObject({ GITHUB_TOKEN: 'g-secret' });
  expect(JSON.stringify(seen)).not.toMatch(/a-secret|p-secret/);
});

test("the user's settings say the same as the option, and the option wins", async () => {
  setVariables(SECRETS);
  const workspace = spying();
  workspace.write({ '~/.config/hookline/settings.json': '{"environment":{"policy":"pass"}}' });
  expect((await seenBy(workspace))['hooktoml']).toMatchObject(SECRETS);
  expect((await seenBy(workspace, { environment: { policy: 'allow' } }))['hooktoml']).not.toHaveProperty('EDITOR');
});

test('two engines of one process keep to their own policies', async () => {
  setVariables(SECRETS);
  const [open, shut] = [await seenBy(spying(), { environment: { policy: 'pass' } }), await seenBy(spying())];
  expect(open['agenthooks']).toMatchObject(SECRETS);
  expect(shut['agenthooks']).not.toHaveProperty('EDITOR');
});

test('a policy that does not exist is an error that names those that do', async () => {
  // Not from TypeScript: a caller in JavaScript may write anything.
  const environment = { policy: 'none' } as unknown as NonNullable<HooklineOptions['environment']>;
  await expect(createWorkspace().open({ environment })).rejects.toMatchObject({
    code: 'bad-option',
    message: expect.stringContaining('promised'),
  });
});

test('a background hook that outlives the command keeps to the policy too', async () => {
  const workspace = createWorkspace();
  const command = `env > ${workspace.at('seen.tmp')}; mv ${workspace.at('seen.tmp')} ${workspace.at('seen')}`;
  workspace.write({
    'hooks/log/HOOK.toml': `[hook]\nname = "log"\nevent = "on_session_end"\n\n[hook.action.shell]\ncommand = ${JSON.stringify(command)}\n`,
  });
  workspace.write({ '~/.config/hookline/settings.json': '{"environment":{"names":["EDITOR"]}}' });
  const ended = await hookline(workspace, ['fire', 'session.end', '--payload', '{}', '--trust-all', '--json'], { env: SECRETS });
  expect(JSON.parse(ended.stdout).hooks).toMatchObject([{ status: 'detached' }]);
  expect(await eventually(() => existsSync(workspace.at('seen')))).toBe(true);
  const seen = read(workspace, 'seen');
  expect(seen).toMatchObject({ EDITOR: 'vi-secret', HOOK_NAME: 'log', HOOKLINE_DEPTH: '1' });
  expect(seen).not.toHaveProperty('GITHUB_TOKEN');
});
