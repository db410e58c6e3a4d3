/** `check`: every file by the dialect of its place, printed like a compiler. */
import { expect, test } from 'vitest';
import { createWorkspace, type Workspace } from '../../support/workspace.ts';
import { hookline } from './program.ts';

const BAD_HOOK = '---\nname: gate\ndescription: A gate.\ntrigger: before_tool\ntimeout: 999999\n---\n';
const RUN = '#!/bin/sh\nexit 0\n';

async function check(
  workspace: Workspace,
  ...argv: string[]
): Promise<{ exit: number | null; hooks: number; codes: string[]; files: string[] }> {
  const ended = await hookline(workspace, ['check', ...argv, '--json']);
  const { hooks, diagnostics } = JSON.parse(ended.stdout) as { hooks: number; diagnostics: { code: string; file: string }[] };
  return { exit: ended.exit, hooks, codes: diagnostics.map(({ code }) => code), files: diagnostics.map(({ file }) => file) };
}

test('the excerpt shows the line with a caret under the column, and help', async () => {
  const workspace = createWorkspace({ '.agents/hooks/gate/HOOK.md': BAD_HOOK, '.agents/hooks/gate/scripts/run.sh': RUN });
  const { exit, stdout } = await hookline(workspace, ['check']);
  expect(exit).toBe(1);
  expect(stdout).toContain('.agents/hooks/gate/HOOK.md:5:');
  const lines = stdout.split('\n');
  const at = lines.findIndex((line) => line.includes('│ timeout: 999999'));
  expect(at).toBeGreaterThan(0);
  const caret = (lines[at + 1] as string).indexOf('^');
  expect((lines[at] as string).slice(caret)).toBe('999999');
  expect(stdout).toMatch(/help: /);
  expect(stdout).toContain('0 hooks, 1 error, 0 warnings');
});

test('a file alone is checked by the dialect that owns its place', async () => {
  const settings = JSON.stringify({ hooks: { PreToolUse: { gate: { command: 'exit 0' } } } });
  const hooks = JSON.stringify({ hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: 'exit 0' }] }] } });
  const workspace = createWorkspace({
    'app/.agents/hooks/gate/HOOK.md': BAD_HOOK,
    'app/.agents/hooks/gate/scripts/run.sh': RUN,
    'app/hooks/gate/HOOK.toml': '[hook]\nname = "gate"\nevent = "before_tool_call"\n\n[hook.action.shell]\ncommand = "true"\n',
    'app/skills/a/SKILL.md': '---\nname: a\nhooks:\n  PreToolUse:\n    - hooks:\n        - type: command\n          command: "true"\n---\n',
    'app/.claude/settings.json': settings,
    'app/plugins/p/.claude-plugin/plugin.json': '{"name":"p"}',
    'app/plugins/p/hooks/hooks.json': hooks,
  });
  expect(await check(workspace, 'app/.agents/hooks/gate/HOOK.md')).toMatchObject({ exit: 1, hooks: 0 });
  for (const file of [
    'hooks/gate/HOOK.toml',
    'skills/a/SKILL.md',
    '.claude/settings.json',
    'plugins/p/.claude-plugin/plugin.json',
    'plugins/p/hooks/hooks.json',
  ]) {
    const { codes, exit, hooks: count } = await check(workspace, `app/${file}`);
    expect([exit, count, codes], file).toEqual([0, 1, file.endsWith('.toml') ? [] : ['read-as']]);
  }
  expect(await check(workspace, 'app')).toMatchObject({ exit: 1, hooks: 4 });
});

test('only what was asked for is told', async () => {
  const workspace = createWorkspace({ 'hooks/a/HOOK.toml': 'nonsense', 'hooks/b/HOOK.toml': 'nonsense' });
  expect((await check(workspace)).files).toEqual([workspace.at('hooks/a/HOOK.toml'), workspace.at('hooks/b/HOOK.toml')]);
  expect((await check(workspace, 'hooks/b')).files).toEqual([workspace.at('hooks/b/HOOK.toml')]);
});

test('the audit of what a hook runs is part of the check', async () => {
  const workspace = createWorkspace({
    '.claude/settings.json': JSON.stringify({ hooks: { PreToolUse: { gate: { command: 'rm -rf /' } } } }),
  });
  const { exit, codes } = await check(workspace);
  expect(exit).toBe(1);
  expect(codes.some((code) => code.startsWith('audit-'))).toBe(true);
});

test("the user's hooks are checked only if --home is given", async () => {
  const workspace = createWorkspace({ '~/.config/agents/hooks/gate/HOOK.md': BAD_HOOK });
  expect((await check(workspace)).exit).toBe(0);
  expect((await check(workspace, '--home', workspace.home)).exit).toBe(1);
});

test('a path that is not there, or is no hook file, is said with what is known', async () => {
  const workspace = createWorkspace({ 'README.md': '# hello' });
  expect(await check(workspace, 'none')).toMatchObject({ exit: 1, codes: ['not-found'] });
  expect(await check(workspace, 'README.md')).toMatchObject({ exit: 1, codes: ['unknown-file'] });
  expect((await hookline(workspace, ['check', 'README.md'])).stdout).toContain('HOOK.toml');
});
