/** Held actions: each is settled once, and goes on with the hooks after the one that suspended it. */
import { describe, expect, test } from 'vitest';
import type { Condition } from '../../../src/core/contracts/hook.ts';
import type { JsonObject } from '../../../src/core/values/json.ts';
import { ADMITTED } from '../../../src/engine/ports.ts';
import type { Hookline } from '../../../src/index.ts';
import { createMemoryStore } from '../../../src/stores/memory.ts';
import { createWorkspace } from '../../support/workspace.ts';
import { callLog, deny, event, hold, hook, inputMatching, rewrite, smallEngine } from './small-engine.ts';

const tool = { tool: 'Bash', input: { command: 'ls' } };

async function heldByTheSecondOfThree(): Promise<{ hookline: Hookline; calls: string[]; ticket: string }> {
  const hookline = await createWorkspace().open();
  const calls: string[] = [];
  const note = <T>(name: string, answer: T) => ({
    event: 'PreToolUse' as const,
    handler: () => {
      calls.push(name);
      return answer;
    },
  });
  hookline.registerSkill({
    name: 'policy',
    hooks: [note('one', 'ok' as const), note('two', { pending: { step: 2 } }), note('three', 'ok' as const)],
  });
  const outcome = await hookline.fire('tool.before', tool);
  expect(outcome.decision).toBe('hold');
  return { hookline, calls, ticket: outcome.ticket?.id ?? '' };
}

describe('the state of a pending', () => {
  const STATE = { needs: 'approval', token: 'sk-test-a1B2a1B2a1B2a1B2a1B2a1B2a1B2a1B2a1B2a1B2' };

  test('is in the outcome, the ticket and what later hooks are handed', async () => {
    const hookline = await createWorkspace().open();
    const seen: (JsonObject | undefined)[] = [];
    hookline.registerSkill({
      name: 'policy',
      hooks: [
        { event: 'PreToolUse', handler: () => ({ pending: STATE }) },
        {
          event: 'PreToolUse',
          handler: (context) => {
            seen.push(context);
            return { pending: 'second' };
          },
        },
        { event: 'PreToolUse', handler: (context) => void seen.push(context) },
      ],
    });
    const first = await hookline.fire('tool.before', tool);
    expect(first.hooks[0]).toMatchObject({ decision: 'hold', state: STATE });
    const [ticket] = await hookline.approvals.list();
    expect(ticket?.action.heldBy).toMatchObject([{ state: STATE }]);
    const second = await hookline.resume(first.ticket?.id ?? '', { approve: true });
    expect(second).toMatchObject({ decision: 'hold' });
    const third = await hookline.resume(second.ticket?.id ?? '', { approve: true });
    expect(third.decision).toBe('allow');
    expect(seen.map((context) => context?.['pending'])).toEqual([STATE, 'second']);
  });

  test('is handed over as well when the agent tries the approved action again', async () => {
    const hookline = await createWorkspace().open();
    const seen: unknown[] = [];
    hookline.registerSkill({
      name: 'policy',
      hooks: [
        { event: 'PreToolUse', handler: () => ({ pending: null }) },
        { event: 'PreToolUse', handler: (context) => void seen.push(context) },
      ],
    });
    const { ticket } = await hookline.fire('tool.before', tool);
    await hookline.approvals.approve(ticket?.id ?? '', { by: 'ann' });
    expect(await hookline.fire('tool.before', tool)).toMatchObject({ decision: 'allow' });
    expect(seen).toMatchObject([{ tool: 'Bash', pending: null }]);
  });
});

describe('a held action', () => {
  test('skips the rest of its lane, and has a ticket that expires', async () => {
    const { hookline, calls } = await heldByTheSecondOfThree();
    const { ticket, hooks } = await hookline.fire('tool.before', tool);
    expect(calls).toEqual(['one', 'two', 'one', 'two']);
    expect(Date.parse(ticket?.expiresAt ?? '')).toBeGreaterThan(Date.now());
    expect(hooks.at(-1)).toMatchObject({ status: 'skipped' });
  });

  test('goes on, once approved, with the hook after the one that suspended it', async () => {
    const { hookline, calls, ticket } = await heldByTheSecondOfThree();
    const outcome = await hookline.resume(ticket, { approve: true, by: 'ann', note: 'fine' });
    expect(calls).toEqual(['one', 'two', 'three']);
    expect(outcome).toMatchObject({ decision: 'allow', reason: 'Approved by ann: fine' });
  });

  test('ends, once denied, and asks nobody else', async () => {
    const { hookline, calls, ticket } = await heldByTheSecondOfThree();
    const outcome = await hookline.resume(ticket, { approve: false, by: 'ann', note: 'too risky' });
    expect(calls).toEqual(['one', 'two']);
    expect(outcome).toMatchObject({ decision: 'deny', reason: 'Denied by ann: too risky' });
  });

  test('is settled once: of two who settle it at the same time one wins, and nobody does later', async () => {
    const { hookline, ticket } = await heldByTheSecondOfThree();
    const settled = await Promise.allSettled([hookline.resume(ticket, { approve: true }), hookline.resume(ticket, { approve: false })]);
    expect(settled.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(hookline.resume(ticket, { approve: true })).rejects.toMatchObject({ code: 'ticket-settled' });
  });

  test('that nobody opened can not be settled', async () => {
    const hookline = await createWorkspace().open();
    await expect(hookline.resume('no-such-ticket', { approve: true })).rejects.toMatchObject({ code: 'unknown-ticket' });
  });

  test('is denied once its time is over, even if it is approved', async () => {
    const hookline = await createWorkspace().open({ ticketLifeMs: 1 });
    hookline.on('tool.before', () => ({ decision: 'hold', reason: 'no' }));
    const { ticket } = await hookline.fire('tool.before', tool);
    await new Promise((resolve) => setTimeout(resolve, 30));
    const outcome = await hookline.resume(ticket?.id ?? '', { approve: true });
    expect(outcome.decision).toBe('deny');
    expect(outcome.reason).toMatch(/expired/);
  });

  test('can still be denied by a hook that comes later', async () => {
    const engine = smallEngine([hook('a/wait', () => hold()), hook('a/no', () => deny('still no'))]);
    const { ticket } = await engine.fire(event('tool.before'));
    expect(await engine.resume(ticket?.id ?? '', { approve: true })).toMatchObject({ decision: 'deny', reason: 'still no' });
  });

  test('can be held again by a hook that comes later, with a new ticket', async () => {
    const engine = smallEngine([hook('a/wait', () => hold('first')), hook('a/also', () => hold('second'))]);
    const first = await engine.fire(event('tool.before'));
    const second = await engine.resume(first.ticket?.id ?? '', { approve: true });
    expect(second).toMatchObject({ decision: 'hold', reason: 'second' });
    expect(second.ticket?.id).not.toBe(first.ticket?.id);
    expect(await engine.resume(second.ticket?.id ?? '', { approve: true })).toMatchObject({ decision: 'allow' });
  });

  test('goes on with the input as it was rewritten before, and keeps what was said', async () => {
    const { calls, says } = callLog();
    const engine = smallEngine([hook('a/mend', says('mend', rewrite('ls -l'))), hook('a/wait', () => hold()), hook('b/see', says('see'))]);
    const { ticket } = await engine.fire(event('tool.before'));
    const outcome = await engine.resume(ticket?.id ?? '', { approve: true });
    expect(calls).toEqual(['mend ls', 'see ls -l']);
    expect(outcome.rewrite).toEqual({ command: 'ls -l' });
  });

  test('rewritten after it was approved is no longer what was approved: it is judged again, and needs a new ticket', async () => {
    const engine = smallEngine([hook('a/wait', () => hold()), hook('a/mend', () => rewrite('rm -rf /'))]);
    const { ticket } = await engine.fire(event('tool.before'));
    const outcome = await engine.resume(ticket?.id ?? '', { approve: true });
    expect(outcome).toMatchObject({ decision: 'hold', rewrite: { command: 'rm -rf /' } });
    expect(outcome.ticket?.id).not.toBe(ticket?.id);
  });

  test('approved with an edited input is judged again by every hook, and what runs is the edit', async () => {
    const { calls, says } = callLog();
    const engine = smallEngine([hook('a/early', says('early')), hook('a/wait', () => hold()), hook('b/late', says('late'))]);
    const { ticket } = await engine.fire(event('tool.before'));
    const outcome = await engine.resume(ticket?.id ?? '', { approve: true, by: 'ann', input: { command: 'ls -l' } });
    expect(outcome).toMatchObject({ decision: 'allow', rewrite: { command: 'ls -l' }, approval: { state: 'approved', by: 'ann' } });
    expect(calls).toEqual(['early ls', 'late ls', 'early ls -l', 'late ls -l']);
  });

  test('approved with an edited input is still denied by a hook that objects to the edit', async () => {
    const engine = smallEngine([hook('a/wait', () => hold()), hook('b/no', () => deny('not that'), { when: inputMatching('rm') })]);
    const { ticket } = await engine.fire(event('tool.before'));
    const outcome = await engine.resume(ticket?.id ?? '', { approve: true, input: { command: 'rm -rf /' } });
    expect(outcome).toMatchObject({ decision: 'deny', reason: 'not that' });
  });

  test('can not be approved with an edit that is no input', async () => {
    const engine = smallEngine([hook('a/wait', () => hold())]);
    const { ticket } = await engine.fire(event('tool.before'));
    await expect(engine.resume(ticket?.id ?? '', { approve: true, input: 'text' })).rejects.toMatchObject({ code: 'bad-option' });
    expect(await engine.resume(ticket?.id ?? '', { approve: true })).toMatchObject({ decision: 'allow' });
  });

  test('fired again while it waits has the same ticket', async () => {
    const engine = smallEngine([hook('a/wait', () => hold())]);
    const first = await engine.fire(event('tool.before'));
    const second = await engine.fire({ ...event('tool.before'), data: { tool: 'Bash', input: { command: 'ls' }, toolUseId: 'other' } });
    expect(second.ticket?.id).toBe(first.ticket?.id);
    expect((await engine.fire(event('tool.before', { tool: 'Bash', input: { command: 'ls -l' } }))).ticket?.id).not.toBe(first.ticket?.id);
  });

  test('approved beforehand passes exactly once', async () => {
    const store = createMemoryStore();
    const engine = smallEngine([hook('a/wait', () => hold()), hook('a/late', () => undefined)], { ports: { store: async () => store } });
    const { ticket } = await engine.fire(event('tool.before'));
    const settling = { state: 'approved', at: Date.now(), by: 'ann', note: null, via: 'cli', edit: null } as const;
    await store.tickets.settle(ticket?.id ?? '', settling);
    expect(await engine.fire(event('tool.before'))).toMatchObject({ decision: 'allow', approval: { by: 'ann', state: 'approved' } });
    const third = await engine.fire(event('tool.before'));
    expect(third.decision).toBe('hold');
    expect(third.ticket?.id).not.toBe(ticket?.id);
  });

  test('that two hooks of a lane suspend needs one approval for each, and no more', async () => {
    const store = createMemoryStore();
    const engine = smallEngine([hook('a/first', () => hold('first')), hook('a/second', () => hold('second'))], {
      ports: { store: async () => store },
    });
    const settling = { state: 'approved', at: Date.now(), by: 'ann', note: null, via: 'cli', edit: null } as const;
    for (const reason of ['first', 'second']) {
      const outcome = await engine.fire(event('tool.before'));
      expect(outcome).toMatchObject({ decision: 'hold', reason });
      await store.tickets.settle(outcome.ticket?.id ?? '', settling);
    }
    expect(await engine.fire(event('tool.before'))).toMatchObject({ decision: 'allow' });
    expect(await engine.fire(event('tool.before'))).toMatchObject({ decision: 'hold', reason: 'first' });
  });

  test('approved for one hook is not approved for another that wants a person now', async () => {
    const store = createMemoryStore();
    let other = false;
    const engine = smallEngine(
      [hook('a/sometimes', () => (other ? hold('other') : undefined)), hook('a/wait', () => (other ? undefined : hold('wait')))],
      {
        ports: { store: async () => store },
      },
    );
    const { ticket } = await engine.fire(event('tool.before'));
    await store.tickets.settle(ticket?.id ?? '', { state: 'approved', at: Date.now(), by: 'ann', note: null, via: 'cli', edit: null });
    other = true;
    expect(await engine.fire(event('tool.before'))).toMatchObject({ decision: 'hold', reason: 'other' });
  });

  test('goes on by itself for whoever waits, once somebody else has settled it', async () => {
    const store = createMemoryStore();
    const engine = smallEngine([hook('a/wait', () => hold())], { ports: { store: async () => store } });
    const { ticket } = await engine.fire(event('tool.before'));
    const waiting = engine.waitFor(ticket?.id ?? '', AbortSignal.timeout(5000));
    await store.tickets.settle(ticket?.id ?? '', { state: 'denied', at: Date.now(), by: 'bob', note: 'no', via: 'cli', edit: null });
    expect(await waiting).toMatchObject({ decision: 'deny', reason: 'Denied by bob: no', approval: { state: 'denied' } });
    const open = await engine.fire(event('tool.before', { tool: 'Bash', input: { command: 'pwd' } }));
    expect(await engine.waitFor(open.ticket?.id ?? '', AbortSignal.timeout(20))).toBeUndefined();
  });

  test('whose store is out of order is denied, and says why', async () => {
    const engine = smallEngine([hook('a/wait', () => hold())], { ports: { store: () => Promise.reject(new Error('disk full')) } });
    const outcome = await engine.fire(event('tool.before'));
    expect(outcome).toMatchObject({ decision: 'deny', reason: expect.stringContaining('disk full') });
    expect(outcome.diagnostics).toMatchObject([{ code: 'not-held' }]);
  });

  test('is not put to a hook before the one that suspended it, even if that hook would apply now', async () => {
    const { calls, says } = callLog();
    const onMended: Condition = { facet: 'input', test: { kind: 'pattern', source: 'mended', anchor: 'search' }, missing: 'fails' };
    const engine = smallEngine([
      hook('a/early', says('early'), { when: [onMended] }),
      hook('a/mend', says('mend', rewrite('mended'))),
      hook('a/wait', () => hold()),
      hook('a/late', says('late')),
    ]);
    const { ticket } = await engine.fire(event('tool.before'));
    await engine.resume(ticket?.id ?? '', { approve: true });
    expect(calls).toEqual(['mend ls', 'late mended']);
  });

  test('names every hook once in its outcome', async () => {
    const engine = smallEngine([hook('a/wait', () => hold()), hook('a/late', () => undefined)]);
    const { ticket } = await engine.fire(event('tool.before'));
    const { hooks } = await engine.resume(ticket?.id ?? '', { approve: true });
    expect(hooks.map(({ name, status }) => `${name} ${status}`)).toEqual(['a/wait answered', 'a/late answered']);
  });

  test('held by two lanes has one ticket that says what both want', async () => {
    const engine = smallEngine([hook('a/wait', () => hold('Ask Ann.')), hook('b/wait', () => hold('Ask Bob.'))]);
    const outcome = await engine.fire(event('tool.before'));
    expect(outcome).toMatchObject({ decision: 'hold', reason: 'Ask Ann. Ask Bob.' });
  });

  test('starts its background hooks once it is approved', async () => {
    const { calls, says } = callLog();
    const engine = smallEngine([hook('a/wait', () => hold()), hook('a/log', says('log'), { detach: true })]);
    const { ticket } = await engine.fire(event('tool.before'));
    await engine.resume(ticket?.id ?? '', { approve: true });
    await engine.close(1000);
    expect(calls).toEqual(['log ls']);
  });

  test('that we fail to go on with is denied', async () => {
    let broken = false;
    const engine = smallEngine([hook('a/wait', () => hold()), hook('a/late', () => undefined)], {
      ports: {
        admit: () => {
          if (broken) throw new Error('our bug');
          return ADMITTED;
        },
      },
    });
    const { ticket } = await engine.fire(event('tool.before'));
    expect(ticket).toBeDefined();
    broken = true;
    engine.use([hook('a/wait', () => hold()), { ...hook('a/late', () => undefined), run: undefined as never }]);
    const failed = await engine.resume(ticket?.id ?? '', { approve: true });
    expect(failed).toMatchObject({ decision: 'deny', reason: expect.stringContaining('Hookline itself failed') });
  });

  test('of a closed engine can not be settled', async () => {
    const engine = smallEngine([hook('a/wait', () => hold())]);
    const { ticket } = await engine.fire(event('tool.before'));
    await engine.close(0);
    await expect(engine.resume(ticket?.id ?? '', { approve: true })).rejects.toMatchObject({
      code: 'closed',
      message: 'The engine was closed.',
    });
  });
});

describe('people are told of a ticket', () => {
  function told() {
    const store = createMemoryStore();
    const events: string[] = [];
    const notify = (type: string, { id }: { readonly id: string }): void => void events.push(`${type} ${id}`);
    const engine = smallEngine([hook('a/wait', () => hold())], { ports: { store: async () => store, notify } });
    return { store, events, engine };
  }

  test('once when it is opened, although the call is tried again, and once when it is settled', async () => {
    const { events, engine } = told();
    const id = (await engine.fire(event('tool.before'))).ticket?.id ?? '';
    await engine.fire(event('tool.before'));
    expect(events).toEqual([`ticket.opened ${id}`]);
    await engine.resume(id, { approve: false });
    await expect(engine.resume(id, { approve: true })).rejects.toMatchObject({ code: 'ticket-settled' });
    expect(events).toEqual([`ticket.opened ${id}`, `ticket.settled ${id}`]);
  });

  test('with the tool, if the event has one', async () => {
    const { store, engine } = told();
    const toolOf = async (data?: JsonObject) => {
      const { ticket } = await engine.fire(event('tool.before', data));
      return (await store.tickets.get(ticket?.id ?? '', Date.now()))?.tool;
    };
    expect([await toolOf(), await toolOf({ input: {} })]).toEqual(['Bash', null]);
  });

  test('and an unknown one is named in the error', async () => {
    await expect(told().engine.resume('t-0', { approve: true })).rejects.toMatchObject({ message: 'There is no ticket t-0.' });
  });
});

test('an action whose hooks have changed is judged by the new hooks as it was held, or as a person edited it', async () => {
  for (const [input, shown] of [
    [undefined, ['new ls', 'wait ls']],
    [{ command: 'pwd' }, ['new pwd', 'wait pwd']],
  ] as const) {
    const { calls, says } = callLog();
    const engine = smallEngine([hook('a/wait', () => hold())]);
    const { ticket } = await engine.fire(event('tool.before'));
    engine.use([hook('a/new', says('new')), hook('a/wait', says('wait'))]);
    await engine.resume(ticket?.id ?? '', { approve: true, ...(input && { input }) });
    expect(calls).toEqual(shown);
  }
});

test('an action that a person denied keeps what the hooks before had said, and consents to nothing', async () => {
  const adds = hook('a/adds', () => ({ decision: { kind: 'allow' }, effects: [{ kind: 'context', text: 'x' }] }));
  const engine = smallEngine([adds, hook('a/wait', () => hold())]);
  const { ticket } = await engine.fire(event('tool.before'));
  const outcome = await engine.resume(ticket?.id ?? '', { approve: false });
  expect(outcome).toMatchObject({ decision: 'deny', context: ['x'], contextSources: [{ hook: 'a/adds' }] });
  expect(outcome.hooks.map(({ name }) => name)).toEqual(['a/adds', 'a/wait']);
});
