/** A grant replaces the question of the hooks it was given for, and nothing else: no denial, no other hook's question, no other action. */
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { sampleGrant } from '../../../src/api/testing/sample-records.ts';
import type { Hook } from '../../../src/core/contracts/hook.ts';
import type { Store } from '../../../src/core/contracts/store.ts';
import type { HookEvent } from '../../../src/core/event/event.ts';
import { sameActionDigest } from '../../../src/core/event/tool-wording.ts';
import { type GrantStore, hookIdentity, type NewGrant } from '../../../src/core/record/grant.ts';
import type { Who } from '../../../src/core/record/who.ts';
import type { Ports } from '../../../src/engine/ports.ts';
import { inScope } from '../../../src/guard/scope/scope.ts';
import { createMemoryStore } from '../../../src/stores/memory.ts';
import { allow, ask, callLog, deny, event, hold, hook, rewrite, smallDialect, smallEngine } from './small-engine.ts';

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
const context = { hash, root: '/project', home: '/home/ann' };
const bash = (command: string): HookEvent => event('tool.before', { tool: 'Bash', input: { command } });
const TEST = bash('npm run test');
const LATER = Date.now() + 3_600_000;

const PREFIX: NewGrant['scope'] = {
  same: 'command-prefix',
  tool: 'Bash',
  words: ['npm', 'run', 'test'],
  cwd: '/',
  rest: `sha256:${hash('{}')}`,
};

interface Bench {
  readonly store: Store;
  fire(
    command: HookEvent,
    options?: { readonly callerAsksPeople?: () => boolean },
  ): Promise<Awaited<ReturnType<ReturnType<typeof smallEngine>['fire']>>>;
  give(id: string, hooks: readonly Hook[], more?: Partial<NewGrant>): Promise<unknown>;
  uses(id: string): Promise<number | undefined>;
}

function bench(
  hooks: readonly Hook[],
  more: { readonly ports?: Partial<Ports>; readonly canSettle?: boolean; readonly grants?: Partial<GrantStore> } = {},
): Bench {
  const kept = createMemoryStore();
  const store: Store = { ...kept, grants: { ...kept.grants, ...more.grants } };
  const engine = smallEngine(hooks, {
    dialects: [smallDialect('a'), smallDialect('b'), smallDialect('c', { stopOn: ['deny', 'ask'] })],
    settings: { canSettle: more.canSettle ?? true },
    ports: { store: async () => store, inScope: (scope, one) => inScope(scope, one, context), ...more.ports },
  });
  return {
    store,
    fire: engine.fire,
    give: (id, holders, grant = {}) =>
      kept.grants.add(sampleGrant(id, { scope: PREFIX, who: null, expiresAt: LATER, hooks: holders.map(hookIdentity), ...grant })),
    uses: async (id) => (await kept.grants.get(id))?.uses,
  };
}

const A = hook('a/first', () => hold('first asks'));
const B = hook('b/second', () => hold('second asks'));

describe('what a grant covers', () => {
  test('passes each time, with the reason and the grant, and each use counts', async () => {
    const { fire, give, uses, store } = bench([A]);
    await give('g', [A]);
    for (const count of [1, 2, 3]) {
      const outcome = await fire(bash(`npm run test --shard ${count}`));
      expect(outcome).toMatchObject({ decision: 'allow', id: 'e1', grants: [{ id: 'g', by: 'ann' }] });
      expect(outcome.reason).toMatch(/^Granted by ann until .*`npm run test`/);
      expect(outcome.approval).toBe(undefined);
      expect(await uses('g')).toBe(count);
    }
    expect(await store.tickets.list({}, Date.now())).toEqual([]);
  });

  test('the same action is covered by its digest, also where no scope can be read', async () => {
    const { fire, give } = bench([A], { ports: { inScope: undefined as never } });
    await give('g', [A], { scope: { same: 'action', tool: 'Bash', digest: sameActionDigest(TEST, hash) } });
    expect((await fire(TEST)).decision).toBe('allow');
    expect((await fire(bash('npm run test '))).decision).toBe('hold');
    await give('p', [A]);
    expect((await fire(bash('npm run test --x'))).decision).toBe('hold');
  });

  test.each<[string, Partial<NewGrant>]>([
    ['another project', { root: '/other' }],
    ['another session', { session: 's2' }],
    ['another kind of event', { kind: 'permission.request' }],
    ['another hook', { hooks: [hookIdentity(B)] }],
    ['the same hook of another file', { hooks: [hookIdentity({ ...A, source: { ...A.source, file: '/x' } })] }],
    ['a past time', { expiresAt: Date.now() - 1 }],
    ['another tool', { scope: { ...PREFIX, tool: 'Shell' } as NewGrant['scope'] }],
    ['a person, while it is unknown whose action this is', { who: sampleGrant('x').who }],
  ])('a grant for %s covers nothing here', async (_, more) => {
    const { fire, give, uses } = bench([A]);
    await give('g', [A], more);
    expect((await fire(TEST)).decision).toBe('hold');
    expect(await uses('g')).toBe(0);
  });

  test('a grant for one person on one machine is not for another', async () => {
    const ann = sampleGrant('x').who as Who;
    for (const [who, decision] of [
      [{ ...ann, osUser: 'renamed', host: 'another' }, 'allow'],
      [{ ...ann, userId: '1001' }, 'hold'],
      [{ ...ann, machine: { ...ann.machine, id: 'machine-2' } }, 'hold'],
    ] as const) {
      const { fire, give } = bench([A], { ports: { who: () => who } });
      await give('g', [A], { who: ann });
      expect((await fire(TEST)).decision).toBe(decision);
    }
  });
});

describe('what a grant never replaces', () => {
  test('the question of another hook: only grants that cover both let it pass', async () => {
    const { fire, give, uses, store } = bench([A, B]);
    await give('for-a', [A]);
    expect((await fire(TEST)).decision).toBe('hold');
    expect(await uses('for-a')).toBe(0);
    await give('for-b', [B], { scope: { ...PREFIX, words: ['npm', 'run'] } as NewGrant['scope'] });
    expect(await fire(TEST)).toMatchObject({ decision: 'allow', grants: [{ id: 'for-a' }, { id: 'for-b' }] });
    expect((await fire(bash('npm run build'))).decision).toBe('hold');
    expect([await uses('for-a'), await uses('for-b')]).toEqual([1, 1]);
    await store.grants.revoke('for-b', { name: 'ann', actor: sampleGrant('x').actor }, Date.now());
    expect((await fire(TEST)).decision).toBe('hold');
  });

  test('a denial, whether it comes before, after, in another lane, or from a hook that had waited', async () => {
    const denying = (name: string, more: Partial<Hook> = {}): Hook => hook(name, () => deny('never'), more);
    for (const hooks of [
      [A, denying('b/deny')],
      [denying('a/deny', { priority: 9 }), A],
      [A, denying('a/deny', { priority: -9 })],
      [hook('b/hold', () => hold()), denying('a/deny')],
    ]) {
      const { fire, give } = bench(hooks);
      await give('g', hooks);
      expect(await fire(TEST)).toMatchObject({ decision: 'deny', reason: 'never' });
    }
  });

  test('the question of a hook that had waited: it is asked, and needs a grant of its own', async () => {
    const { calls, says } = callLog();
    const [first, second] = [hook('a/1', says('first', hold()), { priority: 2 }), hook('a/2', says('second', hold()), { priority: 1 })];
    const { fire, give } = bench([first, second]);
    await give('g', [first]);
    expect((await fire(TEST)).decision).toBe('hold');
    expect(calls).toEqual(['first npm run test', 'second npm run test']);
    await give('h', [second]);
    expect(await fire(TEST)).toMatchObject({ decision: 'allow', id: 'e1', grants: [{ id: 'g' }, { id: 'h' }] });
  });

  test('the question of a hook that failed, or that cannot be told from another', async () => {
    const twin = { ...A, id: 'a/twin' };
    const { fire, give } = bench([A, twin]);
    await give('g', [A]);
    expect((await fire(TEST)).decision).toBe('hold');
    const broken = (): never => {
      throw new Error('broken');
    };
    const failing = hook('a/failing', broken, { onError: 'ask' });
    const failed = bench([failing]);
    await failed.give('g', [failing]);
    expect((await failed.fire(TEST)).decision).toBe('hold');
    expect(await failed.uses('g')).toBe(0);
  });

  test('the question about an action that a later hook made of it', async () => {
    const changing = hook('a/later', () => rewrite('rm -rf /'), { priority: -1 });
    const { fire, give, store } = bench([A, changing]);
    await give('g', [A]);
    const outcome = await fire(TEST);
    expect(outcome.decision).toBe('hold');
    const [ticket] = await store.tickets.list({}, Date.now());
    expect(ticket?.action.event.data['input']).toEqual({ command: 'rm -rf /' });
  });

  test('a hook that changes the action again and again does not go round for ever', async () => {
    let count = 0;
    const changing = hook('a/later', () => rewrite(`npm run test ${count++}`), { priority: -1 });
    const { fire, give } = bench([A, changing]);
    await give('g', [A]);
    expect((await fire(TEST)).decision).toBe('hold');
    expect(count).toBeLessThan(5);
  });
});

describe('a question that the caller would ask its own user', () => {
  const asking = hook('a/asking', () => ask('sure?'));

  test('is answered by a grant, and stays a question without one', async () => {
    const { fire, give, uses } = bench([asking]);
    expect((await fire(TEST, { callerAsksPeople: () => true })).decision).toBe('ask');
    await give('g', [asking]);
    expect((await fire(TEST, { callerAsksPeople: () => true })).decision).toBe('allow');
    expect((await fire(bash('ls'), { callerAsksPeople: () => true })).decision).toBe('ask');
    expect(await uses('g')).toBe(1);
  });

  test('is answered by a grant where nobody can answer', async () => {
    const { fire, give } = bench([asking], { canSettle: false });
    expect((await fire(TEST)).decision).toBe('deny');
    await give('g', [asking]);
    expect((await fire(TEST)).decision).toBe('allow');
  });

  test('ends a lane whose next hooks are asked after the grant', async () => {
    const { calls, says } = callLog();
    const first = hook('c/1', says('first', ask()), { priority: 2 });
    const { fire, give } = bench([first, hook('c/2', says('second', deny('never')), { priority: 1 })]);
    await give('g', [first]);
    expect(await fire(TEST, { callerAsksPeople: () => true })).toMatchObject({ decision: 'deny', reason: 'never' });
    expect(calls).toEqual(['first npm run test', 'second npm run test']);
  });

  test('an allow of another hook changes nothing about that', async () => {
    const { fire } = bench([asking, hook('b/allow', () => allow())]);
    expect((await fire(TEST, { callerAsksPeople: () => true })).decision).toBe('ask');
  });
});

describe('a use that does not count does not pass', () => {
  test('a grant that is revoked between the look and the use', async () => {
    const { fire, give } = bench([A], { grants: { use: async () => undefined } });
    await give('g', [A]);
    expect((await fire(TEST)).decision).toBe('hold');
  });

  test('a grant that was wider when it was found than when it was used', async () => {
    const narrow = { ...sampleGrant('g'), scope: PREFIX, who: null, revokedAt: null, revokedBy: null, uses: 1, usedAt: 1 };
    const { fire, give } = bench([A], { grants: { use: async () => ({ ...narrow, hooks: [hookIdentity(A)] }) } });
    await give('g', [A], { scope: { ...PREFIX, words: ['npm'] } as NewGrant['scope'] });
    expect((await fire(TEST)).decision).toBe('hold');
  });

  test('a use that cannot be recorded', async () => {
    const broken = { use: () => Promise.reject(new Error('disk full')) };
    const held = bench([A], { grants: broken });
    await held.give('g', [A]);
    expect(await held.fire(TEST)).toMatchObject({ decision: 'deny', diagnostics: [{ code: 'not-held' }] });
    const asking = hook('a/asking', () => ask('sure?'));
    const asked = bench([asking], { grants: broken });
    await asked.give('g', [asking]);
    expect((await asked.fire(TEST, { callerAsksPeople: () => true })).decision).toBe('ask');
  });
});
