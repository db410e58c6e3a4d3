/** Two engines on one durable store: what one holds the other settles, goes on with after a restart, and never twice. */
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Hookline, HooklineOptions } from '../../../src/index.ts';
import { LONG_MS, until } from '../../support/patience.ts';
import { testDatabase } from '../postgres/server.ts';
import { aMoment, createHeldProject, deploy, type HeldProject, hold } from './held-project.ts';

interface Place {
  readonly name: string;
  url(project: HeldProject): Promise<string>;
}

const places: readonly Place[] = [
  { name: 'one SQLite file', url: async (project) => `sqlite:${project.at('~/held.db')}` },
  {
    name: 'one Postgres database',
    async url() {
      const { url, drop } = await testDatabase();
      onTestFinished(drop);
      return url;
    },
  },
];

describe.each(places)('two engines on $name', ({ url }) => {
  async function setUp(options: HooklineOptions = {}): Promise<{
    project: HeldProject;
    one: Hookline;
    other: Hookline;
    open(more?: HooklineOptions): Promise<Hookline>;
  }> {
    const project = createHeldProject();
    const store = await url(project);
    const open = (more: HooklineOptions = {}) => project.open({ store, ...options, ...more });
    return { project, open, one: await open(), other: await open() };
  }

  test('a ticket opened by one and approved at the other wakes the firing that waits, which goes on where it was', async () => {
    const { project, one, other } = await setUp();
    const waiting = one.fire('tool.before', deploy, { wait: LONG_MS });
    const ticket = await openTicket(other);
    expect(project.calls()).toEqual(['first']);
    await other.approvals.approve(ticket, { by: 'ann', note: 'go' });
    expect(await waiting).toMatchObject({
      decision: 'allow',
      reason: 'Approved by ann: go',
      approval: { ticket, state: 'approved', by: 'ann', note: 'go' },
    });
    expect(project.calls()).toEqual(['first', 'last']);
  });

  test('a denial wakes it too, with who and why, and nobody else is asked', async () => {
    const { project, one, other } = await setUp();
    const ticket = await hold(one);
    const waiting = one.waitFor(ticket, { timeoutMs: LONG_MS });
    await aMoment();
    await other.approvals.deny(ticket, { by: 'bob', note: 'not on a Friday' });
    expect(await waiting).toMatchObject({
      decision: 'deny',
      reason: 'Denied by bob: not on a Friday',
      approval: { state: 'denied', by: 'bob' },
    });
    expect(project.calls()).toEqual(['first']);
  });

  test('who waits in vain is told that nobody came, and the ticket stays open', async () => {
    const { one, other } = await setUp();
    const ticket = await hold(one);
    expect(await one.waitFor(ticket, { timeoutMs: 100 })).toBeUndefined();
    expect(await one.fire('tool.before', deploy, { wait: 100 })).toMatchObject({ decision: 'hold', ticket: { id: ticket } });
    expect(await other.approvals.get(ticket)).toMatchObject({ state: 'open' });
  });

  test('after a restart another engine goes on with the hook after the one that suspended it, exactly once', async () => {
    const { project, one, other, open } = await setUp();
    const ticket = await hold(one);
    await Promise.all([one.close(), other.close()]);
    const [third, fourth] = [await open(), await open()];
    const outcome = await third.resume(ticket, { approve: true, by: 'ann' });
    expect(outcome).toMatchObject({ decision: 'allow', approval: { ticket, by: 'ann' } });
    expect(outcome.hooks.map(({ status }) => status)).toEqual(['answered', 'answered', 'answered']);
    expect(project.calls()).toEqual(['first', 'last']);
    for (const engine of [third, fourth])
      await expect(engine.resume(ticket, { approve: true })).rejects.toMatchObject({ code: 'ticket-settled' });
    expect(project.calls()).toEqual(['first', 'last']);
    expect(await hold(fourth)).not.toBe(ticket);
  });

  test('of many that settle it at both, one wins', async () => {
    const { project, one, other } = await setUp();
    const ticket = await hold(one);
    const tries = [one, other, one, other].map((engine, i) => engine.resume(ticket, { approve: i % 2 === 0 }));
    const settled = await Promise.allSettled(tries);
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(project.calls().filter((name) => name === 'last').length).toBeLessThanOrEqual(1);
  });

  test('an approval is used by one of many identical events, wherever they are fired', async () => {
    const { project, one, other } = await setUp();
    const ticket = await hold(one);
    await other.approvals.approve(ticket);
    const outcomes = await Promise.all([one, other, one, other].map((engine) => engine.fire('tool.before', deploy)));
    expect(outcomes.map(({ decision }) => decision).sort()).toEqual(['allow', 'hold', 'hold', 'hold']);
    const renewed = new Set(outcomes.flatMap((outcome) => outcome.ticket?.id ?? []));
    expect(renewed.size).toBe(1);
    expect(renewed.has(ticket)).toBe(false);
    expect(project.calls().filter((name) => name === 'last')).toHaveLength(1);
  });

  test('a late approval within its life releases the identical retry, whatever its session and call id', async () => {
    const { one, other } = await setUp();
    const ticket = await hold(one);
    expect((await one.fire('tool.before', deploy, { wait: 50 })).decision).toBe('hold');
    await other.approvals.approve(ticket, { by: 'ann' });
    const retry = await one.fire('tool.before', { ...deploy, toolUseId: 'another' }, { session: 'another' });
    expect(retry).toMatchObject({ decision: 'allow', approval: { ticket, by: 'ann' } });
  });

  test.each<[string, (project: HeldProject, engine: Hookline) => Promise<string | undefined>]>([
    ['another input', (_, engine) => ticketOf(engine, { tool: 'Deploy', input: { environment: 'staging' } })],
    ['one more key', (_, engine) => ticketOf(engine, { tool: 'Deploy', input: { environment: 'production', force: true } })],
    ['another tool', (_, engine) => ticketOf(engine, { tool: 'Deploy2', input: { environment: 'production' } })],
    ['another working directory', ({ home }, engine) => ticketOf(engine, deploy, home)],
  ])('%s needs a ticket of its own', async (_, fire) => {
    const { project, one, other } = await setUp();
    const ticket = await hold(one);
    await other.approvals.approve(ticket);
    const second = await fire(project, one);
    expect(second).toBeDefined();
    expect(second).not.toBe(ticket);
    expect(await other.approvals.get(ticket)).toMatchObject({ state: 'approved', releasedAt: null });
    expect(await one.fire('tool.before', deploy)).toMatchObject({ decision: 'allow' });
  });

  test('the keys of an input have no order', async () => {
    const { one, other } = await setUp();
    const first = await ticketOf(one, { tool: 'Deploy', input: { a: 1, b: { c: 2, d: 3 } } });
    expect(await ticketOf(other, { tool: 'Deploy', input: { b: { d: 3, c: 2 }, a: 1 } })).toBe(first);
  });

  test('another set of hooks needs a ticket of its own: what was approved was approved under the old ones', async () => {
    const { project, one, open } = await setUp();
    const ticket = await hold(one);
    await one.approvals.approve(ticket);
    project.write({
      'skills/more/SKILL.md':
        '---\nname: more\ndescription: One more.\nhooks:\n  PostToolUse:\n    - hooks:\n        - type: command\n          command: "true"\n---\n',
    });
    expect(await hold(await open())).not.toBe(ticket);
    project.remove('skills/more');
    expect(await (await open()).fire('tool.before', deploy)).toMatchObject({ decision: 'allow', approval: { ticket } });
  });

  test('an engine that lacks the hooks says which, settles nothing and uses up nothing', async () => {
    const { project, one, other, open } = await setUp();
    const ticket = await hold(one);
    const file = project.at('skills/deploys/SKILL.md');
    project.remove('skills/deploys');
    const lacking = await open();
    for (const answer of [{ approve: true }, { approve: true, input: { environment: 'staging' } }]) {
      await expect(lacking.resume(ticket, answer)).rejects.toMatchObject({ code: 'hooks-missing', message: expect.stringContaining(file) });
    }
    expect(await one.approvals.get(ticket)).toMatchObject({ state: 'open', settledAt: null });
    const waiting = expect(lacking.waitFor(ticket, { timeoutMs: LONG_MS })).rejects.toMatchObject({ code: 'hooks-missing' });
    await other.approvals.approve(ticket);
    await waiting;
    expect(await one.approvals.get(ticket)).toMatchObject({ state: 'approved', releasedAt: null });
    expect(project.calls()).toEqual(['first']);
    expect(await other.waitFor(ticket, { timeoutMs: LONG_MS })).toMatchObject({ decision: 'allow', approval: { ticket } });
    expect(project.calls()).toEqual(['first', 'last']);
  });

  test('an engine that lacks the hooks can deny', async () => {
    const { project, one, open } = await setUp();
    const ticket = await hold(one);
    project.remove('skills/deploys');
    const lacking = await open();
    expect(await lacking.resume(ticket, { approve: false, note: 'no' })).toMatchObject({ decision: 'deny', approval: { state: 'denied' } });
  });

  test('a function that was not asked yet is known again in another engine', async () => {
    const { open } = await setUp();
    const ship = { tool: 'Ship', input: { environment: 'production' } };
    const calls: string[] = [];
    const last = (): 'ok' => {
      calls.push('last');
      return 'ok';
    };
    const withGate = async (): Promise<Hookline> => {
      const engine = await open();
      engine.registerSkill({
        name: 'policy',
        hooks: [
          { event: 'PreToolUse', handler: () => ({ pending: {} }) },
          { event: 'PreToolUse', handler: last },
        ],
      });
      return engine;
    };
    const ticket = await hold(await withGate(), ship);
    expect(await (await withGate()).resume(ticket, { approve: true })).toMatchObject({ decision: 'allow' });
    expect(calls).toEqual(['last']);
    const second = await hold(await withGate(), ship);
    const third = await withGate();
    await third.approvals.approve(second);
    expect(await third.fire('tool.before', ship)).toMatchObject({ decision: 'allow', approval: { ticket: second } });
    expect(calls).toEqual(['last', 'last']);
  });

  test('what a person denied is denied again wherever it is tried, with the same reason and no new ticket', async () => {
    const { project, one, other, open } = await setUp();
    const ticket = await hold(one);
    await other.approvals.deny(ticket, { by: 'bob', note: 'not on a Friday' });
    for (const engine of [one, other, await open()]) {
      const again = await engine.fire('tool.before', deploy, { session: 'another' });
      expect(again).toMatchObject({ decision: 'deny', reason: 'Denied by bob: not on a Friday', approval: { ticket, state: 'denied' } });
      expect(again.ticket).toBeUndefined();
    }
    expect(await one.approvals.list()).toHaveLength(1);
    expect(project.calls()).not.toContain('last');
    // Another action, and the same one of an engine that forgets, are held.
    expect(await ticketOf(one, { tool: 'Deploy', input: { environment: 'staging' } })).toBeDefined();
    expect(await hold(await open({ approvals: { denials: 'forget' } }))).not.toBe(ticket);
  });

  test('a denial ends with the life of its ticket, and what was withdrawn or has expired is no denial', async () => {
    const { one } = await setUp();
    const ticket = await hold(one);
    await one.approvals.withdraw(ticket);
    expect(await hold(one)).not.toBe(ticket);
    for (let ticketLifeMs = 700; ; ticketLifeMs *= 2) {
      const { one: brief } = await setUp({ ticketLifeMs });
      const denied = await hold(brief);
      const { expiresAt } = (await brief.approvals.get(denied)) as { expiresAt: number };
      if (!(await brief.approvals.deny(denied).catch(() => undefined))) continue;
      await until(() => Date.now() > expiresAt);
      expect(await hold(brief)).not.toBe(denied);
      return;
    }
  });

  test('a rule that came after it was held is not passed over by an approval', async () => {
    const { project, one, open } = await setUp();
    const [ticket, second] = [await hold(one), await ticketOf(one, { tool: 'Deploy', input: { environment: 'staging' } })];
    const later = await open();
    const undo = later.on('tool.before', () => ({ decision: 'deny', reason: 'frozen since noon' }));
    expect(await later.resume(ticket, { approve: true })).toMatchObject({ decision: 'deny', reason: 'frozen since noon' });
    undo();
    later.on('tool.before', () => undefined, { name: 'new' });
    const outcome = await later.resume(second ?? '', { approve: true });
    expect(outcome.decision).toBe('hold');
    expect(outcome.ticket?.id).not.toBe(second);
    expect(project.calls()).not.toContain('last');
  });

  test('expiry is an outcome of its own: nobody denied it, and an approval comes too late', async () => {
    const { one, other } = await setUp({ ticketLifeMs: 700 });
    const waited = await one.fire('tool.before', deploy, { wait: LONG_MS });
    expect(waited).toMatchObject({ decision: 'deny', approval: { state: 'expired', by: null, note: null } });
    expect(waited.reason).toMatch(/expired/i);
    expect(waited.reason).not.toMatch(/denied/i);
    const ticket = waited.approval?.ticket ?? '';
    expect(await other.approvals.get(ticket)).toMatchObject({ state: 'expired', by: null });
    await expect(other.approvals.approve(ticket)).rejects.toMatchObject({ code: 'ticket-settled' });
    expect(await other.resume(ticket, { approve: true })).toMatchObject({ decision: 'deny', approval: { state: 'expired' } });
    expect(await hold(one)).not.toBe(ticket);
  });

  test('an approval that was not used within its life is void', async () => {
    // On a busy machine a short life may end before the approval, so each attempt gets twice the life of the one before.
    for (let ticketLifeMs = 700; ; ticketLifeMs *= 2) {
      const { one, other } = await setUp({ ticketLifeMs });
      const ticket = await hold(one);
      const { expiresAt } = (await one.approvals.get(ticket)) as { expiresAt: number };
      if (!(await other.approvals.approve(ticket).catch(() => undefined))) continue;
      await until(() => Date.now() > expiresAt);
      expect(await hold(one)).not.toBe(ticket);
      return;
    }
  });

  test('an approval with an edited input runs the edit, after all hooks have judged it', async () => {
    const { project, one, other } = await setUp();
    const ticket = await hold(one);
    await other.approvals.approve(ticket, { by: 'ann', input: { environment: 'staging' } });
    const outcome = await one.fire('tool.before', deploy);
    expect(outcome).toMatchObject({ decision: 'allow', rewrite: { environment: 'staging' }, approval: { ticket, by: 'ann' } });
    // Asked for the first try, the retry, and the edit.
    expect(project.calls()).toEqual(['first', 'first', 'first', 'last']);
  });

  test('an edited approval counts in another process also where the hook is a function', async () => {
    const { open } = await setUp();
    const withGate = async (): Promise<Hookline> => {
      const engine = await open();
      engine.on('prompt.submit', () => ({ decision: 'hold', reason: 'no' }), { name: 'gate' });
      return engine;
    };
    const { ticket } = await (await withGate()).fire('prompt.submit', { prompt: 'first' });
    const outcome = await (await withGate()).resume(ticket?.id ?? '', { approve: true, input: { prompt: 'second' } });
    expect(outcome).toMatchObject({ decision: 'allow', rewrite: 'second' });
  });

  test('an edit that is no input is refused, and settles nothing', async () => {
    const { one, other } = await setUp();
    const ticket = await hold(one);
    await expect(other.approvals.approve(ticket, { input: 'text' })).rejects.toMatchObject({ code: 'bad-option' });
    await expect(other.resume(ticket, { approve: true, input: ['text'] })).rejects.toMatchObject({ code: 'bad-option' });
    expect(await one.approvals.get(ticket)).toMatchObject({ state: 'open' });
  });

  test('of two firings that wait for the same ticket one goes ahead, and the other is told so without an error', async () => {
    const { project, one, other } = await setUp();
    const waiting = [one, other].map((engine) => engine.fire('tool.before', deploy, { wait: LONG_MS }));
    const ticket = await openTicket(one);
    await until(() => project.calls().length === 2);
    await aMoment();
    await one.approvals.approve(ticket);
    const outcomes = await Promise.all(waiting);
    expect(outcomes.map(({ decision }) => decision).sort()).toEqual(['allow', 'deny']);
    expect(outcomes.find(({ decision }) => decision === 'deny')?.reason).toMatch(/another try has already used the approval/);
    expect(project.calls().filter((name) => name === 'last')).toHaveLength(1);
  });
});

/** As soon as there is one. */
async function openTicket(engine: Hookline): Promise<string> {
  for (;;) {
    const [ticket] = await engine.approvals.list({ state: 'open' });
    if (ticket) return ticket.id;
    await aMoment(20);
  }
}

async function ticketOf(engine: Hookline, payload: { tool: string; input: object }, cwd?: string): Promise<string | undefined> {
  const outcome = await engine.fire('tool.before', payload as typeof deploy, cwd === undefined ? {} : { cwd });
  return outcome.decision === 'hold' ? outcome.ticket?.id : undefined;
}
