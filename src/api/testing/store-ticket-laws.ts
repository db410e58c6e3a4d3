/** Laws for tickets in every store: a ticket leaves `open` once, expiry is a state of its own, and lists have a stable order. */
import type { NewTicket, Settling, TicketRecord } from '../../core/contracts/store.ts';
import type { Actor, Who } from '../../core/record/who.ts';
import type { Bench } from './describe-store.ts';
import { ANN, HOSTILE, LARGE, sampleSettling, sampleTicket } from './sample-records.ts';
import type { Suite } from './suite.ts';

export function ticketLaws(suite: Suite, bench: Bench): void {
  openingLaws(suite, bench);
  settlingLaws(suite, bench);
  expiryLaws(suite, bench);
  listLaws(suite, bench);
}

const SETTLED: readonly Settling['state'][] = ['approved', 'denied', 'withdrawn'];
const UNSETTLED = { state: 'open', settledAt: null, by: null, note: null, via: null, edit: null, releasedAt: null };
const idsOf = (tickets: readonly TicketRecord[]): string[] => tickets.map(({ id }) => id);

function openingLaws({ expect }: Suite, { law }: Bench): void {
  law('an opened ticket is there for everyone, exactly as it was handed in', async (store, other) => {
    const ticket = sampleTicket('a');
    const record = { ...ticket, ...UNSETTLED };
    expect(plain(await store.tickets.open(ticket, 1000))).toEqual({ ticket: record, isNew: true });
    expect(plain(await other.tickets.get('a', 1000))).toEqual(record);
    expect(await other.tickets.get('b', 1000)).toBe(undefined);
  });

  law('a ticket keeps the data of its caller, alone and in a list', async (store, other) => {
    const ticket = sampleTicket('a', { metadata: { run: 'r1', steps: [1, 2] } });
    await store.tickets.open(ticket, 1000);
    await store.tickets.settle('a', sampleSettling('approved'));
    expect(plain((await other.tickets.get('a', 1600))?.metadata)).toEqual({ run: 'r1', steps: [1, 2] });
    expect((await other.tickets.list({}, 1600)).map(({ metadata }) => plain(metadata))).toEqual([{ run: 'r1', steps: [1, 2] }]);
    expect(plain((await other.tickets.release(ticket.digest, 1700))?.metadata)).toEqual({ run: 'r1', steps: [1, 2] });
  });

  law('while a ticket is open the same action gets the same ticket, and nothing is stored', async (store, other) => {
    await store.tickets.open(sampleTicket('a', { digest: 'same' }), 1000);
    const second = await other.tickets.open(sampleTicket('b', { digest: 'same' }), 1999);
    expect([second.ticket.id, second.isNew]).toEqual(['a', false]);
    expect(await store.tickets.get('b', 1000)).toBe(undefined);
  });

  law('of many that open a ticket for one action at once, one does', async (store, other) => {
    const opened = await Promise.all(
      range(20).map((i) => (i % 2 ? store : other).tickets.open(sampleTicket(`t${i}`, { digest: 'same' }), 1000)),
    );
    expect(opened.filter(({ isNew }) => isNew).length).toBe(1);
    expect(new Set(opened.map(({ ticket }) => ticket.id)).size).toBe(1);
  });

  law('once a ticket is settled or expired the same action gets a new one', async (store) => {
    for (const [index, state] of SETTLED.entries()) {
      await store.tickets.open(sampleTicket(`t${index}`, { digest: 'same' }), 1000);
      await store.tickets.settle(`t${index}`, sampleSettling(state));
    }
    await store.tickets.open(sampleTicket('dies', { digest: 'same' }), 1000);
    expect((await store.tickets.open(sampleTicket('next', { digest: 'same', expiresAt: 9000 }), 2000)).isNew).toBe(true);
    expect((await store.tickets.get('dies', 1000))?.state).toBe('expired');
  });

  law('hostile text, a megabyte of it and keys like __proto__ come back as they went in', async (store, other) => {
    const event = { ...sampleTicket('a').action.event, data: { input: HOSTILE, text: LARGE } };
    const ticket: NewTicket = { ...sampleTicket('a', { reason: String(HOSTILE['text']) }) };
    await store.tickets.open({ ...ticket, action: { ...ticket.action, event } }, 1000);
    await store.tickets.settle('a', sampleSettling('approved', { edit: HOSTILE, note: LARGE }));
    const read = await other.tickets.get('a', 1600);
    // Compared here, because a runner that prints a megabyte of difference shows nothing.
    const isSame = (value: unknown, expected: unknown): boolean => JSON.stringify(value) === JSON.stringify(expected);
    expect([isSame(read?.action.event, event), isSame(read?.note, LARGE)]).toEqual([true, true]);
    expect(isSame([read?.edit, read?.reason], [HOSTILE, ticket.reason])).toBe(true);
    expect(({} as Record<string, unknown>)['polluted']).toBe(undefined);
  });
}

function settlingLaws({ expect }: Suite, { law }: Bench): void {
  law('a ticket is settled once, and keeps the person, the time, the place and the note', async (store, other) => {
    for (const state of SETTLED) {
      await store.tickets.open(sampleTicket(state), 1000);
      const { at, ...settling } = sampleSettling(state, { edit: { command: 'ls' } });
      const record = { ...sampleTicket(state), ...UNSETTLED, ...settling, settledAt: at };
      expect(plain(await store.tickets.settle(state, { at, ...settling }))).toEqual({ ticket: record, won: true });
      for (const later of SETTLED) {
        expect(plain(await other.tickets.settle(state, sampleSettling(later, { at: 1600, by: 'bob' })))).toEqual({
          ticket: record,
          won: false,
        });
      }
      expect(plain(await other.tickets.get(state, 9000))).toEqual(record);
    }
  });

  law('a ticket keeps whose action it is, which account settled it and how that was found out', async (store, other) => {
    const ticket = sampleTicket('a', { who: ANN, shared: 'sha256:shared' });
    const settledBy: Who = { ...ANN, osUser: 'bob', userId: '1001' };
    const actor: Actor = { finding: 'person', evidence: ['There is a terminal.'], via: 'cli', by: 'secret' };
    await store.tickets.open(ticket, 1000);
    const { at, ...settling } = sampleSettling('approved');
    await store.tickets.settle('a', { at, ...settling, who: settledBy, actor, anyone: true });
    const record = { ...ticket, ...UNSETTLED, ...settling, settledAt: at, settledBy, actor, anyone: true };
    expect(plain(await other.tickets.get('a', 1600))).toEqual(record);
    expect(plain(await other.tickets.list({}, 1600))).toEqual([record]);
  });

  law('a ticket that does not exist cannot be settled', async (store) => {
    expect(await store.tickets.settle('nobody', sampleSettling('approved'))).toBe(undefined);
  });

  law('of many that settle one ticket at once, exactly one wins, and all get the same result', async (store, other) => {
    for (const round of range(10)) {
      await store.tickets.open(sampleTicket(`t${round}`), 1000);
      const answers = await Promise.all(
        range(12).map((i) =>
          (i % 2 ? store : other).tickets.settle(`t${round}`, sampleSettling(SETTLED[i % 3] ?? 'denied', { by: `p${i}` })),
        ),
      );
      expect(answers.filter((answer) => answer?.won).length).toBe(1);
      const winner = answers.find((answer) => answer?.won)?.ticket;
      expect(answers.filter((answer) => answer?.ticket.by !== winner?.by || answer?.ticket.state !== winner?.state)).toEqual([]);
    }
  });
}

function expiryLaws({ expect }: Suite, { law }: Bench): void {
  law('a ticket beyond its life is expired: a state of its own, for good, that no caller can settle', async (store, other) => {
    await store.tickets.open(sampleTicket('a'), 1000);
    expect((await store.tickets.get('a', 1999))?.state).toBe('open');
    const expired = { ...sampleTicket('a'), ...UNSETTLED, state: 'expired', settledAt: 2000 };
    expect(plain(await store.tickets.get('a', 2000))).toEqual(expired);
    // The clock was set back.
    expect(plain(await other.tickets.get('a', 1500))).toEqual(expired);
    expect(plain(await other.tickets.settle('a', sampleSettling('approved')))).toEqual({ ticket: expired, won: false });
  });

  law('a caller that settles too late is told that the ticket expired', async (store) => {
    for (const state of SETTLED) {
      await store.tickets.open(sampleTicket(state), 1000);
      const answer = await store.tickets.settle(state, sampleSettling(state, { at: 2000 }));
      expect([answer?.won, answer?.ticket.state, answer?.ticket.by]).toEqual([false, 'expired', null]);
    }
  });

  law('a list shows expired tickets as expired, and a count counts them so', async (store) => {
    await store.tickets.open(sampleTicket('a'), 1000);
    await store.tickets.open(sampleTicket('b', { expiresAt: 5000 }), 1000);
    expect(idsOf(await store.tickets.list({ state: 'open' }, 3000))).toEqual(['b']);
    expect(idsOf(await store.tickets.list({ state: 'expired' }, 1000))).toEqual(['a']);
    expect([await store.tickets.count({ state: 'open' }, 5000), await store.tickets.count({ state: 'expired' }, 5000)]).toEqual([0, 2]);
  });
}

function listLaws({ expect }: Suite, { law }: Bench): void {
  law('a list is ordered by age, then id, and can be read in pages', async (store) => {
    for (const [id, openedAt] of [
      ['c', 1001],
      ['b', 1002],
      ['d', 1001],
      ['a', 1003],
    ] as const) {
      await store.tickets.open(sampleTicket(id, { openedAt }), 1000);
    }
    expect(idsOf(await store.tickets.list({}, 1000))).toEqual(['c', 'd', 'b', 'a']);
    expect(idsOf(await store.tickets.list({ limit: 3 }, 1000))).toEqual(['c', 'd', 'b']);
    expect(idsOf(await store.tickets.list({ limit: 3, after: 'd' }, 1000))).toEqual(['b', 'a']);
    expect(idsOf(await store.tickets.list({ after: 'a' }, 1000))).toEqual([]);
    expect(idsOf(await store.tickets.list({ limit: 0 }, 1000))).toEqual([]);
  });

  law('a list can be narrowed to a state and a project', async (store) => {
    for (const id of ['a', 'b', 'c', 'd']) await store.tickets.open(sampleTicket(id, { root: id < 'c' ? '/one' : '/two' }), 1000);
    await store.tickets.settle('a', sampleSettling('denied'));
    await store.tickets.settle('c', sampleSettling('approved'));
    expect(idsOf(await store.tickets.list({ state: 'open' }, 1600))).toEqual(['b', 'd']);
    expect(idsOf(await store.tickets.list({ root: '/one' }, 1600))).toEqual(['a', 'b']);
    expect(idsOf(await store.tickets.list({ root: '/two', state: 'approved' }, 1600))).toEqual(['c']);
    expect(idsOf(await store.tickets.list({ state: 'open', after: 'b' }, 1600))).toEqual(['d']);
    const counts = [{}, { state: 'open' }, { root: '/one' }, { root: '/two', state: 'approved' }, { state: 'denied' }] as const;
    for (const filter of counts) expect(await store.tickets.count(filter, 1600)).toBe((await store.tickets.list(filter, 1600)).length);
  });
}

/** 0, 1, 2 … */
function range(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}

/** Reads every part, because a store may load parts of a record on access. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}
