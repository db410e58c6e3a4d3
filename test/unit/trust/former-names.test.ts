/** The name that earlier versions made for a hook goes on working: in trust, in pins, in required hooks and in `onError`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { AGENTS } from '../../../src/builtins.ts';
import type { Hook } from '../../../src/core/contracts/hook.ts';
import { findHooks } from '../../../src/load/check-files.ts';
import { fingerprintOf } from '../../../src/trust/hook-digest.ts';
import { createPins } from '../../../src/trust/lock-file.ts';
import { isEntryOf, openTrust } from '../../../src/trust/trust-file.ts';
import { createWorkspace, type Workspace } from '../../support/workspace.ts';

const FILE = '.claude/settings.json';
const settings = (...commands: string[]) =>
  JSON.stringify({ hooks: { PreToolUse: commands.map((command) => ({ hooks: [{ type: 'command', command }] })) } });

async function hooksOf({ root, home }: Workspace): Promise<Hook[]> {
  const { hooks } = await findHooks({ agents: AGENTS, root, settingsHome: home, paths: [] });
  return hooks.map(({ hook }) => hook);
}

/** A list of trusted hooks as an earlier version wrote it. */
function trustedBefore({ home, root, at }: Workspace, hook: Hook): ReturnType<typeof openTrust> {
  const state = path.join(home, 'state');
  mkdirSync(path.join(state, 'hookline'), { recursive: true });
  const { digest } = fingerprintOf({ ...hook, name: 'uv' }, [], root);
  const entry = { digest, name: 'uv', dialect: hook.dialect, file: at(FILE), root, at: '2026-01-01T00:00:00Z', id: hook.id, by: 'me' };
  writeFileSync(path.join(state, 'hookline', 'trust.json'), JSON.stringify({ trusted: [entry], denied: [] }));
  return openTrust(state);
}

test('a hook that was trusted under its former name stays trusted; changed, it is modified and not merely untrusted', async () => {
  const workspace = createWorkspace({ [FILE]: settings('uv run a.py') });
  const [hook] = (await hooksOf(workspace)) as [Hook];
  const { formerName, ...rest } = hook;
  expect([hook.name, formerName]).toEqual(['a.py', 'uv']);
  const trust = trustedBefore(workspace, rest);
  expect(trust.stateOf(hook, fingerprintOf(hook, [], workspace.root), workspace.root)).toBe('trusted');
  workspace.write({ [FILE]: settings('uv run a.py --other') });
  const [changed] = (await hooksOf(workspace)) as [Hook];
  expect(trust.stateOf(changed, fingerprintOf(changed, [], workspace.root), workspace.root)).toBe('modified');
});

test('an entry with a made name is found by the id when the name moves, and not by another hook with the same former name', async () => {
  const workspace = createWorkspace({ [FILE]: settings('uv run a.py', 'uv run b.py') });
  const [a, b] = (await hooksOf(workspace)) as [Hook, Hook];
  const entry = { digest: 'd', root: workspace.root, at: '', file: a.source.file, dialect: a.dialect, formerName: 'uv' };
  expect(isEntryOf({ ...entry, name: 'a.py-PreToolUse', id: a.id }, a)).toBe(true);
  expect(isEntryOf({ ...entry, name: 'a.py', id: a.id }, b)).toBe(false);
});

test('pins accept the former name', async () => {
  const workspace = createWorkspace({ [FILE]: settings('uv run a.py') });
  const [hook] = (await hooksOf(workspace)) as [Hook];
  const { digest } = fingerprintOf(hook, [], workspace.root);
  for (const name of ['uv', 'a.py']) {
    const pins = createPins({ hooks: { [name]: digest } }, workspace.root);
    expect([pins.accepts(hook, digest), pins.unmatched([hook])]).toEqual([true, []]);
  }
});

test.each(['uv', 'a.py'])('`required` and `onError` know the hook as `%s`', async (name) => {
  const workspace = createWorkspace({
    [`~/${FILE}`]: settings('uv run a.py'),
    '~/.config/hookline/settings.json': JSON.stringify({ onError: { [name]: 'deny' }, required: [name] }),
  });
  const hookline = await workspace.open();
  const { hooks, diagnostics } = await hookline.list();
  expect(hooks.map((hook) => [hook.name, hook.onError])).toEqual([['a.py', 'deny']]);
  expect(diagnostics.map(({ code }) => code)).not.toContain('required-hook');
});
