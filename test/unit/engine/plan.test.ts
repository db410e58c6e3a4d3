/** A plan says of every hook whether it would run, and why, and runs none. */
import { expect, test } from 'vitest';
import type { Hook } from '../../../src/core/contracts/hook.ts';
import type { NotAdmitted } from '../../../src/engine/ports.ts';
import { event, hook, inputMatching, smallEngine } from '../../flows/engine/small-engine.ts';

const never = () => {
  throw new Error('it ran');
};
const NO: NotAdmitted = { admitted: false, cause: 'untrusted', skipReason: 'untrusted', fix: 'Trust it.', diagnostics: [] };
const plan = async (more: Partial<Hook>, kind: Parameters<typeof event>[0] = 'tool.before') =>
  (await smallEngine([hook('a/one', never, more)]).plan(event(kind))).hooks[0];

test('hooks that would run come first, in order, then the others', async () => {
  const hooks = [
    hook('a/off', never, { enabled: false }),
    hook('b/one', never),
    hook('a/one', never),
    hook('c/watch', never, { event: 'watch' }),
  ];
  const planned = await smallEngine(hooks).plan(event('tool.before'));
  expect(planned.kind).toBe('tool.before');
  expect(planned.hooks.map(({ name, runs }) => [name, runs])).toEqual([
    ['a/one', true],
    ['b/one', true],
    ['a/off', false],
    ['c/watch', false],
  ]);
  expect(planned).not.toHaveProperty('denied');
});

test('a hook is shown with what it is and how it is asked', async () => {
  expect(await plan({ priority: 7, timeoutMs: 77 })).toMatchObject({
    ...{ id: 'a/one', name: 'a/one', dialect: 'a', event: 'gate', handler: 'function', runs: true },
    ...{ detach: false, priority: 7, timeoutMs: 77 },
  });
  expect(await plan({})).not.toHaveProperty('required');
  expect(await plan({ required: true })).toMatchObject({ runs: true, required: true });
});

test('why it runs: its conditions, and its power', async () => {
  const two = [...inputMatching('ls'), ...inputMatching('l')];
  expect((await plan({}))?.why).toMatch(/no conditions.*can deny/);
  expect((await plan({ when: inputMatching('ls') }))?.why).toMatch(/condition holds/);
  expect((await plan({ when: two }))?.why).toMatch(/conditions hold/);
  expect((await plan({ event: 'watch' }, 'tool.after'))?.why).toMatch(/only observes/);
  for (const planned of [await plan({ detach: true }), await plan({ event: 'later' }, 'heartbeat')]) {
    expect(planned).toMatchObject({ detach: true, runs: true });
    expect(planned?.why).toMatch(/background/);
  }
});

test('why it does not run: other conditions, switched off, above, not admitted', async () => {
  expect(await plan({ when: inputMatching('^rm') })).toMatchObject({ runs: false, why: expect.stringMatching(/\w/) });
  expect(await plan({ enabled: false })).toMatchObject({ runs: false, why: expect.stringMatching(/disabled/) });
  expect(await plan({ enabled: false, offBy: 'the settings' })).toMatchObject({
    runs: false,
    why: expect.stringContaining('the settings'),
  });
  const { run: _, ...file } = hook('a/one', never);
  const above = smallEngine([file], { ports: { ancestorMark: () => 'm' }, settings: { nesting: { depth: 1, hooks: ['m'] } } });
  expect((await above.plan(event('tool.before'))).hooks).toMatchObject([{ runs: false, why: expect.stringContaining('above') }]);
  const untrusted = smallEngine([file], { ports: { admit: () => NO } });
  expect((await untrusted.plan(event('tool.before'))).hooks).toMatchObject([{ runs: false, why: 'untrusted' }]);
});

test('a required hook that would not run says that the event is denied, and what to do', async () => {
  const { run: _, ...file } = hook('a/one', never, { required: true });
  const [planned] = (await smallEngine([file], { ports: { admit: () => NO } }).plan(event('tool.before'))).hooks;
  expect(planned).toMatchObject({ runs: false, required: true });
  expect(planned?.why).toMatch(/untrusted.*required.*denied.*Trust it\./);
});

test('an event that is denied before any hook is asked says so, where it can be denied', async () => {
  const engine = smallEngine([]);
  const missing = (message: string, hint?: string) => ({
    by: 'x',
    diagnostic: { severity: 'error' as const, code: 'c', message, ...(hint !== undefined && { hint }) },
  });
  engine.use([], { required: new Set(), missing: [missing('One.', 'Mend.'), missing('Two.')] });
  expect((await engine.plan(event('tool.before'))).denied).toBe('One. Mend. Two.');
  expect(await engine.plan(event('tool.after'))).not.toHaveProperty('denied');
  const denied = await engine.fire(event('tool.before'));
  expect(denied).toMatchObject({
    decision: 'deny',
    reason: 'One. Mend. Two.',
    diagnostics: [{ severity: 'error' }, { severity: 'error' }],
  });
  expect(await engine.fire(event('tool.after'))).toMatchObject({
    decision: 'pass',
    diagnostics: [{ severity: 'warning' }, { severity: 'warning' }],
  });
});
