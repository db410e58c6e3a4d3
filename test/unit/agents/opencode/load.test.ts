import { expect, test } from 'vitest';
import { opencodeHost } from '../../../../src/agents/opencode/host.ts';
import { AGENTS } from '../../../../src/builtins.ts';
import type { Diagnostic } from '../../../../src/core/values/diagnostic.ts';
import { createWorkspace } from '../../../support/workspace.ts';

const GATE = `export const Gate = async () => ({
  'tool.execute.before': async (input, output) => { throw new Error('no'); },
});
`;

async function found(
  files: Readonly<Record<string, string>>,
): Promise<{ hooks: number; told: readonly Diagnostic[]; at: (name: string) => string }> {
  const workspace = createWorkspace(files);
  const hookline = await workspace.open({ dialects: ['opencode'] });
  return { hooks: (await hookline.list()).hooks.length, told: hookline.diagnostics, at: workspace.at };
}

test('code-is-not-run: a plugin becomes no hook, and is reported with what it would do', async () => {
  for (const file of [
    '~/.config/opencode/plugin/a.js',
    '~/.config/opencode/plugins/a.ts',
    '.opencode/plugin/a.ts',
    '.opencode/plugins/a.js',
  ]) {
    const { hooks, told, at } = await found({ [file]: GATE });
    expect([hooks, told.map(({ severity, code, file: where, line, column }) => [severity, code, where, line, column])]).toEqual([
      0,
      [['warning', 'plugin-not-run', at(file), 2, 4]],
    ]);
    expect(told[0]?.message).toContain('`tool.execute.before` protects in OpenCode alone');
  }
});

test('code-is-not-run: a plugin that denies nothing is information, and one in a package is too', async () => {
  const { told } = await found({
    '.opencode/plugin/tools.ts': 'export const Tools = async () => ({ tool: {} });\n',
    'opencode.json': JSON.stringify({ plugin: ['some-plugin', ['other-plugin', { a: 1 }], 5, []] }),
    '.opencode/opencode.jsonc': '{ // none\n "plugin": "x" }',
  });
  expect(told.map(({ severity, code }) => `${severity} ${code}`)).toEqual(Array(3).fill('info plugin-not-run'));
  expect(told.map(({ message }) => message).join(' ')).toMatch(/This plugin.*`some-plugin`.*`other-plugin`/);
});

test("Hookline's own plugin is not reported", async () => {
  const { value } = opencodeHost.entry.entry('dispose', 'hookline hook opencode dispose');
  expect(
    await found({ '~/.config/opencode/plugin/hookline.js': String(value), '.opencode/plugin/hookline.js': String(value) }),
  ).toMatchObject({
    hooks: 0,
    told: [],
  });
});

test('whatever stands in a plugin, the hooks of other formats load', async () => {
  const deny = { type: 'command', command: 'exit 2' };
  const settings = JSON.stringify({ hooks: { PreToolUse: [{ hooks: [deny] }] } });
  for (const text of ['', '{', 'throw new Error()', '\u0000', '"tool.execute.before"'.repeat(1000)]) {
    const workspace = createWorkspace({ '.opencode/plugin/a.js': text, 'opencode.json': text, '~/.claude/settings.json': settings });
    const { decision } = await (await workspace.open()).fire('tool.before', { tool: 'Bash', input: {} });
    expect(decision).toBe('deny');
  }
});

test('only OpenCode has hooks that are code, and none of its places holds anything else', () => {
  const kinds = AGENTS.map(({ id, places }) => [id, new Set(places.map(({ kind }) => kind === 'code'))] as const);
  expect(kinds.filter(([, set]) => set.has(true)).map(([id, set]) => [id, set.size])).toEqual([['opencode', 1]]);
});
