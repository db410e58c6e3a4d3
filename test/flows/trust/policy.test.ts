/** The policy of a machine holds: what it enforces runs, what it forbids does not, and a broken one opens nothing. */
import { expect, test } from 'vitest';
import type { HooklineOptions } from '../../../src/index.ts';
import { createWorkspace, type Workspace } from '../../support/workspace.ts';
import { BASH, gate, trustAll } from './trusted-project.ts';

/** The files of a hook, below the home: outside of the project. */
function outside(files: Readonly<Record<string, string>>, folder: string): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [name.replace('.agents/hooks', `~/${folder}`), text]));
}

function policed(policy: object, files: Readonly<Record<string, string>> = {}): Workspace {
  return createWorkspace({ '~/policy.json': JSON.stringify(policy), ...files });
}

async function open(workspace: Workspace, options: HooklineOptions = {}) {
  return workspace.open({ policy: workspace.at('~/policy.json'), ...options });
}

async function fire(workspace: Workspace, options: HooklineOptions = {}) {
  return (await open(workspace, options)).fire('tool.before', BASH);
}

test('enforced hooks of any format run, last, trusted, and whatever is loaded alone', async () => {
  const toml = '[hook]\nname = "tidy"\nevent = "before_tool_call"\n[hook.action.shell]\ncommand = "exit 0"\n';
  const workspace = policed(
    { hooks: ['managed'] },
    { ...gate('project'), ...outside(gate('managed', 'wall'), 'managed'), '~/managed/toml/HOOK.toml': toml },
  );
  workspace.write({ '.agents/hooks/gate/scripts/run.sh': '#!/bin/sh\nexit 0\n' });
  const outcome = await fire(workspace);
  expect(outcome).toMatchObject({ decision: 'deny', reason: 'managed' });
  expect(outcome.hooks.map(({ name, source }) => [name, source.scope])).toEqual([
    ['gate', 'project'],
    ['wall', 'managed'],
    ['tidy', 'managed'],
  ]);
  expect((await fire(workspace, { only: ['arawn'], trust: 'ask' })).reason).toBe('managed');
  const listed = await (await open(workspace, { only: ['arawn'] })).list();
  expect(listed.hooks.map(({ name, trusted, enabled }) => [name, trusted, enabled])).toEqual([
    ['wall', true, true],
    ['tidy', true, true],
  ]);
});

test('enforced hooks that are missing, broken or kept out by the audit deny', async () => {
  const why = async (files: Record<string, string>): Promise<string | null> => {
    const { decision, reason } = await fire(policed({ hooks: ['managed'] }, files));
    expect(decision).toBe('deny');
    return reason;
  };
  expect(await why({})).toContain('nothing at this path');
  expect(await why({ '~/managed/x': '' })).toContain('no hook files');
  expect(await why({ '~/managed/wall/HOOK.md': '---\nname: wall\n---\n' })).toContain('description');
  expect(await why({ ...outside(gate('', 'wall'), 'managed'), '~/managed/wall/scripts/run.sh': '#!/bin/sh\nrm -rf /\n' })).toContain(
    'audit',
  );
});

test('only what is allowed is loaded, and what is not is said', async () => {
  const files = { ...gate('project'), ...outside(gate('mine', 'mine'), '.config/agents/hooks'), 'skills/s/SKILL.md': SKILL };
  const names = async (policy: object): Promise<string[]> => {
    const { hooks, diagnostics } = await (await open(policed(policy, files))).list();
    expect(diagnostics.filter(({ code }) => code === 'kept-out-by-policy')).toHaveLength(3 - hooks.length);
    return hooks.map(({ name }) => name.split('/')[0] as string).sort();
  };
  expect(await names({})).toEqual(['gate', 'mine', 's']);
  expect(await names({ managedOnly: true })).toEqual([]);
  expect(await names({ allowedSources: [] })).toEqual([]);
  expect(await names({ allowedSources: ['user'] })).toEqual(['mine']);
  expect(await names({ allowedSources: ['project'] })).toEqual(['gate', 's']);
  expect(await names({ allowedSources: ['skill'] })).toEqual(['s']);
  expect(await names({ allowedSources: ['agenthooks'] })).toEqual(['gate', 'mine']);
});

const SKILL = '---\nname: s\nhooks:\n  PreToolUse:\n    - hooks:\n        - type: command\n          command: "true"\n---\n';

test('a path that is allowed is a path, not the beginning of a word', async () => {
  const workspace = policed({}, gate('project'));
  const run = async (allowed: string) => {
    workspace.write({ '~/policy.json': JSON.stringify({ allowedSources: [allowed] }) });
    return (await fire(workspace)).decision;
  };
  expect(await run(workspace.root)).toBe('deny');
  expect(await run(workspace.at('.agents'))).toBe('deny');
  expect(await run(workspace.root.slice(0, -1))).toBe('pass');
});

test('where project hooks may not be trusted, neither trust nor pins nor `all` lets them run', async () => {
  const workspace = policed({ trust: 'never' }, gate('project'));
  const digests = await trustAll(workspace);
  for (const trust of ['ask', 'all', { hooks: digests }] as const) {
    expect(await fire(workspace, { trust })).toMatchObject({ decision: 'pass', hooks: [{ skip: expect.stringContaining('policy') }] });
  }
  const { hooks } = await (await open(workspace)).list();
  expect(hooks).toMatchObject([{ trusted: false, trust: 'untrusted' }]);
});

test('hooks that the policy requires must be there', async () => {
  expect((await fire(policed({ required: ['wall'] }))).reason).toContain('`wall` is required');
  expect((await fire(policed({ required: ['wall'], hooks: ['managed'] }, outside(gate('managed', 'wall'), 'managed')))).reason).toBe(
    'managed',
  );
});

test.each(['oops', '{"managedonly": true}', '{"trust": "sometimes"}'])(
  'a broken policy (%s) denies what can be denied, loads nothing, and is said',
  async (text) => {
    const workspace = createWorkspace({ '~/policy.json': text, ...gate('project') });
    const hookline = await open(workspace);
    const outcome = await hookline.fire('tool.before', BASH);
    expect(outcome).toMatchObject({ decision: 'deny', hooks: [], reason: expect.stringContaining('policy') });
    expect(await hookline.fire('message.sent', { channel: 'c', content: 'x' })).toMatchObject({
      decision: 'pass',
      diagnostics: [{ severity: 'warning', code: 'broken-policy' }],
    });
    expect((await hookline.list()).diagnostics).toContainEqual(expect.objectContaining({ severity: 'error', code: 'broken-policy' }));
  },
);

test('a policy is read again with every reload', async () => {
  const workspace = policed({}, gate('project'));
  const hookline = await open(workspace);
  expect((await hookline.fire('tool.before', BASH)).decision).toBe('deny');
  workspace.write({ '~/policy.json': '{"managedOnly": true}' });
  await hookline.reload();
  expect((await hookline.fire('tool.before', BASH)).decision).toBe('pass');
});
