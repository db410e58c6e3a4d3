/** A hook that wants to be asked once in a session is asked once in each, and again if that could not be noted. */
import { expect, test } from 'vitest';
import type { Hook } from '../../../../src/core/contracts/hook.ts';
import type { HookEvent } from '../../../../src/core/event/event.ts';
import { ASKED_ONCE, createOnceMemory, noteAsked } from '../../../../src/engine/ask/once.ts';
import { callLog, deny, event, hook, type SmallEngine, smallEngine } from '../../../flows/engine/small-engine.ts';

const ONCE = { once: true };
const inSession = (id: string, kind: HookEvent['kind'] = 'tool.before'): HookEvent => ({ ...event(kind), session: { id, cwd: '/' } });
const statuses = async (engine: SmallEngine, session = 's1', kind: HookEvent['kind'] = 'tool.before') =>
  (await engine.fire(inSession(session, kind))).hooks.map(({ status, skip }) => skip ?? status);

test('it is asked once in a session, and once in the next one; the others are asked each time', async () => {
  const { calls, says } = callLog();
  const engine = smallEngine([hook('a/once', says('once'), ONCE), hook('a/each', says('each'))]);
  expect(await statuses(engine)).toEqual(['answered', 'answered']);
  expect(await statuses(engine)).toEqual([ASKED_ONCE, 'answered']);
  expect(await statuses(engine, 's2')).toEqual(['answered', 'answered']);
  expect(await statuses(engine)).toEqual([ASKED_ONCE, 'answered']);
  expect(calls.filter((call) => call.startsWith('once'))).toHaveLength(2);
});

test('a deny counts where it is said, and not a second time', async () => {
  const engine = smallEngine([hook('a/once', () => deny('not yet'), ONCE)]);
  expect(await engine.fire(inSession('s1'))).toMatchObject({ decision: 'deny', reason: 'not yet' });
  expect(await engine.fire(inSession('s1'))).toMatchObject({ decision: 'pass', hooks: [{ status: 'skipped', skip: ASKED_ONCE }] });
});

test('one that failed has not answered: it is asked again', async () => {
  let times = 0;
  const throws = hook(
    'a/once',
    () => {
      times++;
      throw new Error('broken');
    },
    ONCE,
  );
  const engine = smallEngine([throws]);
  expect(await statuses(engine)).toEqual(['faulted']);
  expect(await statuses(engine)).toEqual(['faulted']);
  expect(times).toBe(2);
});

test('one that was skipped has not answered: it is asked as soon as its turn comes', async () => {
  let denies = true;
  const engine = smallEngine([hook('a/gate', () => (denies ? deny() : undefined)), hook('a/once', () => undefined, ONCE)]);
  expect((await statuses(engine))[1]).toContain('after a deny');
  denies = false;
  expect(await statuses(engine)).toEqual(['answered', 'answered']);
  expect(await statuses(engine)).toEqual(['answered', ASKED_ONCE]);
});

test('among hooks that run in parallel it is asked once as well, wherever it stands', async () => {
  const parallel = { event: 'together' };
  for (const order of [
    ['once', 'x', 'y'],
    ['x', 'once', 'y'],
    ['x', 'y', 'once'],
  ]) {
    const engine = smallEngine(order.map((name) => hook(`a/${name}`, () => undefined, { ...parallel, once: name === 'once' })));
    expect(await statuses(engine, 's1', 'tool.error')).toEqual(['answered', 'answered', 'answered']);
    expect(await statuses(engine, 's1', 'tool.error')).toEqual(order.map((name) => (name === 'once' ? ASKED_ONCE : 'answered')));
  }
});

test('in the background it is started once', async () => {
  const { calls, says } = callLog();
  const engine = smallEngine([hook('a/once', says('once'), { ...ONCE, detach: true }), hook('a/each', says('each'), { detach: true })]);
  expect(await statuses(engine)).toEqual(['detached', 'detached']);
  expect(await statuses(engine)).toEqual([ASKED_ONCE, 'detached']);
  await engine.close(1000);
  expect(calls.filter((call) => call.startsWith('once'))).toHaveLength(1);
});

test('a memory that is handed in counts for every engine that has it', async () => {
  const once = createOnceMemory();
  const hooks = [hook('a/once', () => undefined, ONCE)];
  expect(await statuses(smallEngine(hooks, { ports: { once } }))).toEqual(['answered']);
  expect(await statuses(smallEngine(hooks, { ports: { once } }))).toEqual([ASKED_ONCE]);
  expect(await statuses(smallEngine(hooks))).toEqual(['answered']);
});

test('what could not be noted is told with the hook, its place and the cause, and nothing else is', async () => {
  const once = { has: () => false, add: () => 'disk full' };
  const place = { file: '/f', line: 7, scope: 'user' } as const;
  const engine = smallEngine([hook('a/once', () => undefined, { ...ONCE, source: place }), hook('a/each', () => undefined)], {
    ports: { once },
  });
  const { diagnostics } = await engine.fire(inSession('s1'));
  expect(diagnostics).toMatchObject([
    { severity: 'warning', code: 'once-not-noted', file: '/f', line: 7, hint: expect.stringMatching(/\w/) },
  ]);
  for (const part of ['`a/once`', 'disk full']) expect(diagnostics[0]?.message).toContain(part);
  const without: unknown[] = [];
  noteAsked(once, 's', { ...hook('a/x', () => undefined, ONCE), source: { file: '/f', scope: 'user' } } as Hook, without as never);
  expect(without).toHaveLength(1);
  expect(Object.hasOwn(without[0] as object, 'line')).toBe(false);
});

test('a memory keeps hooks of a session apart, and forgets the oldest of a thousand sessions', () => {
  const memory = createOnceMemory();
  expect(memory.has('s0', 'a')).toBe(false);
  expect([memory.add('s0', 'a'), memory.add('s0', 'b')]).toEqual([undefined, undefined]);
  expect([memory.has('s0', 'a'), memory.has('s0', 'b'), memory.has('s0', 'c'), memory.has('s1', 'a')]).toEqual([true, true, false, false]);
  for (let i = 1; i < 1_000; i++) memory.add(`s${i}`, 'a');
  memory.add('s999', 'b');
  expect([memory.has('s0', 'a'), memory.has('s999', 'b')]).toEqual([true, true]);
  memory.add('s1000', 'a');
  expect([memory.has('s0', 'a'), memory.has('s1', 'a'), memory.has('s1000', 'a')]).toEqual([false, true, true]);
});
