/** Changes that share a transaction in Postgres, each with its entry, and the wait for a lock that another process holds. */
import pg from 'pg';
import { expect, test } from 'vitest';
import type { Settling, Store } from '../../../src/core/contracts/store.ts';
import { verifyChain } from '../../../src/core/record/decision-record.ts';
import { openPostgresStore } from '../../../src/stores/postgres/index.ts';
import { until } from '../../support/patience.ts';
import { NOW, sampleRecord, sampleTicket } from '../postgres/samples.ts';
import { sql, testDatabase } from '../postgres/server.ts';
import { sampleLedger } from './sample-ledger.ts';

const settling = (state: Settling['state']): Settling => ({ state, at: NOW + 1, by: 'kim', note: null, via: 'cli', edit: null });

async function withStores(count: number, work: (stores: readonly Store[], url: string) => Promise<void>, lockMs = 10_000): Promise<void> {
  const database = await testDatabase();
  const open = (_: unknown, i: number) => openPostgresStore(database.url, { ledger: sampleLedger(`machine-${i}`), lockMs });
  // Sets up the database, which may take longer than they wait for a lock.
  await (await openPostgresStore(database.url)).close();
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
  withStores(
    1,
    async ([store], url) => {
      if (!store) throw new Error('no store');
      const release = await holdHead(url);
      const append = async (id: string) => store.log.append(sampleRecord(id), sampleLedger().hash);
      await expect(append('a')).rejects.toThrow(/lock timeout/);
      // Not waited for: the server says at once that the row is locked.
      await expect(append('b')).rejects.toThrow(/could not obtain lock/);
      await release();
      await append('c');
      // What was refused is not written later.
      expect(await sql(url, 'SELECT FROM hookline.requests')).toEqual([]);
      expect((await store.log.list({})).map(({ id }) => id)).toEqual(['c']);
    },
    300,
  ));

test('a store that gave up, or whose entry another one wrote, holds no lock on the log', () =>
  withStores(
    4,
    async (stores, url) => {
      const locks = () =>
        sql(
          url,
          `SELECT l.mode FROM pg_locks l JOIN pg_database d ON d.oid = l.database AND d.datname = current_database()
        WHERE l.locktype = 'advisory'`,
        );
      const append = (round: string) =>
        Promise.allSettled(stores.map(async (store, i) => store.log.append(sampleRecord(`${round}-${i}`), sampleLedger().hash)));
      const release = await holdHead(url);
      expect((await append('held')).map(({ status }) => status)).toEqual(stores.map(() => 'rejected'));
      expect(await locks()).toEqual([]);
      await release();
      // A store that has waited in vain does not wait for a while.
      let round = 0;
      await until(async () => (await append(`free ${round++}`)).every(({ status }) => status === 'fulfilled'));
      expect(await locks()).toEqual([]);
    },
    300,
  ));

test('stores that wait for the log share one transaction, whoever makes it', () =>
  withStores(6, async (stores, url) => {
    const [first] = stores as [Store];
    await Promise.all(stores.map((_, i) => first.tickets.open(sampleTicket(`ticket-${i}`), NOW)));
    const release = await holdHead(url);
    const settled = stores.map((store, i) => store.tickets.settle(`ticket-${i}`, settling('approved')));
    await until(async () => (await sql(url, 'SELECT FROM hookline.requests')).length === stores.length);
    await release();
    expect((await Promise.all(settled)).map((one) => one?.won)).toEqual(stores.map(() => true));
    const written = await sql(
      url,
      `SELECT count(*)::int AS entries, count(DISTINCT xmin::text)::int AS commits FROM hookline.audit WHERE id LIKE '%.settled'`,
    );
    expect(written).toEqual([{ entries: stores.length, commits: 1 }]);
    expect(verifyChain(await first.log.list({}), await first.log.anchor(), sampleLedger().hash)).toBeUndefined();
    const head = await first.log.head();
    expect(head.seal).toBe(sampleLedger(String(head.origin)).seal?.of(head));
    expect(await sql(url, 'SELECT FROM hookline.requests')).toEqual([]);
  }));

test('of requests that are done together, each is told its own result', () =>
  withStores(3, async (stores, url) => {
    const [first, second, third] = stores as [Store, Store, Store];
    await first.tickets.open(sampleTicket('same'), NOW);
    const release = await holdHead(url);
    const results = Promise.allSettled([
      first.tickets.settle('same', settling('approved')),
      second.tickets.settle('same', settling('denied')),
      third.tickets.open({ ...sampleTicket('same'), digest: 'sha256:another' }, NOW),
    ]);
    await until(async () => (await sql(url, 'SELECT FROM hookline.requests')).length === stores.length);
    await release();
    const [one, other, refused] = await results;
    const won = [one, other].map((result) => result?.status === 'fulfilled' && result.value?.won);
    expect(won.sort()).toEqual([false, true]);
    expect(refused).toMatchObject({
      status: 'rejected',
      reason: { code: 'store-unavailable', message: expect.stringContaining('duplicate key') },
    });
    expect((await first.log.list({})).map(({ id }) => id)).toEqual(['same.opened', 'same.settled']);
  }));

test('a request whose process is gone for long is dropped', () =>
  withStores(1, async ([store], url) => {
    if (!store) throw new Error('no store');
    await store.tickets.open(sampleTicket('old'), NOW);
    const change = JSON.stringify([{ act: 'settle', id: 'old', state: 'approved', at: NOW + 1, settling: '{}', anyone: false }]);
    await sql(
      url,
      `INSERT INTO hookline.requests VALUES ('gone', now() - interval '1 minute', '${change}', '[{"id":"old.settled","at":1,"session":"s","decision":"allow","hooks":[]}]', '{x}')`,
    );
    await Promise.all(['a', 'b'].map((id) => store.tickets.open(sampleTicket(id), NOW)));
    expect(await store.tickets.get('old', NOW)).toMatchObject({ state: 'open' });
    expect((await store.log.list({})).map(({ id }) => id)).toEqual(['old.opened', 'a.opened', 'b.opened']);
    expect(await sql(url, 'SELECT FROM hookline.requests')).toEqual([]);
  }));

test('changes that find nothing to change leave the head and its seal alone', () =>
  withStores(1, async ([store], url) => {
    if (!store) throw new Error('no store');
    await Promise.all(['a', 'b'].map((id) => store.tickets.open(sampleTicket(id), NOW)));
    await sql(url, "UPDATE hookline.audit_head SET seal = 'other'");
    const again = await Promise.all(['a', 'b'].map((id) => store.tickets.open({ ...sampleTicket(id), id: `${id}2` }, NOW)));
    expect(again.map(({ isNew }) => isNew)).toEqual([false, false]);
    expect(await store.log.head()).toMatchObject({ seq: 2, seal: 'other' });
  }));

test('a new step of the schema leaves the head and its seal alone', () =>
  withStores(1, async ([store], url) => {
    await store?.tickets.open(sampleTicket('a'), NOW);
    await sql(url, "UPDATE hookline.audit_head SET seal = 'other'");
    await sql(
      url,
      `DROP TABLE hookline.requests, hookline.outcomes CASCADE;
       DROP FUNCTION hookline.perform, hookline.perform_carefully, hookline.change_sealed, hookline.run_requests, hookline.take_turn;
       DELETE FROM hookline.migrations WHERE version = (SELECT max(version) FROM hookline.migrations)`,
    );
    const updated = await openPostgresStore(url, { ledger: sampleLedger('machine-0') });
    expect(await updated.log.head()).toMatchObject({ seq: 1, seal: 'other' });
    await updated.tickets.open(sampleTicket('b'), NOW);
    await updated.close();
  }));

/** Holds the head of the log as another process does. Returns how to let it go. */
async function holdHead(url: string): Promise<() => Promise<void>> {
  const holder = new pg.Client({ connectionString: url });
  await holder.connect();
  await holder.query('BEGIN; SELECT * FROM hookline.audit_head FOR UPDATE');
  return async () => {
    await holder.query('COMMIT');
    await holder.end();
  };
}
