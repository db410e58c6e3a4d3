/** Where nobody can be asked, a hook runs because somebody vouches for its digest from outside. */
import { cpSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { HooklineOptions } from '../../../src/index.ts';
import { createWorkspace, type Workspace } from '../../support/workspace.ts';
import { BASH, gate, SCRIPT, trustAll, trustOf } from './trusted-project.ts';

async function digestsOf(workspace: Workspace): Promise<Record<string, string>> {
  const digests = await trustAll(workspace);
  trustOf(workspace).remove(() => true);
  return digests;
}

async function fire(workspace: Workspace, trust: HooklineOptions['trust'], root = workspace.root) {
  const hookline = await workspace.open({ root, ...(trust && { trust }) });
  const outcome = await hookline.fire('tool.before', BASH);
  return { ...outcome, diagnostics: [...hookline.diagnostics, ...outcome.diagnostics] };
}

const codes = ({ diagnostics }: { readonly diagnostics: readonly { readonly code: string }[] }) => diagnostics.map(({ code }) => code);
const lockFor = (digest: string, more = {}) =>
  JSON.stringify({ version: 1, hooks: [{ name: 'gate', dialect: 'agenthooks', file: '.agents/hooks/gate/HOOK.md', digest, ...more }] });

test('a pinned hook runs in every clone, wherever it stands, and no other hook does', async () => {
  const workspace = createWorkspace({ ...gate('closed'), ...gate('other', 'wall', 'priority: 900\n') });
  const { gate: digest } = await digestsOf(workspace);
  const clone = path.join(workspace.root, '../clone');
  cpSync(workspace.root, clone, { recursive: true });
  for (const root of [workspace.root, clone]) {
    const outcome = await fire(workspace, { hooks: { gate: digest as string } }, root);
    expect(outcome).toMatchObject({
      reason: 'closed',
      hooks: [
        { name: 'wall', skip: 'untrusted' },
        { name: 'gate', status: 'answered' },
      ],
    });
    expect(codes(outcome)).toEqual(['untrusted-hook']);
  }
  expect((await fire(workspace, 'ask')).decision).toBe('pass');
});

test('a gate with another digest than its pin denies, and that is said', async () => {
  const workspace = createWorkspace(gate('closed'));
  const { gate: digest } = await digestsOf(workspace);
  workspace.write({ [SCRIPT]: '#!/bin/sh\nexit 0\n' });
  const outcome = await fire(workspace, { hooks: { gate: digest as string } });
  expect(outcome).toMatchObject({ decision: 'deny', hooks: [{ skip: 'modified since it was trusted' }] });
  expect(codes(outcome)).toContain('unmatched-pin');
});

test('a pinned script that is swapped while the engine runs does not run', async () => {
  const workspace = createWorkspace(gate('closed'));
  const { gate: digest } = await digestsOf(workspace);
  const hookline = await workspace.open({ trust: { hooks: { gate: ['sha256:'.padEnd(71, '0'), digest as string] } } });
  expect((await hookline.fire('tool.before', BASH)).reason).toBe('closed');
  workspace.write({ [SCRIPT]: '#!/bin/sh\nexit 0\n' });
  expect(await hookline.fire('tool.before', BASH)).toMatchObject({ decision: 'deny', hooks: [{ skip: 'modified since it was trusted' }] });
});

test('a pin of a hook that is not there is said', async () => {
  const workspace = createWorkspace({});
  expect(codes(await fire(workspace, { hooks: { gate: `sha256:${'0'.repeat(64)}` } }))).toEqual(['unmatched-pin']);
});

test('what is no digest is a wrong option', async () => {
  await expect(createWorkspace({}).open({ trust: { hooks: { gate: 'sha256:abc' } } })).rejects.toMatchObject({ code: 'bad-option' });
  await expect(createWorkspace({}).open({ trust: 'some' as 'all' })).rejects.toMatchObject({ code: 'bad-option' });
});

test('a lock vouches for its hooks in their files, and nothing else', async () => {
  const workspace = createWorkspace(gate('closed'));
  const { gate: digest = '' } = await digestsOf(workspace);
  const lock = workspace.at('~/lock.json');
  workspace.write({ '~/lock.json': lockFor(digest) });
  expect((await fire(workspace, { lock })).reason).toBe('closed');
  for (const other of [{ file: 'x' }, { dialect: 'arawn' }, { name: 'x' }, { digest: `sha256:${'0'.repeat(64)}` }]) {
    workspace.write({ '~/lock.json': lockFor(digest, other) });
    const outcome = await fire(workspace, { lock });
    // The hook that the lock names is this one, and has changed: it denies.
    const decision = 'digest' in other ? 'deny' : 'pass';
    expect([outcome.decision, codes(outcome)]).toEqual([decision, expect.arrayContaining(['unmatched-pin'])]);
  }
});

test('a lock in the checkout is refused', async () => {
  const workspace = createWorkspace(gate('closed'));
  const { gate: digest = '' } = await digestsOf(workspace);
  workspace.write({ 'lock.json': lockFor(digest) });
  await expect(workspace.open({ trust: { lock: workspace.at('lock.json') } })).rejects.toMatchObject({ code: 'bad-lock' });
  expect(readFileSync(workspace.at('lock.json'), 'utf8')).toContain(digest);
});
