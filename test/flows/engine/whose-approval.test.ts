/** An approval releases the action of the one it was given for. Whoever settles in time has won, whatever the clock says afterwards. */
import { describe, expect, test } from 'vitest';
import { ANN } from '../../../src/api/testing/sample-records.ts';
import type { Settling, Store } from '../../../src/core/contracts/store.ts';
import type { HookEvent } from '../../../src/core/event/event.ts';
import type { Caller, Who } from '../../../src/core/record/who.ts';
import type { EngineSettings } from '../../../src/engine/ports.ts';
import { createMemoryStore } from '../../../src/stores/memory.ts';
import { event, hold, hook, type SmallEngine, smallEngine } from './small-engine.ts';

const BOB: Who = { ...ANN, osUser: 'bob', userId: '1001' };
const ELSEWHERE: Who = { ...ANN, machine: { id: 'machine-2', name: 'laptop' } };
const gate = hook('a/wait', () => hold());

function engineOf(who: Who, store: Store, settings: Partial<EngineSettings> = {}, now = Date.now): SmallEngine {
  const clock = { iso: () => new Date(now()).toISOString(), now, tick: () => now() };
  const ports = { store: async () => store, who: (caller?: Caller) => ({ ...who, ...caller }), clock };
  return smallEngine([gate], { ports, settings });
}

const settle = (store: Store, id: string | undefined, more: Partial<Settling> = {}) =>
  store.tickets.settle(id ?? '', { state: 'approved', at: Date.now(), by: null, note: null, via: 'cli', edit: null, ...more });

describe('an approval', () => {
  test.each([
    ['another user', BOB],
    ['another machine', ELSEWHERE],
  ])('of one is not used by %s, who has a ticket of their own', async (_, other) => {
    const store = createMemoryStore();
    const [one, two] = [engineOf(ANN, store), engineOf(other, store)];
    const [first, second] = [await one.fire(event('tool.before')), await two.fire(event('tool.before'))];
    expect(second.ticket?.id).not.toBe(first.ticket?.id);
    await settle(store, first.ticket?.id);
    expect(await two.fire(event('tool.before'))).toMatchObject({ decision: 'hold', ticket: { id: second.ticket?.id } });
    expect(await one.fire(event('tool.before'))).toMatchObject({ decision: 'allow' });
  });

  test('for anyone is used once, by the first who takes the action', async () => {
    const store = createMemoryStore();
    const [one, two] = [engineOf(ANN, store), engineOf(BOB, store)];
    const { ticket } = await one.fire(event('tool.before'));
    await settle(store, ticket?.id, { anyone: true, who: ANN });
    expect(await two.fire(event('tool.before', { tool: 'Bash', input: { command: 'pwd' } }))).toMatchObject({ decision: 'hold' });
    expect(await two.fire(event('tool.before'))).toMatchObject({ decision: 'allow', approval: { ticket: ticket?.id, anyone: true } });
    expect(await one.fire(event('tool.before'))).toMatchObject({ decision: 'hold' });
  });

  test('for anyone that a later hook holds again is then the action of the one who took it', async () => {
    const store = createMemoryStore();
    const later = hook('a/later', () => hold('later'));
    const engines = [ANN, BOB].map((who) => smallEngine([gate, later], { ports: { store: async () => store, who: () => who } })) as [
      SmallEngine,
      SmallEngine,
    ];
    const { ticket } = await engines[0].fire(event('tool.before'));
    await settle(store, ticket?.id, { anyone: true });
    const held = await engines[1].fire(event('tool.before'));
    expect(held).toMatchObject({ decision: 'hold', reason: 'later' });
    expect((await store.tickets.get(held.ticket?.id ?? '', Date.now()))?.who?.osUser).toBe('bob');
    await settle(store, held.ticket?.id);
    expect(await engines[1].fire(event('tool.before'))).toMatchObject({ decision: 'allow' });
  });

  test('counts for the host that it was given for, whatever its version, session and subagent', async () => {
    const store = createMemoryStore();
    const engine = engineOf(ANN, store);
    const from = (caller: Caller | undefined, session = 's1'): HookEvent => {
      const fired = event('tool.before');
      return { ...fired, session: { ...fired.session, id: session }, ...(caller && { caller }) };
    };
    const { ticket } = await engine.fire(from({ host: 'one', hostVersion: '1', agent: 'a' }));
    await settle(store, ticket?.id);
    for (const caller of [{ host: 'two' }, undefined]) expect(await engine.fire(from(caller))).toMatchObject({ decision: 'hold' });
    expect(await engine.fire(from({ host: 'one', hostVersion: '2', parent: 'b' }, 's2'))).toMatchObject({ decision: 'allow' });
  });

  test('of an action that is bound to its call counts for that session and call alone', async () => {
    const store = createMemoryStore();
    const engine = engineOf(ANN, store);
    const call = (session: string, toolUseId: string, bind = true): HookEvent => {
      const fired = event('tool.before', { tool: 'Bash', input: { command: 'ls' }, toolUseId });
      return { ...fired, session: { ...fired.session, id: session }, ...(bind && { bind: 'call' as const }) };
    };
    const { ticket } = await engine.fire(call('s', 'c'));
    await settle(store, ticket?.id);
    for (const other of [call('s', 'd'), call('t', 'c'), call('s', 'c', false)]) {
      expect(await engine.fire(other)).toMatchObject({ decision: 'hold' });
    }
    expect(await engine.fire(call('s', 'c'))).toMatchObject({ decision: 'allow' });
  });

  test('given by another person in another process resumes the action of the one who was held', async () => {
    const store = createMemoryStore();
    const { ticket } = await engineOf(ANN, store).fire(event('tool.before'));
    const outcome = await engineOf(BOB, store).resume(ticket?.id ?? '', { approve: true });
    expect(outcome).toMatchObject({ decision: 'allow', reason: 'Approved by bob.', approval: { by: 'bob', who: { userId: '1001' } } });
    expect(await store.tickets.get(ticket?.id ?? '', Date.now())).toMatchObject({
      who: { osUser: 'ann' },
      by: null,
      settledBy: { osUser: 'bob' },
      actor: { via: 'api', by: 'embedding' },
    });
  });

  test('names the account beside a name that was given', async () => {
    const store = createMemoryStore();
    const { ticket } = await engineOf(ANN, store).fire(event('tool.before'));
    const { approval } = await engineOf(BOB, store).resume(ticket?.id ?? '', { approve: true, by: 'the boss' });
    expect(approval).toMatchObject({ by: 'the boss', who: { osUser: 'bob' } });
  });
});

describe('a denial', () => {
  test('is the denial of one, and not of another', async () => {
    const store = createMemoryStore();
    const [one, two] = [engineOf(ANN, store), engineOf(BOB, store)];
    const { ticket } = await one.fire(event('tool.before'));
    await settle(store, ticket?.id, { state: 'denied', by: 'eve', note: 'no' });
    expect(await two.fire(event('tool.before'))).toMatchObject({ decision: 'hold' });
    const again = await one.fire(event('tool.before'));
    expect(again).toMatchObject({ decision: 'deny', reason: 'Denied by eve: no', approval: { ticket: ticket?.id, state: 'denied' } });
    expect(again.hooks).toMatchObject([{ name: 'a/wait', status: 'answered' }]);
  });

  test('is over when the life of its ticket is', async () => {
    let now = 1_000_000;
    const store = createMemoryStore();
    const engine = engineOf(ANN, store, { ticketLifeMs: 1000 }, () => now);
    const { ticket } = await engine.fire(event('tool.before'));
    await settle(store, ticket?.id, { state: 'denied', at: now });
    now += 999;
    expect(await engine.fire(event('tool.before'))).toMatchObject({ decision: 'deny' });
    now += 1;
    expect(await engine.fire(event('tool.before'))).toMatchObject({ decision: 'hold' });
  });

  test('that is to be forgotten is followed by a new ticket', async () => {
    const store = createMemoryStore();
    const engine = engineOf(ANN, store, { denials: 'forget' });
    const { ticket } = await engine.fire(event('tool.before'));
    await settle(store, ticket?.id, { state: 'denied' });
    const again = await engine.fire(event('tool.before'));
    expect(again.decision).toBe('hold');
    expect(again.ticket?.id).not.toBe(ticket?.id);
  });
});

describe('in the last millisecond', () => {
  /** A clock that jumps past the ticket's life as soon as it was settled. */
  async function lastMoment() {
    const time = { now: 1_000_000 };
    const store = createMemoryStore();
    const slow: Store = {
      ...store,
      tickets: {
        ...store.tickets,
        async settle(id, settling) {
          const answer = await store.tickets.settle(id, settling);
          time.now += 10_000;
          return answer;
        },
      },
    };
    const engine = engineOf(ANN, slow, { ticketLifeMs: 1000 }, () => time.now);
    const { ticket } = await engine.fire(event('tool.before'));
    time.now += 999;
    return { time, store, slow, engine, id: ticket?.id ?? '' };
  }

  test('whoever resumes it is told that they won, and the action goes on', async () => {
    const { engine, store, id, time } = await lastMoment();
    expect(await engine.resume(id, { approve: true, by: 'ann' })).toMatchObject({ decision: 'allow', approval: { state: 'approved' } });
    expect(await store.tickets.get(id, time.now)).toMatchObject({ state: 'approved', releasedAt: 1_000_999 });
  });

  test('whoever denies it is told so too', async () => {
    const { engine, id } = await lastMoment();
    expect(await engine.resume(id, { approve: false })).toMatchObject({ decision: 'deny', approval: { state: 'denied' } });
  });

  test('whoever waits for it goes on, although they learn of it too late', async () => {
    const { engine, slow, id, time } = await lastMoment();
    const waiting = engine.waitFor(id, AbortSignal.timeout(60_000));
    // The wait begins before the approval.
    await new Promise((resolve) => setImmediate(resolve));
    await settle(slow, id, { at: time.now });
    expect(await waiting).toMatchObject({ decision: 'allow' });
  });

  test('whoever comes one later is told that it expired', async () => {
    const { engine, id, time } = await lastMoment();
    time.now += 1;
    expect(await engine.resume(id, { approve: true })).toMatchObject({ decision: 'deny', approval: { state: 'expired' } });
  });

  test('whoever begins to wait after its life is told that the approval was not used, and not that another used it', async () => {
    const { engine, slow, id, time } = await lastMoment();
    await settle(slow, id, { at: time.now });
    const outcome = await engine.waitFor(id, AbortSignal.timeout(60_000));
    expect(outcome).toMatchObject({ decision: 'deny', reason: expect.stringContaining('was not used before the ticket expired') });
  });

  test('whoever settles it while another try uses it is told that it was approved', async () => {
    const { store } = await lastMoment();
    const quick: Store = {
      ...store,
      tickets: {
        ...store.tickets,
        async settle(id, settling) {
          const answer = await store.tickets.settle(id, settling);
          await store.tickets.releaseById(id, settling.at);
          return answer;
        },
      },
    };
    const engine = engineOf(BOB, quick);
    const { ticket } = await engine.fire(event('tool.before'));
    const outcome = await engine.resume(ticket?.id ?? '', { approve: true });
    expect(outcome).toMatchObject({ decision: 'deny', approval: { state: 'approved' } });
    expect(outcome.reason).toContain('another try has already used the approval');
  });
});

describe('a process without the hooks of a ticket', () => {
  const asked = hook('a/asked', () => undefined);
  const late = hook('b/late', () => undefined);
  test.each([
    ['the hook that held it', [asked, late], 'a/wait'],
    ['a hook that was asked before', [gate, late], 'a/asked'],
    ['a hook that was not asked yet', [asked, gate], 'a/behind'],
  ])('lacks %s: it says so and settles nothing', async (_, here, name) => {
    const store = createMemoryStore();
    const behind = hook('a/behind', () => undefined);
    const { ticket } = await smallEngine([asked, gate, behind, late], { ports: { store: async () => store } }).fire(event('tool.before'));
    const other = smallEngine(here, { ports: { store: async () => store } });
    await expect(other.resume(ticket?.id ?? '', { approve: true })).rejects.toMatchObject({
      code: 'hooks-missing',
      message: expect.stringContaining(`'${name}'`),
    });
    expect(await store.tickets.get(ticket?.id ?? '', Date.now())).toMatchObject({ state: 'open', by: null });
    await settle(store, ticket?.id);
    await expect(other.waitFor(ticket?.id ?? '', AbortSignal.timeout(60_000))).rejects.toMatchObject({ code: 'hooks-missing' });
    expect(await store.tickets.get(ticket?.id ?? '', Date.now())).toMatchObject({ state: 'approved', releasedAt: null });
  });
});
