/** Plugins of document form: what they print at the start of a session, what they write to stderr, and timeouts that nobody can keep. */
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createHookline } from '../../../src/index.ts';
import { createWorkspace, type Workspace } from '../../support/workspace.ts';
import { hookline } from '../cli/program.ts';

const plugin = (event: string, action: object): Record<string, string> => ({
  'plugins/p/.claude-plugin/plugin.json': '{"name": "p"}',
  'plugins/p/hooks/hooks.json': JSON.stringify({ hooks: { [event]: [{ hooks: [{ type: 'command', ...action }] }] } }, null, 1),
});

interface Fired {
  readonly id: string;
  readonly decision: string;
  readonly reason: string | null;
  readonly context: readonly string[];
  readonly notices: readonly string[];
  readonly hooks: readonly { readonly stderr?: string; readonly status: string }[];
  readonly diagnostics: readonly { readonly code: string; readonly line?: number }[];
}

async function fire(workspace: Workspace, ...argv: string[]): Promise<Fired> {
  const { stdout } = await hookline(workspace, ['fire', ...argv, '--trust-all', '--json']);
  return JSON.parse(stdout) as Fired;
}

test('what a hook prints when a session starts is context for the agent and information for the person', async () => {
  const fired = await fire(createWorkspace(plugin('SessionStart', { command: 'echo Use pnpm here.' })), 'session.start');
  expect(fired).toMatchObject({ decision: 'pass', context: ['Use pnpm here.'], notices: ['Use pnpm here.'] });
});

test('stderr of a hook that had no objection is kept, and `why` shows it', async () => {
  const workspace = createWorkspace(plugin('PreToolUse', { command: 'echo looked at it >&2' }));
  const fired = await fire(workspace, 'tool.before', '--tool', 'shell');
  expect(fired).toMatchObject({ decision: 'pass', hooks: [{ stderr: 'looked at it' }] });
  expect((await hookline(workspace, ['why', fired.id])).stdout).toContain('looked at it');
});

test('stderr that is the reason of a denial is not kept twice', async () => {
  const workspace = createWorkspace(plugin('PreToolUse', { command: 'echo not here >&2; exit 1' }));
  const { hooks, ...fired } = await fire(workspace, 'tool.before', '--tool', 'shell');
  expect(fired).toMatchObject({ decision: 'deny', reason: 'not here' });
  expect(hooks[0]).not.toHaveProperty('stderr');
});

test.each([1, 50, 99])('a gate with a timeout of %s ms is not run, and denies', async (timeout) => {
  // The settings say that this is no plugin of another format.
  const files = plugin('PreToolUse', { command: 'touch ran', timeout });
  const workspace = createWorkspace({ ...files, '~/.config/hookline/settings.json': '{"readAs": {"plugins": "arawn"}}' });
  const fired = await fire(workspace, 'tool.before', '--tool', 'shell');
  expect(fired).toMatchObject({ decision: 'deny', reason: expect.stringContaining(`${timeout} ms`), hooks: [{ status: 'faulted' }] });
  expect(fired.diagnostics).toContainEqual(expect.objectContaining({ code: 'short-timeout', line: 9 }));
  expect(existsSync(workspace.at('plugins/p/ran'))).toBe(false);
});

test('a reload that finds an absurd timeout keeps the version that was good', async () => {
  const workspace = createWorkspace({
    ...plugin('PreToolUse', { command: 'echo good; exit 1', timeout: 5000 }),
    '~/.config/hookline/settings.json': '{"readAs": {"plugins": "arawn"}}',
  });
  const engine = await workspace.open();
  workspace.write(plugin('PreToolUse', { command: 'echo bad; exit 1', timeout: 5 }));
  expect((await engine.reload()).diagnostics.map(({ code }) => code)).toContain('kept-last-good');
  expect(await engine.fire('tool.before', { tool: 'shell', input: {} })).toMatchObject({ decision: 'deny', reason: 'good' });
});

test.each([{}, 'a model', () => 'ok', { judge: 'yes' }, { judge: () => 'ok', verify: true }, { verify: () => 'ok' }])(
  'a model that cannot judge is an error at creation: %o',
  async (model) => {
    await expect(createHookline({ model: model as never, store: 'memory:' })).rejects.toMatchObject({ code: 'bad-option' });
  },
);
