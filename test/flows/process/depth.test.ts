/** The laws of recursion, on real processes: hooks that fire events come to an end, and nobody can pretend to be above another. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createWorkspace, type Workspace } from '../../support/workspace.ts';
import { hookline } from '../cli/program.ts';

const BIN = fileURLToPath(new URL('../../../bin/hookline.js', import.meta.url));
const FIRE = ['fire', 'tool.before', '--tool', 'Bash', '--input', '{"command":"ls"}', '--trust-all', '--json'];
const AGAIN = `${process.execPath} '${BIN}' ${FIRE.map((word) => `'${word}'`).join(' ')}`;

/** A format whose faults pass, so that only what must not pass is denied. */
function hook(name: string, script: string): Readonly<Record<string, string>> {
  return {
    [`.agents/hooks/${name}/HOOK.md`]: `---\nname: ${name}\ndescription: Calls again.\ntrigger: before_tool\ntimeout: 600000\n---\n`,
    [`.agents/hooks/${name}/scripts/run.sh`]: `#!/bin/sh\n${script}\n`,
  };
}

function lines(workspace: Workspace, name: string): string[] {
  return existsSync(workspace.at(name)) ? readFileSync(workspace.at(name), 'utf8').trim().split('\n') : [];
}

test('a hook that fires the event it hooks runs once', async () => {
  const workspace = createWorkspace();
  workspace.write(hook('again', `echo "$HOOKLINE_DEPTH" >> ${workspace.at('runs')}; ${AGAIN} > ${workspace.at('inner')}`));
  const { stdout, exit } = await hookline(workspace, FIRE);
  expect([exit, lines(workspace, 'runs')]).toEqual([0, ['1']]);
  expect(JSON.parse(stdout).hooks).toMatchObject([{ name: 'again', status: 'answered' }]);
  expect(JSON.parse(readFileSync(workspace.at('inner'), 'utf8'))).toMatchObject({
    decision: 'pass',
    hooks: [{ name: 'again', status: 'skipped', skip: expect.stringContaining('already running above') }],
  });
});

test('two hooks that fire the event run once for each way to get there', async () => {
  const workspace = createWorkspace();
  for (const name of ['one', 'two'])
    workspace.write(hook(name, `echo "${name} $HOOKLINE_DEPTH" >> ${workspace.at('runs')}; ${AGAIN} > /dev/null`));
  expect((await hookline(workspace, FIRE)).exit).toBe(0);
  expect(lines(workspace, 'runs').sort()).toEqual(['one 1', 'one 2', 'two 1', 'two 2']);
});

test('hooks that hide who is above them are stopped by the depth, which denies', async () => {
  const workspace = createWorkspace();
  workspace.write(
    hook('again', `echo "$HOOKLINE_DEPTH" >> ${workspace.at('runs')}; HOOKLINE_HOOKS= ${AGAIN} > ${workspace.at('inner')}-$HOOKLINE_DEPTH`),
  );
  await hookline(workspace, FIRE);
  expect(lines(workspace, 'runs')).toEqual(['1', '2', '3', '4', '5']);
  expect(JSON.parse(readFileSync(workspace.at('inner-5'), 'utf8'))).toMatchObject({
    decision: 'deny',
    hooks: [{ status: 'faulted', fault: { kind: 'depth' } }],
  });
});

test('a variable that names a hook by its id does not switch it off', async () => {
  const workspace = createWorkspace(hook('gate', 'echo no >&2; exit 2'));
  const { hooks } = JSON.parse((await hookline(workspace, ['list', '--json', '--trust-all'])).stdout);
  const { createHash } = await import('node:crypto');
  const guesses = [hooks[0].id, createHash('sha256').update(hooks[0].id).digest('hex').slice(0, 16)].join(',');
  const { exit } = await hookline(workspace, FIRE, { env: { HOOKLINE_DEPTH: '1', HOOKLINE_HOOKS: guesses } });
  expect(exit).toBe(2);
});

test('a depth that somebody made up denies, whatever the format does with faults', async () => {
  const workspace = createWorkspace(hook('gate', 'exit 0'));
  const { exit, stderr } = await hookline(workspace, FIRE, { env: { HOOKLINE_DEPTH: '99' } });
  expect([exit, stderr]).toEqual([2, expect.stringContaining('nested too deep')]);
});
