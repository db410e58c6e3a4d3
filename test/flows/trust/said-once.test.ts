/** That a protection is not active is said once in a session, and never where there is nothing to say. */
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { HooklineOptions, Outcome } from '../../../src/index.ts';
import { createWorkspace, type Workspace } from '../../support/workspace.ts';
import { BASH, gate, SCRIPT, trustAll } from './trusted-project.ts';

const ASK: HooklineOptions = { trust: 'ask' };

async function fire(workspace: Workspace, session: string): Promise<Outcome> {
  return (await workspace.open(ASK)).fire('tool.before', BASH, { session });
}

function codes({ diagnostics }: Outcome): string[] {
  return diagnostics.map(({ code }) => code);
}

test('the first firing of a session says that a hook is not trusted; every firing has it among its hooks', async () => {
  const workspace = createWorkspace(gate('closed'));
  const first = await fire(workspace, 's1');
  expect(first.diagnostics).toMatchObject([
    {
      severity: 'warning',
      code: 'untrusted-hook',
      message: expect.stringMatching(/^Protection not active: hook `gate`/),
      hint: expect.stringContaining('hookline trust add'),
    },
  ]);
  const second = await fire(workspace, 's1');
  expect([codes(second), second.hooks]).toMatchObject([[], [{ name: 'gate', skip: 'untrusted' }]]);
  expect(codes(await fire(workspace, 's2'))).toEqual(['untrusted-hook']);
});

test('that it has changed is news', async () => {
  const workspace = createWorkspace(gate('closed'));
  await fire(workspace, 's1');
  await trustAll(workspace);
  workspace.write({ [SCRIPT]: '#!/bin/sh\nexit 0\n' });
  expect(codes(await fire(workspace, 's1'))).toEqual(['modified-hook']);
  expect(codes(await fire(workspace, 's1'))).toEqual([]);
});

test('an event that the hook does not apply to says nothing, and neither does one whose hooks all run', async () => {
  const workspace = createWorkspace(gate('closed', 'gate', 'matcher:\n  tool: Write\n'));
  expect(codes(await fire(workspace, 's1'))).toEqual([]);
  await trustAll(workspace);
  await fire(workspace, 's1');
  expect(existsSync(workspace.at('~/.local/state/hookline/said'))).toBe(false);
});

test('one engine says it once also to those who name no session', async () => {
  const workspace = createWorkspace(gate('closed'));
  const hookline = await workspace.open(ASK);
  expect([codes(await hookline.fire('tool.before', BASH)), codes(await hookline.fire('tool.before', BASH))]).toEqual([
    ['untrusted-hook'],
    [],
  ]);
});

test('list says it of every hook that is not active', async () => {
  const workspace = createWorkspace({ ...gate('closed'), ...gate('closed', 'wall') });
  const { diagnostics } = await (await workspace.open(ASK)).list();
  expect(diagnostics.map(({ code }) => code)).toEqual(['untrusted-hook', 'untrusted-hook']);
});
