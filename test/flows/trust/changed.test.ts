/** The answer of a hook whose files changed while it ran counts for nothing, and everybody is told. */
import { expect, test } from 'vitest';
import { DIALECTS } from '../../../src/builtins.ts';
import { policyFor } from '../../../src/core/meaning/interpret.ts';
import type { DetachedEnd } from '../../../src/engine/ports.ts';
import type { HooklineOptions } from '../../../src/index.ts';
import { createWorkspace, type Workspace } from '../../support/workspace.ts';
import { hookline as command, eventually } from '../cli/program.ts';
import { BASH, gate, SCRIPT, trustAll, trustedProject } from './trusted-project.ts';

/** Moves the script away and back: its bytes stay the same, and no process could tell which script was started in between. */
const CHANGES_ITSELF = 'mv "$0" "$0.kept" && mv "$0.kept" "$0"';

/** A hook that changes itself, then goes on. */
function restless(rest: string, more = '', name = 'gate'): Readonly<Record<string, string>> {
  return {
    ...gate('', name, more),
    [`.agents/hooks/${name}/scripts/run.sh`]: `#!/bin/sh\n${CHANGES_ITSELF}\n${rest}\n`,
  };
}

async function fired(workspace: Workspace, options: HooklineOptions = {}) {
  const hookline = await workspace.open({ trust: 'ask', ...options });
  return hookline.fire('tool.before', BASH);
}

test.for(DIALECTS.map(({ id, profile }) => ({ id, profile })))('it denies whatever $id and the user say of faults', ({ profile }) => {
  for (const rule of Object.values(profile.events))
    expect(policyFor('changed', rule, profile.fail, false, { onError: 'pass', lenient: true })).toBe(
      rule.grants.includes('deny') ? 'deny' : 'pass',
    );
});

test.for([
  ['passes', 'exit 0'],
  ['denies', 'exit 2'],
  ['crashes', 'kill -9 $$'],
  ['fails', 'exit 1'],
])('a hook that changed while it ran and then %s is fault `changed`, which denies', async ([, rest = '']) => {
  const { decision, reason, hooks } = await fired(await trustedProject(restless(rest)));
  expect(hooks).toMatchObject([{ status: 'faulted', decision: 'deny', fault: { kind: 'changed' } }]);
  expect(decision).toBe('deny');
  expect(reason).toMatch(
    new RegExp(`^Hook 'gate' was changed while it ran: \`${SCRIPT}\` was .*counts for nothing.*trust diff.*trust.ignores`),
  );
});

test('a hook that changed and timed out is told as both', async () => {
  const { decision, reason } = await fired(await trustedProject(restless('sleep 30', 'timeout: 300\n')));
  expect({ decision, reason }).toEqual({
    decision: 'deny',
    reason: expect.stringMatching(/was changed while it ran: .*it also failed: .*300 ms/),
  });
});

test('on an event that cannot be denied, its effects are dropped and the fault is recorded', async () => {
  const settings = (command: string) => JSON.stringify({ hooks: { SessionStart: [{ hooks: [{ type: 'command', command }] }] } });
  const script = (first: string) => `#!/bin/sh\n${first}\necho 'words for the model'\n`;
  const workspace = await trustedProject({ '.claude/settings.json': settings('./start.sh'), 'start.sh': script('true') });
  const start = async () => (await workspace.open({ trust: 'ask' })).fire('session.start', {});
  expect(await start()).toMatchObject({ context: ['words for the model'] });
  workspace.write({ 'start.sh': script(CHANGES_ITSELF) });
  await trustAll(workspace);
  expect(await start()).toMatchObject({ decision: 'pass', context: [], hooks: [{ status: 'faulted', fault: { kind: 'changed' } }] });
});

test('a pinned hook is looked at again too', async () => {
  // The same project at another place, so that nothing is trusted in this one.
  const hooks = await trustAll(createWorkspace(restless('exit 0')));
  expect(await fired(createWorkspace(restless('exit 0')), { trust: { hooks } })).toMatchObject({
    decision: 'deny',
    hooks: [{ fault: { kind: 'changed' } }],
  });
});

test("the user's own hook may change itself", async () => {
  const own = Object.entries(restless('exit 0')).map(([name, text]) => [name.replace('.agents', '~/.config/agents'), text]);
  expect(await fired(createWorkspace(Object.fromEntries(own)))).toMatchObject({ decision: 'pass', hooks: [{ status: 'answered' }] });
});

test('of a hook in the background the fault is reported and logged', async () => {
  const workspace = await trustedProject(restless('exit 0', 'async: true\n'));
  const ends: DetachedEnd[] = [];
  const hookline = await workspace.open({ trust: 'ask', log: { record: 'asked' }, onDetachedEnd: (end) => ends.push(end) });
  expect((await hookline.fire('tool.before', BASH)).hooks).toMatchObject([{ status: 'detached' }]);
  expect(await eventually(() => ends.length > 0)).toBe(true);
  expect(ends).toMatchObject([{ answer: { kind: 'fault', fault: 'changed' } }]);
  await expect
    .poll(async () => (await hookline.log.list({})).map(({ outcome }) => outcome))
    .toMatchObject([{ hooks: [{ status: 'detached' }] }, { hooks: [{ status: 'faulted', fault: { kind: 'changed' } }] }]);
});

interface Logged {
  readonly id: string;
  readonly outcome: { readonly hooks: readonly { readonly name: string; readonly fault?: { readonly kind: string } }[] };
}

async function logged(workspace: Workspace): Promise<readonly Logged[]> {
  return JSON.parse((await command(workspace, ['log', '--json'])).stdout).entries;
}

test('the command denies because of it, `why` explains it and `doctor` names it', async () => {
  const workspace = await trustedProject(restless('exit 0'));
  const fire = await command(workspace, ['fire', 'tool.before', '--tool', 'Bash']);
  expect(fire).toMatchObject({ exit: 2, stdout: expect.stringContaining('was changed while it ran') });
  const [entry] = await logged(workspace);
  const why = await command(workspace, ['why', entry?.id as string]);
  expect(why.stdout.replace(/\s+/g, ' ')).toMatch(/was changed while it ran, which denies: .*trust\.ignores/);
  const doctor = await command(workspace, ['doctor']);
  expect(doctor.stdout.replace(/\s+/g, ' ')).toMatch(
    /\[hook-failed\] Hook `gate` failed .* fault `changed`: .* Find the program that changes its files/,
  );
});

test('the process that runs hooks in the background after the command logs it', async () => {
  const workspace = await trustedProject(restless('exit 0', 'async: true\n'));
  expect((await command(workspace, ['fire', 'tool.before', '--tool', 'Bash'])).exit).toBe(0);
  const faults = async () => (await logged(workspace)).flatMap(({ outcome }) => outcome.hooks.map(({ fault }) => fault?.kind));
  await expect.poll(faults, { timeout: 30_000, interval: 200 }).toEqual([undefined, 'changed']);
});
