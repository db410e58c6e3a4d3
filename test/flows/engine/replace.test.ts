/** What a hook puts in the place of what came back: it reaches the outcome, and nobody undoes it who has not seen it. */
import { describe, expect, test } from 'vitest';
import type { Verdict } from '../../../src/core/decision/decision.ts';
import { createWorkspace } from '../../support/workspace.ts';
import { event, hook, type Say, smallDialect, smallEngine } from './small-engine.ts';

const CALL = { tool: 'Bash', input: { command: 'env' }, result: 'key: abc, id: 7' };
const replace = (value: string): Verdict => ({ decision: { kind: 'pass' }, effects: [{ kind: 'replace', value }] });

/** Replaces a part of what it is shown. */
const masks =
  (part: RegExp): Say =>
  ({ result }) =>
    replace(String(result).replace(part, '***'));

function replacing(inputs: 'piped' | 'original', ids: readonly string[] = ['a', 'b']) {
  return ids.map((id) => {
    const dialect = smallDialect(id, { inputs });
    const watch = { ...dialect.profile.events['watch'], grants: ['replace', 'notice'] } as const;
    return { ...dialect, profile: { ...dialect.profile, events: { ...dialect.profile.events, watch } } } as typeof dialect;
  });
}

const after = () => event('tool.after', CALL);
const watch = { event: 'watch' };

test.each(['piped', 'original'] as const)('a later lane is shown what an earlier one left, and adds to it (%s)', async (inputs) => {
  const hooks = [hook('a/one', masks(/abc/), watch), hook('b/two', masks(/7/), watch)];
  const outcome = await smallEngine(hooks, { dialects: replacing(inputs) }).fire(after());
  expect(outcome).toMatchObject({ decision: 'pass', replace: 'key: ***, id: ***' });
});

describe('within a lane', () => {
  const hooks = [hook('a/one', masks(/abc/), watch), hook('a/two', masks(/7/), watch)];

  test('the next hook is shown it where the format chains', async () => {
    expect(await smallEngine(hooks, { dialects: replacing('piped') }).fire(after())).toMatchObject({ replace: 'key: ***, id: ***' });
  });

  test('else each is shown the original, and the last one stands', async () => {
    expect(await smallEngine(hooks, { dialects: replacing('original') }).fire(after())).toMatchObject({ replace: 'key: abc, id: ***' });
  });
});

test('where the event does not grant it, it is dropped with a warning', async () => {
  const outcome = await smallEngine([hook('a/one', masks(/abc/), watch)]).fire(after());
  expect(outcome.replace).toBeUndefined();
  expect(outcome.diagnostics).toMatchObject([{ code: 'not-granted', message: expect.stringContaining('`replace`') }]);
});

test('an outcome without one has no such key', async () => {
  expect(await smallEngine([hook('a/one', () => undefined, watch)]).fire(after())).not.toHaveProperty('replace');
});

test('a function replaces what a tool brought back, and the log tells of it, but not if it is to be kept quiet', async () => {
  const workspace = createWorkspace();
  const hookline = await workspace.open({ store: `sqlite:${workspace.at('~/log.db')}` });
  const off = hookline.on('tool.after', ({ data }) => ({ replace: String(data.result).replace('abc', '***') }));
  expect(await hookline.fire('tool.after', CALL)).toMatchObject({ decision: 'pass', replace: 'key: ***, id: 7' });
  off();
  hookline.on('tool.after', () => ({ replace: 'nothing to see', quiet: true }));
  await hookline.fire('tool.after', CALL);
  const [first, second] = await hookline.log.list({});
  expect(first?.outcome).toMatchObject({ replace: 'key: ***, id: 7' });
  expect(second?.outcome).not.toHaveProperty('replace');
  expect(second?.masked).toContain('/outcome/replace');
});

describe('a function that denies after a tool', () => {
  test('withholds the result, and holds, asks or allows nothing', async () => {
    const hookline = await createWorkspace().open();
    hookline.on('tool.after', ({ data }) => (String(data.result).includes('key') ? { decision: 'deny', reason: 'It has a key.' } : null));
    expect(await hookline.fire('tool.after', CALL)).toMatchObject({ decision: 'deny', reason: 'It has a key.' });
    expect(await hookline.fire('tool.after', { ...CALL, result: 'nothing' })).toMatchObject({ decision: 'pass' });
    for (const decision of ['allow', 'ask', 'hold'] as const) {
      const off = hookline.on('tool.after', () => ({ decision, reason: 'no' }), { priority: 1 });
      const outcome = await hookline.fire('tool.after', { ...CALL, result: 'nothing' });
      expect(outcome).toMatchObject({ decision: 'pass', diagnostics: [{ code: 'not-granted' }] });
      off();
    }
  });

  test('withholds it too if it fails, because it may be the check for secrets', async () => {
    const hookline = await createWorkspace().open();
    hookline.on('tool.after', () => Promise.reject(new Error('broken')), { name: 'secrets' });
    expect(await hookline.fire('tool.after', CALL)).toMatchObject({ decision: 'deny', reason: "Hook 'secrets' threw: broken." });
  });
});
