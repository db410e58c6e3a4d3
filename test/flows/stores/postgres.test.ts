/** The Postgres store alone and with others on the same database. */
import { execFile, spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Settling, Store } from '../../../src/core/contracts/store.ts';
import { verifyChain } from '../../../src/core/record/decision-record.ts';
import { openPostgresStore } from '../../../src/stores/postgres/index.ts';
import { bundleSource } from '../../support/bundle-source.mjs';
import { LONG_MS } from '../../support/patience.ts';
import { NOW, sampleRecord, sampleTicket, sha256 } from '../postgres/samples.ts';
import { sql, testDatabase } from '../postgres/server.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const racer = await bundleSource(path.join(root, 'test/flows/postgres/racer.mjs'));
const approval: Settling = { state: 'approved', at: NOW + 1, by: 'kim', note: 'fine', via: 'cli', edit: null };

let database: Awaited<ReturnType<typeof testDatabase>>;
const opened: Store[] = [];
const open = async (): Promise<Store> => {
  const store = await openPostgresStore(database.url);
  opened.push(store);
  return store;
};

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(async () => {
  await Promise.all(opened.map((store) => store.close()));
  await database.drop();
});

describe('tickets on many machines', () => {
  test('a ticket opened by one store is settled by another, and who waits at the first wakes at once', async () => {
    const [one, other] = await Promise.all([open(), open()]);
    const settleAll = async (attempt: number): Promise<number> => {
      let ms = 0;
      for (let round = 0; round < 12; round++) {
        const { ticket } = await one.tickets.open(sampleTicket(`shared-${attempt}-${round}`), NOW);
        const waiting = one.tickets.waitFor(ticket.id, () => NOW, new AbortController().signal);
        await listening(database.url);
        const start = performance.now();
        expect((await other.tickets.settle(ticket.id, approval))?.won).toBe(true);
        expect(await waiting).toMatchObject({ state: 'approved', by: 'kim', note: 'fine', via: 'cli', settledAt: NOW + 1 });
        ms += performance.now() - start;
      }
      return ms;
    };
    // By polls alone each round takes a second, in every attempt. A busy machine is slow only in some.
    let fastest = Number.POSITIVE_INFINITY;
    for (let attempt = 0; attempt < 10 && fastest >= 8_000; attempt++) fastest = Math.min(fastest, await settleAll(attempt));
    expect(fastest).toBeLessThan(8_000);
  });

  test('of many that approve and deny at once, in several processes, exactly one wins each ticket', async () => {
    const store = await open();
    const ids = Array.from({ length: 1_000 }, (_, index) => `race-${index}`);
    await Promise.all(ids.map((id) => store.tickets.open(sampleTicket(id), NOW)));
    const states = ['approved', 'denied', 'approved', 'denied'] as const;
    // Each begins elsewhere, so that all of them come first somewhere.
    const racers = states.map((state, index) => startRacer(state, [...ids.slice(index * 250), ...ids.slice(0, index * 250)]));
    await Promise.all(racers.map(({ ready }) => ready));
    for (const { go } of racers) go();
    const runs = await Promise.all(racers.map(({ won }) => won));
    const winners = new Map<string, string[]>();
    for (const [index, won] of runs.entries()) for (const id of won) winners.set(id, [...(winners.get(id) ?? []), states[index] ?? '']);
    const tickets = (await store.tickets.list({}, NOW)).filter(({ id }) => id.startsWith('race-'));
    expect(tickets).toHaveLength(ids.length);
    expect(tickets.filter(({ id, state }) => winners.get(id)?.join() !== state)).toEqual([]);
    expect(runs.filter((won) => won.length > 0).length).toBeGreaterThan(1);
  });

  test('an approval is released once, however many ask at once', async () => {
    const stores = await Promise.all([open(), open(), open()]);
    const [first] = stores;
    if (!first) throw new Error('no store');
    for (let round = 0; round < 50; round++) {
      const { ticket } = await first.tickets.open(sampleTicket(`release-${round}`), NOW);
      await first.tickets.settle(ticket.id, approval);
      const released = await Promise.all(
        stores.flatMap(({ tickets }) => [tickets.release(ticket.digest, NOW + 2), tickets.releaseById(ticket.id, NOW + 2)]),
      );
      expect(released.filter((one) => one !== undefined)).toHaveLength(1);
    }
  });

  test('of many that hold the same action at once, one ticket comes; one beyond its life is not in the way', async () => {
    const stores = await Promise.all([open(), open(), open(), open()]);
    const ask = (round: string, now: number) =>
      Promise.all(
        stores.map(({ tickets }, index) =>
          tickets.open(sampleTicket(`${round}-${index}`, { digest: 'sha256:same', openedAt: now, expiresAt: now + 1_000 }), now),
        ),
      );
    for (const [round, now] of [
      ['first', NOW],
      ['second', NOW + 1_000],
    ] as const) {
      const answers = await ask(round, now);
      expect(answers.filter(({ isNew }) => isNew)).toHaveLength(1);
      expect(new Set(answers.map(({ ticket }) => ticket.id)).size).toBe(1);
      expect(answers[0]?.ticket.id).toMatch(round);
    }
    expect((await stores[0]?.tickets.list({ state: 'expired' }, NOW + 1_000))?.map(({ digest }) => digest)).toEqual(['sha256:same']);
  });
});

describe('the log on many machines', () => {
  test('appends of four stores at once make one chain without gaps', async () => {
    const stores = await Promise.all([open(), open(), open(), open()]);
    await Promise.all(
      stores.flatMap(({ log }, writer) =>
        Array.from({ length: 150 }, (_, index) => log.append(sampleRecord(`${writer}-${index}`), sha256)),
      ),
    );
    const [store] = stores;
    if (!store) throw new Error('no store');
    const entries = await store.log.list({});
    expect(entries).toHaveLength(600);
    expect(verifyChain(entries, await store.log.anchor(), sha256)).toBeUndefined();
    // Of one writer they stand in the order in which it wrote.
    expect(entries.filter(({ id }) => id.startsWith('2-')).map(({ id }) => id)).toEqual(
      Array.from({ length: 150 }, (_, index) => `2-${index}`),
    );
  });

  test('a column that was changed apart from the body shows in the chain', async () => {
    const store = await open();
    await store.log.append(sampleRecord('honest'), sha256);
    const entry = await store.log.get('honest');
    for (const change of ["decision = 'allow'", "tool = 'Other'", 'tool = NULL', "session = 'x'", "id = 'x'", 'at = 1']) {
      const [before] = await sql(database.url, `SELECT decision, tool, session, id, at FROM hookline.audit WHERE seq = ${entry?.seq}`);
      await sql(database.url, `UPDATE hookline.audit SET ${change} WHERE seq = ${entry?.seq}`);
      const problem = verifyChain(await store.log.list({}), await store.log.anchor(), sha256);
      expect(problem, change).toEqual({ seq: entry?.seq, problem: 'changed' });
      const { decision, tool, session, id, at } = before ?? {};
      await sql(
        database.url,
        `UPDATE hookline.audit SET decision = '${decision}', tool = '${tool}', session = '${session}', id = '${id}', at = ${at} WHERE seq = ${entry?.seq}`,
      );
    }
    expect(verifyChain(await store.log.list({}), await store.log.anchor(), sha256)).toBeUndefined();
  });

  test('pruning while others append leaves a chain that verifies', async () => {
    const fresh = await testDatabase();
    const stores = await Promise.all([openPostgresStore(fresh.url), openPostgresStore(fresh.url)]);
    const [one, other] = stores;
    await Promise.all(Array.from({ length: 50 }, (_, index) => one.log.append(sampleRecord(`old-${index}`), sha256)));
    const appends = Array.from({ length: 100 }, (_, index) => other.log.append(sampleRecord(`new-${index}`, { at: NOW + 10 }), sha256));
    const pruned = await Promise.all([one.log.prune(NOW + 5), other.log.prune(NOW + 5), ...appends]);
    const entries = await one.log.list({});
    expect(Number(pruned[0]) + Number(pruned[1])).toBe(50);
    expect(entries).toHaveLength(100);
    expect(verifyChain(entries, await one.log.anchor(), sha256)).toBeUndefined();
    expect(await one.log.prune(NOW + 50)).toBe(100);
    expect(await one.log.anchor()).toEqual({ seq: 150, hash: entries.at(-1)?.hash });
    await one.log.append(sampleRecord('after'), sha256);
    expect(verifyChain(await one.log.list({}), await one.log.anchor(), sha256)).toBeUndefined();
    await Promise.all(stores.map((store) => store.close()));
    await fresh.drop();
  });
});

describe('opening and closing', () => {
  test('eight that set up an empty database at once all succeed, and it is set up once', async () => {
    const fresh = await testDatabase();
    const stores = await Promise.all(Array.from({ length: 8 }, () => openPostgresStore(fresh.url)));
    const rows = await sql(fresh.url, 'SELECT version FROM hookline.migrations ORDER BY version');
    expect(rows.map((row) => row['version'])).toEqual(rows.map((_, index) => index + 1));
    await Promise.all(stores.map((store) => store.close()));
    await fresh.drop();
  });

  test('a database set up by a newer version is refused', async () => {
    const fresh = await testDatabase();
    await (await openPostgresStore(fresh.url)).close();
    await sql(fresh.url, 'INSERT INTO hookline.migrations (version) VALUES (999)');
    await expect(openPostgresStore(fresh.url)).rejects.toMatchObject({
      code: 'store-unavailable',
      message: expect.stringContaining('newer'),
    });
    await fresh.drop();
  });

  test('a server that is not there is an unavailable store', async () => {
    await expect(openPostgresStore('postgres://postgres@127.0.0.1:1/nothing')).rejects.toMatchObject({ code: 'store-unavailable' });
  });

  test('after close the process ends by itself, also if someone waited', async () => {
    await (await open()).tickets.open(sampleTicket('waited-for', { expiresAt: Number.MAX_SAFE_INTEGER }), NOW);
    await promisify(execFile)(process.execPath, [racer, 'close', database.url, 'waited-for'], { cwd: root, timeout: LONG_MS });
  });
});

function startRacer(state: 'approved' | 'denied', ids: readonly string[]) {
  const child = spawn(process.execPath, [racer, state, database.url, ...ids], { cwd: root, stdio: ['pipe', 'pipe', 'inherit'] });
  let said = '';
  const ready = new Promise<void>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (said.startsWith('ready\n')) resolve();
    });
  });
  const won = new Promise<string[]>((resolve, reject) => {
    child
      .on('error', reject)
      .on('close', (code) =>
        code === 0 ? resolve(said.split('\n').slice(1).filter(Boolean)) : reject(new Error(`it ended with ${code}`)),
      );
  });
  return { ready: Promise.race([ready, won]), won, go: () => child.stdin.end('go') };
}

async function listening(url: string): Promise<void> {
  for (;;) {
    const rows = await sql(url, `SELECT 1 FROM pg_stat_activity WHERE query = 'LISTEN hookline_tickets' AND state = 'idle'`);
    if (rows.length > 0) return;
  }
}
