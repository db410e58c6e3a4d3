/** Laws for a store with a ledger: each of its changes is an entry of the log, once, and an approval releases only what the log says. */

import type { Store, TicketRecord } from '../../core/contracts/store.ts';
import { type LogEntry, verifyChain } from '../../core/record/decision-record.ts';
import type { Bench, StoreOptions } from './describe-store.ts';
import { sampleRecord, sampleSettling, sampleTicket } from './sample-records.ts';
import type { Suite } from './suite.ts';

const NOW = 1600;
const approved = async ({ tickets }: Store, id: string): Promise<void> => {
  await tickets.open(sampleTicket(id), 1000);
  await tickets.settle(id, sampleSettling('approved'));
};
const told = async ({ log }: Store): Promise<string[]> => (await log.list({})).map(({ id, kind }) => `${id} ${kind}`);

export function ledgerLaws(suite: Suite, bench: Bench, tamper: StoreOptions['tamper']): void {
  recordLaws(suite, bench);
  raceLaws(suite, bench);
  pruneLaws(suite, bench);
  // A store without `tamper` cannot be changed from outside, so these laws do not apply to it.
  if (tamper) proofLaws(suite, bench, tamper);
}

function recordLaws({ expect }: Suite, { law, hash }: Bench): void {
  law('each change of a ticket is an entry of the log, and a call that changes nothing is none', async (store, other) => {
    await approved(store, 'a');
    await other.tickets.open(sampleTicket('b', { digest: 'sha256:a' }), 1000);
    await other.tickets.open(sampleTicket('b2', { digest: 'sha256:a' }), 1000);
    await other.tickets.settle('a', sampleSettling('denied'));
    await other.tickets.settle('b', sampleSettling('withdrawn', { by: null }));
    expect((await other.tickets.release('sha256:a', NOW))?.id).toBe('a');
    await store.tickets.open(sampleTicket('c'), 1000);
    await store.tickets.settle('c', sampleSettling('denied'));
    expect(await told(store)).toEqual([
      'a.opened ticket.opened',
      'a.settled ticket.approved',
      'b.opened ticket.opened',
      'b.settled ticket.withdrawn',
      'a.released ticket.released',
      'c.opened ticket.opened',
      'c.settled ticket.denied',
    ]);
    expect(verifyChain(await store.log.list({}), await store.log.anchor(), hash)).toBe(undefined);
  });

  law('an entry names the ticket, who settled it and what was found out about them', async (store, other) => {
    const actor = { finding: 'person', evidence: ['a terminal'], via: 'cli' } as const;
    await store.tickets.open(sampleTicket('a'), 1000);
    const settled = await store.tickets.settle('a', sampleSettling('approved', { actor }));
    expect(settled?.ticket.actor).toEqual(actor);
    expect((await other.tickets.get('a', NOW))?.actor).toEqual(actor);
    const entry = await other.log.get('a.settled');
    expect([entry?.ticket, entry?.tool, entry?.session, entry?.root, entry?.decision, entry?.at]).toEqual([
      'a',
      'Bash',
      'session-1',
      '/project',
      'allow',
      1500,
    ]);
    expect(entry?.actor).toEqual(actor);
    expect([entry?.data['by'], entry?.data['note']]).toEqual(['ann', 'I have seen it.']);
  });

  law('the head is the last entry, also of a change', async (store, other) => {
    await store.log.append(sampleRecord('r1'), hash);
    await approved(other, 'a');
    await store.log.append(sampleRecord('r2'), hash);
    const last = (await store.log.list({})).at(-1);
    const { seq, hash: own } = await other.log.head();
    expect([seq, own]).toEqual([last?.seq, last?.hash]);
    expect(seq).toBe(4);
  });
}

function raceLaws({ expect }: Suite, { law, hash }: Bench): void {
  const many = (store: Store, other: Store, call: (one: Store, n: number) => unknown) =>
    Promise.all(Array.from({ length: 12 }, (_, n) => call(n % 2 ? store : other, n)));

  law('whoever settles, uses or finds a ticket expired at once with others, there is one entry for it', async (store, other) => {
    for (const round of ['x', 'y', 'z']) {
      await many(store, other, ({ tickets }, n) => tickets.open(sampleTicket(`${round}${n}`, { digest: round }), 1000));
      const [opened] = await store.tickets.list({ state: 'open' }, 1000);
      const { id } = opened as TicketRecord;
      await many(store, other, ({ tickets }, n) => tickets.settle(id, sampleSettling('approved', { by: String(n) })));
      await many(store, other, ({ tickets }, n) => (n % 3 ? tickets.release(round, NOW) : tickets.releaseById(id, NOW)));
      await store.tickets.open(sampleTicket(`${round}-late`, { expiresAt: 1100 }), 1000);
      await many(store, other, ({ tickets }, n) => (n % 3 ? tickets.get(`${round}-late`, 1200) : tickets.list({}, 1200)));
    }
    const kinds = (await store.log.list({})).map(({ kind }) => kind);
    const count = (kind: string): number => kinds.filter((one) => one === kind).length;
    const each = ['ticket.opened', 'ticket.approved', 'ticket.released', 'ticket.expired'].map(count);
    expect(each).toEqual([6, 3, 3, 3]);
    expect(verifyChain(await other.log.list({}), await other.log.anchor(), hash)).toBe(undefined);
  });

  law('decisions and changes that are written at once form one chain', async (store, other) => {
    await many(store, other, async (one, n) => {
      await one.log.append(sampleRecord(`r${n}`), hash);
      await approved(one, `t${n}`);
      await one.log.append(sampleRecord(`s${n}`), hash);
    });
    const entries = await store.log.list({});
    expect(entries.length).toBe(48);
    expect(verifyChain(entries, await store.log.anchor(), hash)).toBe(undefined);
  });
}

function pruneLaws({ expect }: Suite, { law, hash }: Bench): void {
  law('pruning is an entry with its range, its count and its reason; pruning nothing is none', async (store, other) => {
    for (const n of [1, 2, 3, 4]) await store.log.append(sampleRecord(`r${n}`, { at: n * 100 }), hash);
    const second = (await store.log.get('r2')) as LogEntry;
    expect(await other.log.prune(300, { at: 900, keepDays: 7 })).toBe(2);
    expect(await other.log.prune(300, { at: 901 })).toBe(0);
    const entries = await store.log.list({});
    expect(entries.map(({ seq, kind }) => `${seq} ${kind}`)).toEqual(['3 tool.before', '4 tool.before', '5 log.pruned']);
    const { data, at } = entries.at(-1) as LogEntry;
    expect([at, data['count'], data['before'], data['keepDays'], data['last']]).toEqual([900, 2, 300, 7, { seq: 2, hash: second.hash }]);
    expect(verifyChain(entries, await store.log.anchor(), hash)).toBe(undefined);
  });
}

function proofLaws({ expect }: Suite, { law }: Bench, tamper: NonNullable<StoreOptions['tamper']>): void {
  law('an approval whose entry is gone or was changed releases nothing and is reported', async (store) => {
    const doubted: string[] = [];
    const doubt = ({ id }: TicketRecord) => doubted.push(id);
    await approved(store, 'a');
    await approved(store, 'b');
    await tamper(store, { kind: 'remove', seq: 2 });
    await tamper(store, { kind: 'change', seq: 4, reason: 'All was well.' });
    expect(await store.tickets.release('sha256:a', NOW, { onUnproven: doubt })).toBe(undefined);
    expect(await store.tickets.releaseById('b', NOW, { onUnproven: doubt })).toBe(undefined);
    expect(doubted).toEqual(['a', 'b']);
    expect((await store.tickets.get('a', NOW))?.releasedAt).toBe(null);
  });
}
