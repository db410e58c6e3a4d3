/** What holds for those who wait for a ticket, and for a store that is closed. */
import type { Bench } from './describe-store.ts';
import { sampleRecord, sampleSettling, sampleTicket } from './sample-records.ts';
import type { Suite } from './suite.ts';

const NEVER = new AbortController().signal;

export function waitingLaws({ expect }: Suite, { law, hash }: Bench): void {
  law('who waits for a ticket is woken when somebody else settles it', async (store, other) => {
    await store.tickets.open(sampleTicket('a'), 1000);
    const waiting = Promise.all([store, other].map(({ tickets }) => tickets.waitFor('a', () => 1500, NEVER)));
    await pause(120);
    await other.tickets.settle('a', sampleSettling('denied'));
    expect((await waiting).map((ticket) => [ticket?.state, ticket?.by])).toEqual([
      ['denied', 'ann'],
      ['denied', 'ann'],
    ]);
  });

  law('who waits for a ticket is woken when it expires', async (store, other) => {
    const start = Date.now();
    await store.tickets.open(sampleTicket('a', { openedAt: start, expiresAt: start + 200 }), start);
    expect((await other.tickets.waitFor('a', Date.now, NEVER))?.state).toBe('expired');
    expect(Date.now() >= start + 200).toBe(true);
  });

  law('who gives up waiting gets the ticket as it stands', async (store) => {
    await store.tickets.open(sampleTicket('a'), 1000);
    const caller = new AbortController();
    const waiting = store.tickets.waitFor('a', () => 1500, caller.signal);
    setTimeout(() => caller.abort(), 100);
    expect((await waiting)?.state).toBe('open');
    expect((await store.tickets.waitFor('a', () => 1500, AbortSignal.abort()))?.state).toBe('open');
  });

  law('nobody waits for what is settled, or does not exist', async (store) => {
    await store.tickets.open(sampleTicket('a'), 1000);
    await store.tickets.settle('a', sampleSettling('withdrawn'));
    expect((await store.tickets.waitFor('a', () => 1500, NEVER))?.state).toBe('withdrawn');
    expect(await store.tickets.waitFor('b', () => 1500, NEVER)).toBe(undefined);
  });

  law('a closed store lets go of those who wait, refuses what is asked of it, and may be closed again', async (store) => {
    await store.tickets.open(sampleTicket('a'), 1000);
    const waiting = store.tickets
      .waitFor('a', () => 1500, NEVER)
      .then(
        () => 'let go',
        () => 'let go',
      );
    await pause(50);
    await store.close();
    await store.close();
    expect(await waiting).toBe('let go');
    // A store may refuse by a throw or by a rejection.
    const append = async () => store.audit.append(sampleRecord('a'), hash);
    const refusals = await Promise.allSettled([store.tickets.get('a', 1500), store.audit.list({}), append()]);
    expect(refusals.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  });
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
