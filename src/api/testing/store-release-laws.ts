/** Laws for approvals in every store: each releases its own action, once, before it expires. Also for waiting callers and a closed store. */
import type { Store } from '../../core/contracts/store.ts';
import type { Bench } from './describe-store.ts';
import { sampleRecord, sampleSettling, sampleTicket } from './sample-records.ts';
import type { Suite } from './suite.ts';

export function releaseLaws({ expect }: Suite, { law }: Bench): void {
  const approved = async (store: Store, id: string): Promise<void> => {
    await store.tickets.open(sampleTicket(id), 1000);
    await store.tickets.settle(id, sampleSettling('approved'));
  };

  law('an approval releases its action once, also when it is asked for late in its life', async (store, other) => {
    await approved(store, 'a');
    const released = await other.tickets.release('sha256:a', 1999);
    expect([released?.id, released?.state, released?.releasedAt]).toEqual(['a', 'approved', 1999]);
    expect(await store.tickets.release('sha256:a', 1999)).toBe(undefined);
    expect(await other.tickets.releaseById('a', 1999)).toBe(undefined);
    expect((await store.tickets.get('a', 1999))?.releasedAt).toBe(1999);
  });

  law('an approval that was taken by id is gone for the digest', async (store, other) => {
    await approved(store, 'a');
    expect((await store.tickets.releaseById('a', 1600))?.releasedAt).toBe(1600);
    expect(await other.tickets.release('sha256:a', 1600)).toBe(undefined);
  });

  law('of many that ask for one approval at once, one gets it', async (store, other) => {
    for (const round of Array(10).keys()) {
      await approved(store, `t${round}`);
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, i) => {
          const { tickets } = i % 2 ? store : other;
          return i % 3 ? tickets.release(`sha256:t${round}`, 1600) : tickets.releaseById(`t${round}`, 1600);
        }),
      );
      expect(answers.filter(Boolean).length).toBe(1);
    }
  });

  law('an approval for anyone is used once, by whoever takes the same action, and one of their own comes first', async (store, other) => {
    const settle = async (id: string, anyone: boolean): Promise<void> => {
      await store.tickets.open(sampleTicket(id, { shared: 'sha256:shared' }), 1000);
      await store.tickets.settle(id, sampleSettling('approved', anyone ? { anyone: true } : {}));
    };
    await settle('own', false);
    await settle('all', true);
    expect(await other.tickets.release('sha256:else', 1600)).toBe(undefined);
    expect(await other.tickets.release('sha256:else', 1600, { shared: 'sha256:another' })).toBe(undefined);
    expect(await other.tickets.release('sha256:else', 2000, { shared: 'sha256:shared' })).toBe(undefined);
    expect((await other.tickets.release('sha256:own', 1600, { shared: 'sha256:shared' }))?.id).toBe('own');
    const answers = await Promise.all(
      [store, other, store, other].map(({ tickets }, i) => tickets.release(`sha256:${i}`, 1600, { shared: 'sha256:shared' })),
    );
    expect(answers.flatMap((ticket) => ticket?.id ?? [])).toEqual(['all']);
  });

  law('a denial is found by its digest as long as its ticket lives, and the newest counts', async (store, other) => {
    for (const [id, state, openedAt] of [
      ['first', 'denied', 1000],
      ['second', 'denied', 1001],
      ['third', 'withdrawn', 1002],
      ['fourth', 'approved', 1003],
    ] as const) {
      await store.tickets.open(sampleTicket(id, { digest: 'same', openedAt }), 1000);
      await store.tickets.settle(id, sampleSettling(state));
    }
    await store.tickets.open(sampleTicket('open', { digest: 'same' }), 1000);
    await store.tickets.open(sampleTicket('expired', { digest: 'alone', expiresAt: 1100 }), 1000);
    expect((await other.tickets.denied('same', 1999))?.id).toBe('second');
    expect(await other.tickets.denied('same', 2000)).toBe(undefined);
    expect(await other.tickets.denied('alone', 1500)).toBe(undefined);
    expect(await other.tickets.denied('unknown', 1500)).toBe(undefined);
  });

  law('whoever settles in the last moment has won, and may release it as of that moment', async (store, other) => {
    await store.tickets.open(sampleTicket('a'), 1000);
    const settled = await store.tickets.settle('a', sampleSettling('approved', { at: 1999 }));
    expect([settled?.won, settled?.ticket.state]).toEqual([true, 'approved']);
    expect((await other.tickets.get('a', 5000))?.state).toBe('approved');
    expect(await other.tickets.release('sha256:a', 2000)).toBe(undefined);
    expect((await other.tickets.releaseById('a', 1999))?.releasedAt).toBe(1999);
  });

  law('nothing is released that is open, denied, withdrawn, expired, of another action, or approved beyond its life', async (store) => {
    await store.tickets.open(sampleTicket('open'), 1000);
    for (const state of ['denied', 'withdrawn'] as const) {
      await store.tickets.open(sampleTicket(state), 1000);
      await store.tickets.settle(state, sampleSettling(state));
    }
    await store.tickets.open(sampleTicket('expired', { expiresAt: 1100 }), 1000);
    await approved(store, 'late');
    for (const [id, now] of [
      ['open', 1600],
      ['denied', 1600],
      ['withdrawn', 1600],
      ['expired', 1600],
      ['late', 2000],
      ['unknown', 1600],
    ] as const) {
      expect(await store.tickets.release(`sha256:${id}`, now)).toBe(undefined);
      expect(await store.tickets.releaseById(id, now)).toBe(undefined);
    }
    expect((await store.tickets.get('late', 2000))?.state).toBe('approved');
  });
}

const NEVER = new AbortController().signal;

export function waitingLaws({ expect }: Suite, { law, hash }: Bench): void {
  law('a caller that waits for a ticket is woken when another one settles it', async (store, other) => {
    await store.tickets.open(sampleTicket('a'), 1000);
    const waiting = Promise.all([store, other].map(({ tickets }) => tickets.waitFor('a', () => 1500, NEVER)));
    await pause(120);
    await other.tickets.settle('a', sampleSettling('denied'));
    expect((await waiting).map((ticket) => [ticket?.state, ticket?.by])).toEqual([
      ['denied', 'ann'],
      ['denied', 'ann'],
    ]);
  });

  law('a caller that waits for a ticket is woken when it expires', async (store, other) => {
    const start = Date.now();
    await store.tickets.open(sampleTicket('a', { openedAt: start, expiresAt: start + 200 }), start);
    expect((await other.tickets.waitFor('a', Date.now, NEVER))?.state).toBe('expired');
    expect(Date.now() >= start + 200).toBe(true);
  });

  law('a caller that stops waiting gets the current ticket', async (store) => {
    await store.tickets.open(sampleTicket('a'), 1000);
    const caller = new AbortController();
    const waiting = store.tickets.waitFor('a', () => 1500, caller.signal);
    setTimeout(() => caller.abort(), 100);
    expect((await waiting)?.state).toBe('open');
    expect((await store.tickets.waitFor('a', () => 1500, AbortSignal.abort()))?.state).toBe('open');
  });

  law('no caller waits for a ticket that is settled or does not exist', async (store) => {
    await store.tickets.open(sampleTicket('a'), 1000);
    await store.tickets.settle('a', sampleSettling('withdrawn'));
    expect((await store.tickets.waitFor('a', () => 1500, NEVER))?.state).toBe('withdrawn');
    expect(await store.tickets.waitFor('b', () => 1500, NEVER)).toBe(undefined);
  });

  law('a closed store releases waiting callers, rejects calls, and may be closed again', async (store) => {
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
    // A store may throw or reject.
    const append = async () => store.log.append(sampleRecord('a'), hash);
    const results = await Promise.allSettled([store.tickets.get('a', 1500), store.log.list({}), append()]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  });
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
