/** Packs by evidence in the whole program. Real processes. */
import { expect, test } from 'vitest';
import { createWorkspace } from '../../support/workspace.ts';
import { hookline } from '../cli/program.ts';

const GUARDED = '{ "hooks": { "PreToolUse": [{ "hooks": [{ "type": "command", "command": "hookline guard" }] }] } }';

test('`guard explain`, `guard rules` and `doctor` know and name the evidence', async () => {
  const workspace = createWorkspace({ 'compose.yaml': '', '~/.claude/settings.json': GUARDED });
  expect((await hookline(workspace, ['guard', 'explain', 'docker volume rm shop'])).exit).toBe(1);
  expect((await hookline(workspace, ['guard', 'rules'])).stdout).toContain('on: the project has compose.yaml');
  const { packs } = JSON.parse((await hookline(workspace, ['guard', 'rules', '--json'])).stdout);
  expect(packs).toEqual([{ pack: 'containers', by: 'compose.yaml' }]);
  const { findings } = JSON.parse((await hookline(workspace, ['doctor', '--json'])).stdout);
  expect(findings).toContainEqual(expect.objectContaining({ code: 'pack-on', message: expect.stringContaining('compose.yaml') }));
});

test('an engine that runs sees evidence that appears', async () => {
  const workspace = createWorkspace();
  const engine = await workspace.open();
  engine.on('tool.before', 'hookline guard');
  const fire = async (): Promise<string> =>
    (await engine.fire('tool.before', { tool: 'Bash', input: { command: 'docker rm -f web' } })).decision;
  expect(await fire()).toBe('pass');
  workspace.write({ 'compose.yaml': '' });
  expect(await fire()).not.toBe('pass');
});
