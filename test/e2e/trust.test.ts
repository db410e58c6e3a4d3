/** Trust: nothing is trusted unseen, a change asks anew, and taking it back works at once. */
import { expect, test } from 'vitest';
import { createWorkspace, type Workspace } from '../workspace.ts';
import { hookline } from './program.ts';

const FILES = {
  '.agents/hooks/gate/HOOK.md': '---\nname: gate\ndescription: Keeps the gate.\ntrigger: before_tool\n---\n',
  '.agents/hooks/gate/scripts/run.sh': '#!/bin/sh\necho closed >&2\nexit 2\n',
};
const FIRE = ['fire', 'tool.before', '--tool', 'Bash'];

async function json(workspace: Workspace, ...argv: string[]): Promise<Record<string, { name: string }[]>> {
  return JSON.parse((await hookline(workspace, [...argv, '--json'])).stdout);
}

test('add, list and remove are a round trip', async () => {
  const workspace = createWorkspace(FILES);
  expect((await hookline(workspace, FIRE)).exit).toBe(0);
  expect((await json(workspace, 'trust', 'list'))['untrusted']).toMatchObject([{ name: 'gate', handler: 'command', event: 'before_tool' }]);

  const added = await hookline(workspace, ['trust', 'add', '--yes']);
  expect(added.exit).toBe(0);
  for (const shown of ['Keeps the gate.', 'scripts/run.sh', 'nothing was found', '1 hook trusted']) expect(added.stdout).toContain(shown);
  expect(await hookline(workspace, FIRE)).toMatchObject({ exit: 2, stderr: 'closed\n' });
  expect(await json(workspace, 'trust', 'list')).toMatchObject({ trusted: [{ name: 'gate', root: workspace.root }], untrusted: [] });

  expect(await json(workspace, 'trust', 'remove')).toMatchObject({ removed: [{ name: 'gate' }] });
  expect((await hookline(workspace, FIRE)).exit).toBe(0);
});

test('a changed script is not trusted any more', async () => {
  const workspace = createWorkspace(FILES);
  await hookline(workspace, ['trust', 'add', '--yes']);
  workspace.write({ '.agents/hooks/gate/scripts/run.sh': '#!/bin/sh\necho other >&2\nexit 2\n' });
  expect((await hookline(workspace, FIRE)).exit).toBe(0);
  expect((await json(workspace, 'trust', 'list'))['untrusted']).toHaveLength(1);
});

test('without a terminal and without --yes nothing is trusted, and it is said what to pass', async () => {
  const workspace = createWorkspace(FILES);
  const refused = await hookline(workspace, ['trust', 'add']);
  expect(refused.exit).toBe(1);
  expect(refused.stdout).toContain('scripts/run.sh');
  expect(refused.stderr).toContain('--yes');
  expect((await hookline(workspace, ['trust', 'add', '--json'])).exit).toBe(1);
  expect((await json(workspace, 'trust', 'list'))['trusted']).toEqual([]);
});

test('a path narrows it down', async () => {
  const other = Object.fromEntries(
    Object.entries(FILES).map(([name, text]) => [name.replace('gate', 'wall'), text.replace('name: gate', 'name: wall')]),
  );
  const workspace = createWorkspace({ ...FILES, ...other });
  await hookline(workspace, ['trust', 'add', '.agents/hooks/wall', '--yes']);
  const listed = await json(workspace, 'trust', 'list');
  expect([listed['trusted'], listed['untrusted']]).toMatchObject([[{ name: 'wall' }], [{ name: 'gate' }]]);
  expect((await hookline(workspace, ['trust', 'remove', '.agents/hooks/gate'])).exit).toBe(1);
  expect((await hookline(workspace, ['trust', 'remove', '.agents/hooks/wall'])).exit).toBe(0);
});

test('what the audit found is shown before anything is trusted', async () => {
  const workspace = createWorkspace({ ...FILES, '.agents/hooks/gate/scripts/run.sh': '#!/bin/sh\nrm -rf /\n' });
  const { stdout } = await hookline(workspace, ['trust', 'add', '--yes']);
  expect(stdout).toContain('catastrophic');
  expect(stdout).toContain('keeps it out');
  expect((await hookline(workspace, FIRE)).stdout).toContain('audit');
});
