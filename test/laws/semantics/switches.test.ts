/** Settings by which agents switch hooks off, on real files of every level: what is off there is off here, and never in silence. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { AGENTS } from '../../../src/builtins.ts';
import { checkPattern } from '../../../src/engine/select/compile.ts';
import { discover } from '../../../src/load/find/discover.ts';
import { loadHooks } from '../../../src/load/load-hooks.ts';
import { createWorkspace } from '../../support/workspace.ts';

const MANAGED = 'etc/claude-code/managed-settings.json';
const USER = '~/.claude/settings.json';
const PROJECT = '.claude/settings.json';
const LOCAL = '.claude/settings.local.json';

/** A settings file with one hook of this name, and what else stands in it. */
function settings(name: string, more: object = {}, handler: object = {}): string {
  return JSON.stringify({ ...more, hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: 'true', name, ...handler }] }] } }, null, 1);
}

/** The names of those that are on, and what was said. A path that begins with `etc/` is one of the system. */
async function load(files: Readonly<Record<string, string>>) {
  const space = createWorkspace();
  const system = path.join(path.dirname(space.root), 'system');
  mkdirSync(system);
  for (const [name, text] of Object.entries(files)) space.write({ [name.startsWith('etc/') ? `../system/${name}` : name]: text });
  const places = {
    root: space.root,
    home: space.home,
    configFolder: path.join(space.home, '.config'),
    system,
    skills: [],
    plugins: [],
    hooks: [],
  };
  const { hooks, diagnostics } = await loadHooks(discover(places, AGENTS).sources, checkPattern);
  return {
    on: hooks.filter(({ hook }) => hook.enabled).map(({ hook }) => hook.name),
    off: Object.fromEntries(hooks.flatMap(({ hook }) => (hook.enabled ? [] : [[hook.name, hook.offBy]]))),
    diagnostics,
    hooks: hooks.map(({ hook }) => hook),
    at: (name: string) => (name.startsWith('etc/') ? path.join(system, name) : space.at(name)),
  };
}

const OFF = { disableAllHooks: true };

test.each([
  ['a project switches off its own file and nobody else', PROJECT, ['managed', 'user', 'local']],
  ['a user switches off his own and those of projects, never managed ones', USER, ['managed']],
  ['who manages the machine switches off everybody', MANAGED, []],
] as const)('disableAllHooks: %s', async (_, file, left) => {
  const names = { [MANAGED]: 'managed', [USER]: 'user', [PROJECT]: 'project', [LOCAL]: 'local' };
  const files = Object.fromEntries(Object.entries(names).map(([at, name]) => [at, settings(name, at === file ? OFF : {})]));
  const { on, off, diagnostics, at } = await load(files);
  expect([...on].sort()).toEqual([...left].sort());
  expect(Object.values(off)).toEqual(Array(4 - left.length).fill(`\`disableAllHooks\` in ${at(file)}:2`));
  expect(diagnostics).toMatchObject([{ severity: 'warning', code: 'hooks-disabled', file: at(file), line: 2 }]);
  for (const name of Object.keys(off)) expect(diagnostics[0]?.message).toContain(`\`${name}\``);
});

test('allowManagedHooksOnly leaves managed hooks alone, and is nothing in a file of anybody else', async () => {
  const only = { allowManagedHooksOnly: true };
  const managed = await load({ [MANAGED]: settings('managed', only), [USER]: settings('user'), [PROJECT]: settings('project') });
  expect(managed.on).toEqual(['managed']);
  expect(managed.diagnostics).toMatchObject([{ code: 'hooks-disabled', file: managed.at(MANAGED) }]);
  const user = await load({ [USER]: settings('user', only), [PROJECT]: settings('project') });
  expect(user.on).toEqual(['user', 'project']);
  expect(user.diagnostics).toMatchObject([{ severity: 'info', code: 'no-effect' }]);
});

test('an address that the list does not have is not asked, and a project does not widen the list of its user', async () => {
  const asks = (url: string) => ({ type: 'http', command: undefined, url });
  const { on, diagnostics } = await load({
    [USER]: settings('user', { allowedHttpHookUrls: ['https://hooks.example.com/*'] }, asks('https://hooks.example.com/a')),
    [PROJECT]: settings('project', { allowedHttpHookUrls: ['*'] }, asks('https://hooks.example.com.evil.example/a')),
  });
  expect(on).toEqual(['user']);
  expect(diagnostics).toMatchObject([{ severity: 'warning', code: 'hooks-disabled' }]);
  const none = await load({ [USER]: settings('user', { allowedHttpHookUrls: [] }, asks('https://hooks.example.com/a')) });
  expect(none.on).toEqual([]);
});

test('a header is filled only from variables that the settings permit as well', async () => {
  const http = { type: 'http', command: undefined, url: 'https://h.example/', headers: { A: '$ONE$TWO' }, allowedEnvVars: ['ONE', 'TWO'] };
  const { hooks, diagnostics } = await load({ [USER]: settings('user', { httpHookAllowedEnvVars: ['TWO'] }, http) });
  expect(hooks[0]).toMatchObject({ enabled: true, handler: { config: { allowedEnvVars: ['TWO'] } } });
  expect(diagnostics).toMatchObject([{ severity: 'info', code: 'hooks-narrowed' }]);
});

test('a switch of one format says nothing to another', async () => {
  const { on } = await load({ [USER]: settings('claude', OFF), '~/.qwen/settings.json': settings('qwen') });
  expect(on).toEqual(['qwen']);
});

test.each([
  ['gemini-cli', '.gemini/settings.json', 'BeforeTool', { hooksConfig: { enabled: false } }],
  ['gemini-cli', '.gemini/settings.json', 'BeforeTool', { hooksConfig: { disabled: ['gate'] } }],
  ['qwen', '.qwen/settings.json', 'PreToolUse', OFF],
  ['copilot', '.copilot/settings.json', 'preToolUse', OFF],
  ['copilot', '.copilot/settings.json', 'preToolUse', { disabledHooks: ['gate'] }],
])("%s: %s of the user's switches off a project's hook, and says so", async (_, file, event, more) => {
  const project = file.replace('.copilot', '.github/copilot');
  const hook = { hooks: { [event]: [{ hooks: [{ type: 'command', command: 'true', name: 'gate' }] }] } };
  const text = { [project]: JSON.stringify(hook), [`~/${file}`]: JSON.stringify(more) };
  expect((await load({ [project]: text[project] as string })).on).toEqual(['gate']);
  const { off, diagnostics, at } = await load(text);
  expect(off['gate']).toContain(`in ${at(`~/${file}`)}:1`);
  expect(diagnostics).toMatchObject([{ severity: 'warning', code: 'hooks-disabled', file: at(`~/${file}`), line: 1 }]);
});

const CODEX = JSON.stringify({
  hooks: {
    PreToolUse: [
      {
        hooks: [
          { type: 'command', command: 'one' },
          { type: 'command', command: 'two' },
        ],
      },
    ],
  },
});

test('unwanted-hooks: Codex keeps for each hook whether it is wanted; a project does not decide that', async () => {
  const state = (file: string) => `[hooks.state."${file}:pre_tool_use:0:1"]\nenabled = false\n`;
  const first = await load({ '~/.codex/hooks.json': CODEX });
  expect(first.on).toEqual(['one', 'two']);
  const space = createWorkspace({ '~/.codex/hooks.json': CODEX });
  space.write({ '~/.codex/config.toml': state(space.at('~/.codex/hooks.json')) });
  const listed = await (await space.open()).list();
  expect(listed.hooks.map(({ name, enabled }) => [name, enabled])).toEqual([
    ['one', true],
    ['two', false],
  ]);
  expect(listed.hooks[1]).toMatchObject({ state: 'disabled', offBy: expect.stringContaining('config.toml:2') });
  space.remove('~/.codex/config.toml');
  space.write({ '.codex/config.toml': state(space.at('~/.codex/hooks.json')) });
  expect((await (await space.open()).list()).hooks.every(({ enabled }) => enabled)).toBe(true);
});

test('Codex: the feature and the requirements of the machine switch off what they switch off there; `notify` is seen and not run', async () => {
  const feature = await load({ '~/.codex/hooks.json': CODEX, '~/.codex/config.toml': 'notify = ["say"]\n[features]\nhooks = false\n' });
  expect(feature.on).toEqual([]);
  expect(feature.diagnostics).toMatchObject([
    { severity: 'info', code: 'no-effect', line: 1 },
    { code: 'hooks-disabled', line: 3 },
  ]);
  const managed = `allow_managed_hooks_only = true\n[[hooks.PreToolUse]]\n[[hooks.PreToolUse.hooks]]\ntype = "command"\ncommand = "gate"\n`;
  const machine = await load({ '~/.codex/hooks.json': CODEX, 'etc/codex/requirements.toml': managed });
  expect(machine.on).toEqual(['gate']);
});

test('a plan says by what a hook is switched off, and so does a firing', async () => {
  const space = createWorkspace({ [USER]: settings('gate', OFF) });
  const hookline = await space.open();
  const plan = await hookline.plan('tool.before', { tool: 'Bash', input: {} });
  expect(JSON.stringify(plan)).toContain(`\`disableAllHooks\` in ${space.at(USER)}:2`);
  const outcome = await hookline.fire('tool.before', { tool: 'Bash', input: {} });
  expect(JSON.stringify(outcome)).toContain(`switched off by \`disableAllHooks\` in ${space.at(USER)}:2`);
});
