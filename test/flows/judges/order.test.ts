/** Judges come last and may only tighten: rules are asked first, a denial saves the model, and no verdict of a model lifts or grants anything. */
import { expect, test } from 'vitest';
import { judgeWith } from '../../../src/ai.ts';
import { scriptedJudge, textOf } from '../../support/scripted-judge.ts';
import { createWorkspace } from '../../support/workspace.ts';

const judged = { type: 'prompt', prompt: 'Only read.' };
const gate = (answer: object) => ({
  type: 'command',
  command: `echo '${JSON.stringify({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...answer } })}'`,
});

/** The hooks of the user's own agent, in the order of the file, and others of another format. */
function files(hooks: readonly object[], plugin: readonly object[] = []): Record<string, string> {
  return {
    '~/.claude/settings.json': JSON.stringify({ hooks: { PreToolUse: [{ hooks }] } }),
    ...(plugin.length > 0 && {
      '~/.config/arawn/plugins/p/.claude-plugin/plugin.json': '{"name": "p"}',
      '~/.config/arawn/plugins/p/hooks/hooks.json': JSON.stringify({ hooks: { PreToolUse: [{ hooks: plugin }] } }),
    }),
  };
}

const BASH = { tool: 'Bash', input: { command: 'ls' } };
const OK = '{"ok": true, "reason": ""}';
const NO = '{"ok": false, "reason": "the judge says no"}';

test.each([
  ['before it in its file', files([gate({ permissionDecision: 'deny', permissionDecisionReason: 'a rule' }), judged])],
  ['after it in its file', files([judged, gate({ permissionDecision: 'deny', permissionDecisionReason: 'a rule' })])],
  ['of a later format', files([gate({ permissionDecision: 'deny', permissionDecisionReason: 'a rule' })], [judged])],
])('a rule %s that denies saves the model, and the report says so', async (_, written) => {
  const model = scriptedJudge(OK);
  const engine = await createWorkspace(written).open({ model: judgeWith(model), log: { record: 'asked' } });
  const outcome = await engine.fire('tool.before', BASH);
  expect(outcome).toMatchObject({ decision: 'deny', reason: 'a rule' });
  expect(model.asked).toEqual([]);
  expect(outcome.hooks.find(({ handler }) => handler === 'prompt')).toMatchObject({
    status: 'skipped',
    skip: expect.stringMatching(/^after a deny by /),
  });
  const [entry] = await engine.log.list();
  expect(JSON.stringify(entry?.outcome)).toContain('after a deny by ');
});

test.each(['ask', 'defer'] as const)(
  'a rule that wants a person (%s) does not save the model: an approved call must be judged too',
  async (word) => {
    const model = scriptedJudge(NO);
    const hooks = word === 'ask' ? [gate({ permissionDecision: 'ask', permissionDecisionReason: 'sure?' }), judged] : [judged];
    const engine = await createWorkspace(files(hooks)).open({ model: judgeWith(model) });
    if (word === 'defer') engine.on('tool.before', () => ({ decision: 'hold', reason: 'wait' }));
    expect(await engine.fire('tool.before', BASH)).toMatchObject({ decision: 'deny', reason: 'the judge says no' });
    expect(model.asked).toHaveLength(1);
  },
);

test('a judge that consents keeps the question of a rule, and an approval then runs what was judged', async () => {
  const model = scriptedJudge(OK);
  const engine = await createWorkspace(files([judged])).open({ model: judgeWith(model) });
  engine.on('tool.before', () => ({ decision: 'hold', reason: 'wait' }));
  const held = await engine.fire('tool.before', BASH);
  expect(held.decision).toBe('hold');
  expect(await engine.resume(held.ticket?.id ?? '', { approve: true })).toMatchObject({ decision: 'allow' });
  expect(model.asked).toHaveLength(1);
});

test('the consent of a judge is no opinion: it grants nothing', async () => {
  const engine = await createWorkspace(files([judged], [judged])).open({ model: judgeWith(scriptedJudge(OK)) });
  expect(await engine.fire('tool.before', BASH)).toMatchObject({ decision: 'pass', reason: null });
});

test('a judge denies what a rule allows', async () => {
  const hooks = [gate({ permissionDecision: 'allow', permissionDecisionReason: 'known' }), judged];
  const engine = await createWorkspace(files(hooks)).open({ model: judgeWith(scriptedJudge(NO)) });
  expect(await engine.fire('tool.before', BASH)).toMatchObject({ decision: 'deny', reason: 'the judge says no' });
});

test('a judge is shown the input that a rule has rewritten', async () => {
  const model = scriptedJudge(NO);
  const hooks = [judged, gate({ permissionDecision: 'allow', updatedInput: { command: 'rewritten' } })];
  const engine = await createWorkspace(files(hooks, [judged])).open({ model: judgeWith(model) });
  expect(await engine.fire('tool.before', BASH)).toMatchObject({ decision: 'deny' });
  expect(model.asked[0] && textOf(model.asked[0])).toContain('rewritten');
});

test('one question of two hooks, or of two sessions, is asked once', async () => {
  const model = scriptedJudge(OK);
  const engine = await createWorkspace(files([judged])).open({ model: judgeWith(model) });
  const first = await engine.fire('tool.before', { ...BASH, toolUseId: 'toolu_0001' }, { session: 'first-session' });
  const again = await engine.fire('tool.before', { ...BASH, toolUseId: 'toolu_0002' }, { session: 'second-session' });
  expect(model.asked).toHaveLength(1);
  expect([first, again].map(({ hooks }) => hooks[0]?.judge?.cached)).toEqual([false, true]);
});
