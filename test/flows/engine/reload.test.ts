/** A reload puts one whole set in place of another; what was good stays until something good takes its place. */
import { spawnSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test, vi } from 'vitest';
import type { ReloadReport } from '../../../src/index.ts';
import { NATIVE } from '../../support/native-hooks.ts';
import { LONG_MS } from '../../support/patience.ts';
import { createWorkspace } from '../../support/workspace.ts';

const tool = { tool: 'Bash', input: { command: 'ls' } };
const gate = (command: string, name = 'gate') => NATIVE['hooktoml']?.({ event: 'before_tool_call', command, name }) ?? {};

describe('a reload', () => {
  test('brings in what is new, changes what has changed and drops what is gone', async () => {
    const workspace = createWorkspace(gate('exit 0', 'one'));
    const hookline = await workspace.open();
    workspace.write(gate('echo two >&2; exit 1', 'two'));
    expect((await hookline.fire('tool.before', tool)).decision).toBe('pass');
    expect(await hookline.reload()).toMatchObject({ hooks: 2, diagnostics: [] });
    expect(await hookline.fire('tool.before', tool)).toMatchObject({ decision: 'deny', reason: 'two' });
    workspace.remove('hooks/two');
    workspace.write(gate('echo one >&2; exit 1', 'one'));
    await hookline.reload();
    expect(await hookline.fire('tool.before', tool)).toMatchObject({ decision: 'deny', reason: 'one', hooks: [{ name: 'one' }] });
  });

  test('that finds a hook broken keeps its last good version, says so, and lets the others change', async () => {
    const workspace = createWorkspace({ ...gate('echo good >&2; exit 1', 'a-gate'), ...gate('exit 0', 'b-other') });
    const hookline = await workspace.open();
    workspace.write({ 'hooks/a-gate/HOOK.toml': '[hook\n', ...gate('exit 0', 'c-new') });
    const { diagnostics } = await hookline.reload();
    expect(diagnostics.map(({ code }) => code)).toContain('kept-last-good');
    expect(diagnostics.some(({ severity, line }) => severity === 'error' && line !== undefined)).toBe(true);
    expect(await hookline.fire('tool.before', tool)).toMatchObject({ decision: 'deny', reason: 'good' });
    expect((await hookline.list()).hooks.map(({ name }) => name)).toEqual(['a-gate', 'b-other', 'c-new']);
    workspace.write(gate('exit 0', 'a-gate'));
    expect((await hookline.reload()).diagnostics).toEqual([]);
    expect((await hookline.fire('tool.before', tool)).decision).toBe('pass');
  });

  test('a broken hook that is then removed is gone', async () => {
    const workspace = createWorkspace(gate('exit 1'));
    const hookline = await workspace.open();
    workspace.write({ 'hooks/gate/HOOK.toml': 'nonsense' });
    await hookline.reload();
    workspace.remove('hooks/gate');
    expect(await hookline.reload()).toMatchObject({ hooks: 0, diagnostics: [] });
  });

  test('fails as a whole, and keeps the whole old set, if a place can not be read', async () => {
    const workspace = createWorkspace(gate('echo old >&2; exit 1'));
    const hookline = await workspace.open();
    workspace.write(gate('exit 0', 'new'));
    await unreadable(path.join(workspace.root, 'hooks'), [path.dirname(workspace.root), workspace.root], async () => {
      await expect(hookline.reload()).rejects.toMatchObject({ code: 'unreadable-source' });
      expect(await hookline.reloadTool.execute()).toMatchObject({ ok: false, diagnostics: [{ code: 'reload-failed' }] });
    });
    expect(await hookline.fire('tool.before', tool)).toMatchObject({ decision: 'deny', reason: 'old', hooks: [{ name: 'gate' }] });
  });

  test('during a firing does not disturb it', async () => {
    const workspace = createWorkspace(gate('echo last >&2; exit 1', 'z-last'));
    const hookline = await workspace.open();
    hookline.on('tool.before', async () => {
      workspace.write(gate('exit 0', 'z-last'));
      await hookline.reload();
    });
    expect(await hookline.fire('tool.before', tool)).toMatchObject({ decision: 'deny', reason: 'last' });
    expect((await hookline.fire('tool.before', tool)).decision).toBe('pass');
  });

  test('leaves hooks given in code where they are', async () => {
    const hookline = await createWorkspace().open();
    hookline.on('tool.before', () => ({ decision: 'deny', reason: 'no' }));
    await hookline.reload();
    expect((await hookline.fire('tool.before', tool)).decision).toBe('deny');
  });

  test('many at once end with what is there last', async () => {
    const workspace = createWorkspace(gate('exit 0'));
    const hookline = await workspace.open();
    const reloads = [hookline.reload(), hookline.reload()];
    workspace.write(gate('exit 1'));
    await Promise.all([...reloads, hookline.reload(), hookline.reload()]);
    expect((await hookline.fire('tool.before', tool)).decision).toBe('deny');
  });
});

test('hook_reload is a tool an agent can be given', async () => {
  const workspace = createWorkspace();
  const { reloadTool, ...hookline } = await workspace.open();
  expect(reloadTool).toMatchObject({ name: 'hook_reload', inputSchema: { type: 'object' } });
  workspace.write(gate('exit 1'));
  expect(await reloadTool.execute({})).toMatchObject({ ok: true, hooks: 1, diagnostics: [] });
  expect((await hookline.fire('tool.before', tool)).decision).toBe('deny');
  workspace.write({ 'hooks/bad/HOOK.toml': 'nonsense' });
  expect(await reloadTool.execute({})).toMatchObject({ ok: false, hooks: 1, message: expect.stringMatching(/Broken: .*HOOK\.toml/) });
});

test('hook_reload counts a hook whose last good version runs among the active ones', async () => {
  const workspace = createWorkspace(gate('exit 1'));
  const { reloadTool } = await workspace.open();
  workspace.write({ 'hooks/gate/HOOK.toml': 'nonsense' });
  const { message, ...report } = (await reloadTool.execute({})) as ReloadReport;
  expect(report).toMatchObject({ ok: false, active: 1, inactive: [], kept: [workspace.at('hooks/gate/HOOK.toml')] });
  expect(message).toMatch(/^1 hook is active\. Broken: .*HOOK\.toml:1: .* The file of hook `gate` .* last good version/);
});

test('a watched project is reloaded when a hook is written, changed or removed', async () => {
  const workspace = createWorkspace();
  const hookline = await workspace.open({ watch: true });
  const decides = (decision: string) =>
    vi.waitFor(async () => expect((await hookline.fire('tool.before', tool)).decision).toBe(decision), { timeout: 15_000, interval: 50 });
  workspace.write(gate('exit 1'));
  await decides('deny');
  workspace.write(gate('exit 0'));
  await decides('pass');
  workspace.write(gate('exit 1', 'second'));
  await decides('deny');
  workspace.remove('hooks/second');
  await decides('pass');
});

test('a watched project keeps no process alive', async () => {
  const { root, home } = createWorkspace(gate('exit 1'));
  const library = pathToFileURL(path.resolve('dist/index.js'));
  const code = `import { createHookline } from '${library}'; await createHookline(${JSON.stringify({ root, home, watch: true })});`;
  const { status } = spawnSync(process.execPath, ['--input-type=module', '-e', code], { timeout: LONG_MS / 10, stdio: 'inherit' });
  expect(status).toBe(0);
});

/** Root may read everything: whoever is root steps down for a while. The folders above stay open. */
async function unreadable(folder: string, above: readonly string[], body: () => Promise<void>): Promise<void> {
  for (const open of above) chmodSync(open, 0o755);
  chmodSync(folder, 0o000);
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.(65534);
  try {
    await body();
  } finally {
    if (isRoot) process.seteuid?.(0);
    chmodSync(folder, 0o755);
  }
}
