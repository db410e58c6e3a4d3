/** Callers that have a held action again: `settle` for the one that resumes it, `onSettled` for the one that waits for any of them. */
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Hookline, HooklineOptions, TicketRecord } from '../../../src/index.ts';
import { until } from '../../support/patience.ts';
import { createWorkspace, type Workspace } from '../../support/workspace.ts';
import { testDatabase } from '../postgres/server.ts';

const stores: readonly { readonly name: string; url(workspace: Workspace): Promise<string> }[] = [
  { name: 'SQLite', url: async (workspace) => `sqlite:${workspace.at('~/held.db')}` },
  {
    name: 'Postgres',
    async url() {
      const { url, drop } = await testDatabase();
      onTestFinished(drop);
      return url;
    },
  },
];
const DEPLOY = { tool: 'Deploy', input: { environment: 'production' }, toolUseId: 'c1' };
const CALL = { session: 's1', bind: 'call', metadata: { run: 'r1' } } as const;

async function holding(hookline: Hookline): Promise<Hookline> {
  hookline.on('tool.before', () => ({ decision: 'hold', reason: 'a person decides' }), { name: 'ask-first' });
  return hookline;
}

async function held(hookline: Hookline, payload = DEPLOY): Promise<string> {
  return (await hookline.fire('tool.before', payload, CALL)).ticket?.id ?? '';
}

const decided = async (outcome: ReturnType<Hookline['fire']>) => {
  const { decision, reason, ticket } = await outcome;
  return { decision, reason, ...(ticket && { ticket: ticket.id }) };
};

describe.each(stores)('on one $name store', ({ url }) => {
  const setUp = async (options: HooklineOptions = {}) => {
    const workspace = createWorkspace();
    const store = await url(workspace);
    const open = async (more: HooklineOptions = {}) => holding(await workspace.open({ store, ...options, ...more }));
    return { workspace, open, one: await open(), other: await open() };
  };

  test('an open ticket settles as a hold with that ticket, and fires nothing', async () => {
    const { one } = await setUp();
    const ticket = await held(one);
    let asked = 0;
    one.on('tool.before', () => void asked++, { name: 'count' });
    expect(await decided(one.settle(ticket, 'tool.before', DEPLOY, CALL))).toEqual({
      decision: 'hold',
      reason: 'a person decides',
      ticket,
    });
    expect(asked).toBe(0);
  });

  test('an approved ticket releases exactly its action, once, in another engine', async () => {
    const { one, other } = await setUp();
    const ticket = await held(one);
    await other.approvals.approve(ticket, { by: 'ann' });
    const edited = { ...DEPLOY, input: { environment: 'elsewhere' } };
    expect((await other.settle(ticket, 'tool.before', edited, CALL)).decision).toBe('hold');
    expect((await other.settle(ticket, 'tool.before', DEPLOY, { ...CALL, session: 's2' })).decision).toBe('hold');
    expect((await other.settle(ticket, 'tool.before', DEPLOY, CALL)).decision).toBe('allow');
    expect(await decided(one.settle(ticket, 'tool.before', DEPLOY, CALL))).toMatchObject({
      decision: 'deny',
      reason: expect.stringContaining('already used the approval'),
    });
  });

  test('a denied, withdrawn or expired ticket is a denial that says which, with the name and the note', async () => {
    const { one, open } = await setUp();
    const [denied, withdrawn] = [await held(one), await held(one, { ...DEPLOY, toolUseId: 'c2' })];
    await one.approvals.deny(denied, { by: 'ann', note: 'not now' });
    await one.approvals.withdraw(withdrawn, { by: 'bob' });
    expect(await decided(one.settle(denied, 'tool.before', DEPLOY, CALL))).toEqual({ decision: 'deny', reason: 'Denied by ann: not now' });
    expect(await decided(one.settle(withdrawn, 'tool.before', DEPLOY, CALL))).toEqual({ decision: 'deny', reason: 'Withdrawn by bob.' });
    const brief = await open({ ticketLifeMs: 1 });
    const expired = await held(brief, { ...DEPLOY, toolUseId: 'c3' });
    await until(async () => (await brief.approvals.get(expired))?.state === 'expired');
    expect((await brief.settle(expired, 'tool.before', DEPLOY, CALL)).reason).toContain('expired');
  });

  test('a ticket that does not exist is an error, also for an event in the format of a dialect', async () => {
    const { one } = await setUp();
    await expect(one.settle('nobody', 'tool.before', DEPLOY, CALL)).rejects.toMatchObject({ code: 'unknown-ticket' });
    const native = { as: 'claude-agent', event: 'PreToolUse', payload: {} } as const;
    await expect(one.settle('nobody', native)).rejects.toMatchObject({ code: 'unknown-ticket' });
  });

  test('the data of the caller is on the ticket, also on the next one of the same action, and binds nothing', async () => {
    const { one, other } = await setUp();
    const ticket = await held(one);
    expect((await other.approvals.get(ticket))?.metadata).toEqual({ run: 'r1' });
    expect((await one.fire('tool.before', DEPLOY, { ...CALL, metadata: { run: 'r2' } })).ticket?.id).toBe(ticket);
    await other.approvals.approve(ticket, { by: 'ann', input: { environment: 'staging' } });
    one.on('tool.before', ({ data }) => (data.input['environment'] === 'staging' ? { decision: 'hold', reason: 'again' } : undefined), {
      name: 'late',
    });
    const again = await one.fire('tool.before', DEPLOY, CALL);
    expect(again.decision).toBe('hold');
    expect((await one.approvals.get(again.ticket?.id ?? ''))?.metadata).toEqual({ run: 'r1' });
  });

  test('a listener is called once for each ticket that any engine settles from now on, and for those that expire', async () => {
    const { one, other, open } = await setUp();
    const before = await held(one);
    await one.approvals.deny(before, { by: 'ann' });
    const calls: [string, string][] = [];
    using _ = one.onSettled(({ id, state }: TicketRecord) => void calls.push([id, state]));
    const ids = [await held(one, { ...DEPLOY, toolUseId: 'c2' }), await held(other, { ...DEPLOY, toolUseId: 'c3' })];
    await other.approvals.approve(ids[0] ?? '', { by: 'ann' });
    await one.approvals.deny(ids[1] ?? '', { by: 'ann' });
    const brief = await open({ ticketLifeMs: 1 });
    const expired = await held(brief, { ...DEPLOY, toolUseId: 'c4' });
    await until(() => calls.length >= 3);
    // Another engine may look at the log while the listener is told.
    const last = await held(other, { ...DEPLOY, toolUseId: 'c5' });
    await other.approvals.withdraw(last, { by: 'ann' });
    await until(() => calls.length >= 4);
    expect(new Map(calls)).toEqual(
      new Map([
        [ids[0], 'approved'],
        [ids[1], 'denied'],
        [expired, 'expired'],
        [last, 'withdrawn'],
      ]),
    );
    expect(calls.length).toBe(4);
  });

  test('a listener that throws or rejects is reported and stops no other, and one that is undone is not called', async () => {
    const { one } = await setUp();
    const calls: string[] = [];
    one.onSettled(() => {
      throw new Error('thrown');
    });
    one.onSettled(() => Promise.reject(new Error('rejected')));
    const off = one.onSettled(() => void calls.push('undone'));
    one.onSettled(({ id }) => void calls.push(id));
    off();
    const ticket = await held(one);
    await one.approvals.approve(ticket, { by: 'ann' });
    await until(() => one.diagnostics.filter(({ code }) => code === 'settled-listener').length === 2);
    expect(calls).toEqual([ticket]);
    expect(one.diagnostics.map(({ message }) => /thrown|rejected/.exec(message)?.[0]).sort()).toEqual(['rejected', 'thrown']);
  });
});

test('a notice shows the data of the caller with secrets masked', async () => {
  const { noticeOf } = await import('../../../src/core/contracts/notifier.ts');
  const hookline = await holding(await createWorkspace().open());
  const metadata = { run: 'r1', password: 'hunter2hunter2' };
  const { ticket } = await hookline.fire('tool.before', DEPLOY, { ...CALL, metadata });
  const record = await hookline.approvals.get(ticket?.id ?? '');
  const notice = noticeOf('ticket.opened', record as TicketRecord, 0).ticket;
  expect(notice.metadata).toMatchObject({ run: 'r1' });
  expect(JSON.stringify(notice)).not.toContain('hunter2');
  expect(notice.masked).toEqual(['/metadata/password']);
});

test('`metadata` that is no JSON object is an error of the caller', async () => {
  const hookline = await createWorkspace().open();
  const cyclic: Record<string, unknown> = {};
  cyclic['self'] = cyclic;
  for (const metadata of ['text', [], cyclic])
    await expect(hookline.fire('tool.before', DEPLOY, { metadata: metadata as never })).rejects.toMatchObject({ code: 'bad-payload' });
});
