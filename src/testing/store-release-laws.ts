/** What holds for approvals in every store: each releases its own action, once, within its life. */
import type { Store } from '../core/store.ts';
import type { Bench } from './describe-store.ts';
import { sampleSettling, sampleTicket } from './sample-records.ts';
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
