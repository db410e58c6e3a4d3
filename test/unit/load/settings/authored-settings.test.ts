/** `protect` and `rules` of the settings: each mistake is an error at its place, and it never counts as absent. */
import { expect, test } from 'vitest';
import { guardContext } from '../../../../src/api/guard-context.ts';
import { readPolicy } from '../../../../src/load/settings/policy.ts';
import { readProjectGuard } from '../../../../src/load/settings/project.ts';
import { readSettings } from '../../../../src/load/settings/settings.ts';
import { createWorkspace, type Workspace } from '../../../support/workspace.ts';

const RULE = {
  id: 'no-production',
  severity: 'high',
  match: { effect: 'net.connect', host: '*.prod.example' },
  reason: 'Connects to production ({host}).',
  instead: 'Use staging.',
  tests: { block: ['curl https://db.prod.example'], allow: ['curl https://example.org'] },
};
const SETTINGS = '~/.config/hookline/settings.json';

const read = async (guard: unknown) => {
  const workspace = createWorkspace({ [SETTINGS]: JSON.stringify({ guard }, null, 1) });
  return readSettings(workspace.at('~/.config'));
};
const contextOf = async (workspace: Workspace) => {
  const { settings } = await readSettings(workspace.at('~/.config'));
  const { root, home } = workspace;
  return guardContext({ home }, settings.guard, {
    root,
    home,
    configFolder: workspace.at('~/.config'),
    stateFolder: workspace.at('~/.local/state'),
  });
};

test('rules and protections are read, without their examples', async () => {
  const { tests: _, ...rule } = RULE;
  const { settings, diagnostics } = await read({ protect: { '.env': { write: 'ask', reason: 'r' } }, rules: [RULE] });
  expect([settings.guard, diagnostics]).toEqual([{ protect: { '.env': { write: 'ask', reason: 'r' } }, rules: [rule] }, []]);
});

const MISTAKES: readonly (readonly [name: string, guard: unknown, code: string, message: RegExp])[] = [
  ['an unknown decision', { protect: { a: { write: 'never' } } }, 'bad-protection', /`ask` or `deny`/],
  ['no decision', { protect: { a: { reason: 'x' } } }, 'bad-protection', /decides on no use/],
  ['a misspelt use', { protect: { a: { wriet: 'ask' } } }, 'bad-protection', /has no `wriet`/],
  ['a list of paths', { protect: ['a'] }, 'bad-protection', /must be a map/],
  ['a path that is none', { protect: { '{a,b}': { write: 'ask' } } }, 'bad-protection', /not a path/],
  ['a rule that is text in a map', { rules: { a: 1 } }, 'bad-rule', /must be a list/],
  ['no reason', { rules: [{ ...RULE, reason: undefined }] }, 'bad-rule', /`reason`/],
  ['an unknown effect', { rules: [{ ...RULE, match: { effect: 'net.conect' } }] }, 'bad-rule', /no effect `net.conect`/],
  ['an unknown fact', { rules: [{ ...RULE, match: { effect: 'net.connect', hots: 'a' } }] }, 'bad-rule', /no fact `hots`/],
  ['a condition of the wrong type', { rules: [{ ...RULE, match: { effect: 'net.connect', host: 7 } }] }, 'bad-rule', /must be text/],
  ['no examples', { rules: [{ ...RULE, tests: { block: ['a'] } }] }, 'bad-rule', /`allow`/],
  ['an unknown severity', { rules: [{ ...RULE, severity: 'huge' }] }, 'bad-rule', /`severity`/],
  ['an id with spaces', { rules: [{ ...RULE, id: 'No Production' }] }, 'bad-rule', /not the name of a rule/],
  ['a key of its own', { rules: [{ ...RULE, locked: true }] }, 'bad-rule', /has no `locked`/],
  ['a misspelt section', { protct: { a: { write: 'ask' } } }, 'unknown-key', /no setting `protct`/],
];

test.each(MISTAKES)('%s is an error with its place, breaks the rules, and leaves the rest in force', async (_, guard, code, message) => {
  const { settings, diagnostics } = await read({ preset: 'strict', ...(guard as object) });
  expect(diagnostics).toEqual([expect.objectContaining({ code, line: expect.any(Number), column: expect.any(Number) })]);
  expect(diagnostics[0]?.message).toMatch(message);
  expect(settings.guard?.preset).toBe('strict');
  expect(settings.guard?.broken).toEqual([expect.stringMatching(/settings\.json:\d+:\d+: /)]);
});

test('a good rule next to a bad one stays in force', async () => {
  const { settings } = await read({ rules: [RULE, { ...RULE, id: 'x y' }] });
  expect(settings.guard?.rules?.map(({ id }) => id)).toEqual(['no-production']);
});

test('settings that are no JSON may have had rules, so they are broken', async () => {
  const workspace = createWorkspace({ [SETTINGS]: '{ "guard": { "protect": ' });
  const { settings } = await readSettings(workspace.at('~/.config'));
  expect(settings.guard?.broken).toHaveLength(1);
});

test('rules are also read from YAML files next to the settings, with positions of their own', async () => {
  const yaml = `rules:\n  - id: no-production\n    severity: high\n    match: { effect: net.connect, host: "*.prod.example" }\n    reason: Connects.\n    instead: Stay.\n    tests: { block: [a], allow: [b] }\n  - id: bad\n`;
  const workspace = createWorkspace({
    [SETTINGS]: '{ "guard": { "rules": ["rules.yaml", "gone.yaml"] } }',
    '~/.config/hookline/rules.yaml': yaml,
  });
  const { settings, diagnostics } = await contextOf(workspace);
  expect(settings.rules.map(({ id }) => id)).toEqual(['no-production']);
  expect(diagnostics.find(({ file }) => file?.endsWith('rules.yaml'))).toMatchObject({ code: 'bad-rule', line: 8 });
  expect(settings.broken.some((text) => text.includes('gone.yaml'))).toBe(true);
});

test('the policy of the machine has rules too, and any problem in them makes it a broken policy', async () => {
  const good = createWorkspace({ 'policy.json': JSON.stringify({ guard: { protect: { 'a/**': { read: 'deny' } } } }) });
  expect((await readPolicy(good.at('policy.json'), [], good.at('none'))).policy.guard).toEqual({ protect: { 'a/**': { read: 'deny' } } });
  const bad = createWorkspace({ 'policy.json': JSON.stringify({ guard: { protect: { 'a/**': { read: 'no' } } } }) });
  expect((await readPolicy(bad.at('policy.json'), [], bad.at('none'))).broken).toMatchObject({ code: 'broken-policy' });
});

test('a project only tightens: a value that is more lenient is reported, and has no effect', async () => {
  const guard = {
    preset: 'standard',
    overrides: [{ rule: 'a', reason: 'r', expires: '2999-01-01' }],
    protect: { 'a/**': { write: 'ask' }, 'b/**': { write: 'deny' } },
  };
  const workspace = createWorkspace({ '.hookline/settings.json': JSON.stringify({ guard, strict: false }) });
  const own = { preset: 'strict', protect: { 'a/**': { write: 'deny' } } } as const;
  const project = await readProjectGuard(workspace.root, own);
  expect(project.diagnostics.map(({ code }) => code).sort()).toEqual(['looser-project', 'looser-project', 'looser-project', 'unknown-key']);
  expect(project.guard).not.toHaveProperty('overrides');
  workspace.write({ [SETTINGS]: JSON.stringify({ guard: own }) });
  const { settings } = await contextOf(workspace);
  expect(settings).toMatchObject({
    preset: 'strict',
    overrides: [],
    protect: { 'a/**': { write: 'deny' }, 'b/**': { write: 'deny' } },
  });
});

test('files of rules of a project are next to its settings, where the guard protects them', async () => {
  const workspace = createWorkspace({
    '.hookline/settings.json': '{ "guard": { "rules": ["../rules.yaml"] } }',
    'rules.yaml': 'rules: []',
  });
  const { guard, diagnostics } = await readProjectGuard(workspace.root, {});
  expect([guard.ruleFiles, diagnostics[0]?.code, guard.broken?.length]).toEqual([undefined, 'bad-rule', 1]);
});

test('a change of the settings of a project, or of a file of rules, is noticed', async () => {
  const workspace = createWorkspace();
  const before = await contextOf(workspace);
  expect(before.isCurrent?.()).toBe(true);
  workspace.write({ '.hookline/settings.json': '{ "guard": { "rules": ["r.yaml"] } }' });
  expect(before.isCurrent?.()).toBe(false);
  const then = await contextOf(workspace);
  expect(then.isCurrent?.()).toBe(true);
  workspace.write({ '.hookline/r.yaml': 'rules: []' });
  expect(then.isCurrent?.()).toBe(false);
});
