/** Changes that share a transaction in Postgres, each with its entry, and the wait for a lock that another process holds. */
import pg from 'pg';
import { expect, test } from 'vitest';
import type { Settling, Store } from '../../../src/core/contracts/store.ts';
import { verifyChain } from '../../../src/core/record/decision-record.ts';
import { openPostgresStore } from '../../../src/stores/postgres/index.ts';
import { NOW, sampleRecord, sampleTicket } from '../postgres/samples.ts';
import { testDatabase } from '../postgres/server.ts';
import { sampleLedger } from './sample-ledger.ts';

const settling = (state: Settling['state']): Settling => ({ state, at: NOW + 1, by: 'kim', note: null, via: 'cli', edit: null });

async function withStores(count: number, work: (stores: readonly Store[], url: string) => Promise<void>): Promise<void> {
  const database = await testDatabase();
  const open = (_: unknown, i: number) => openPostgresStore(database.url, { ledger: sampleLedger(`machine-${i}`), lockMs: 300 });
  const stores = await Promise.all(Array.from({ length: count }, open));
  await work(stores, database.url);
  await Promise.all(stores.map((store) => store.close()));
  await database.drop();
}

test('changes and entries of several stores at once: one winner each, each with its entry, in one sealed chain', () =>
  withStores(3, async (stores) => {
    const [first] = stores as [Store];
    const ids = Array.from({ length: 30 }, (_, i) => `ticket-${i}`);
    await Promise.all(ids.map((id) => first.tickets.open(sampleTicket(id), NOW)));
    const work = stores.flatMap((store, s) =>
      ids.flatMap((id) => [
        store.tickets.settle(id, settling(s === 0 ? 'approved' : 'denied')).then((settled) => Number(settled?.won)),
        Promise.resolve(store.log.append(sampleRecord(`${s}-${id}`), sampleLedger().hash)).then(() => 0),
      ]),
    );
    expect((await Promise.all(work)).reduce((sum, won) => sum + won, 0)).toBe(ids.length);
    const { hash, seal } = sampleLedger('x');
    const entries = await first.log.list({});
    expect(verifyChain(entries, await first.log.anchor(), hash)).toBeUndefined();
    const kinds = (kind: string): number => entries.filter((entry) => entry.kind.startsWith(kind)).length;
    expect([kinds('ticket.opened'), kinds('ticket.approved') + kinds('ticket.denied'), kinds('tool.before')]).toEqual([30, 30, 90]);
    const head = await first.log.head();
    expect(head.seq).toBe(entries.at(-1)?.seq);
    expect(head.seal).toBe(sampleLedger(String(head.origin)).seal?.of(head));
    expect(seal?.of(head)).not.toBe(head.seal);
  }));

test('a change that the database refuses does not fail the ones that came with it', () =>
  withStores(1, async ([store]) => {
    if (!store) throw new Error('no store');
    await store.tickets.open(sampleTicket('first'), NOW);
    const twice = { ...sampleTicket('first'), digest: 'sha256:another' };
    const results = await Promise.allSettled([
      store.log.append(sampleRecord('before'), sampleLedger().hash),
      store.tickets.open(twice, NOW),
      store.tickets.open(sampleTicket('second'), NOW),
      store.log.append(sampleRecord('after'), sampleLedger().hash),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    const entries = await store.log.list({});
    expect(entries.map(({ id }) => id)).toEqual(['first.opened', 'before', 'second.opened', 'after']);
    expect(verifyChain(entries, await store.log.anchor(), sampleLedger().hash)).toBeUndefined();
  }));

test('calls in a row wait for a lock once, and the log is written again as soon as it is free', () =>
  withStores(1, async ([store], url) => {
    if (!store) throw new Error('no store');
    const holder = new pg.Client({ connectionString: url });
    await holder.connect();
    await holder.query('BEGIN; SELECT * FROM hookline.audit_head FOR UPDATE');
    const append = async (id: string) => store.log.append(sampleRecord(id), sampleLedger().hash);
    await expect(append('a')).rejects.toThrow(/lock timeout/);
    // Not waited for: the server says at once that the row is locked.
    await expect(append('b')).rejects.toThrow(/could not obtain lock/);
    await holder.query('COMMIT');
    await holder.end();
    await append('c');
    expect((await store.log.list({})).map(({ id }) => id)).toEqual(['c']);
  }));
