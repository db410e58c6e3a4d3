// What settling a ticket costs in Postgres when many do it at once, against the least an update can cost there.
import pg from 'pg';
import { bundleSource } from '../support/bundle-source.mjs';
import { inTurns, row } from './measure.mjs';
import { startServer } from './postgres-server.mjs';
import { sampleTicket } from './sample-ticket.mjs';

const { openPostgresStore } = await import(await bundleSource('src/stores/postgres/index.ts'));
const CLIENTS = 50;
const EACH = 60;

export async function settling() {
  const server = await startServer();
  try {
    return await compare(server.url);
  } finally {
    await server.stop();
  }
}

async function compare(url) {
  const stores = [];
  for (let i = 0; i < CLIENTS; i++) stores.push(await openPostgresStore(url));
  const pool = new pg.Pool({ connectionString: url, max: CLIENTS });
  await pool.query('CREATE TABLE counters (id integer PRIMARY KEY, n integer NOT NULL)');
  await pool.query('INSERT INTO counters SELECT i, 0 FROM generate_series(0, $1) AS i', [CLIENTS * EACH]);
  const update = { name: 'update', text: 'UPDATE counters SET n = n + 1 WHERE id = $1' };
  const { medians, ratio } = await inTurns(9, {
    // Each of them a store of its own, as on so many machines.
    apart: settleAll((client) => stores[client]),
    together: settleAll(() => stores[0]),
    plain: () => perStatement((client, i) => pool.query({ ...update, values: [client * EACH + i] })),
  });
  for (const store of stores) await store.close();
  await pool.end();
  return [
    row('settling a ticket in Postgres, 50 clients', medians.apart, 'µs'),
    row('  50 at once in one process', medians.together, 'µs'),
    row('  a plain update of one row, 50 clients', medians.plain, 'µs'),
    row('settling, against a plain update', ratio('apart', 'plain'), '×', 2.5),
    row('settling in one process, against a plain update', ratio('together', 'plain'), '×', 2.5),
  ];
}

let opened = 0;

/** Opens fresh tickets, off the clock, and settles them. */
function settleAll(storeOf) {
  return async () => {
    const now = Date.now();
    const first = opened;
    opened += CLIENTS * EACH;
    const id = (client, i) => `ticket-${first + client * EACH + i}`;
    await perStatement((client, i) => storeOf(client).tickets.open(sampleTicket(id(client, i), now), now));
    return perStatement(async (client, i) => {
      const settled = await storeOf(client).tickets.settle(id(client, i), { state: 'approved', at: now + 1, ...BY });
      if (!settled?.won) throw new Error(`${id(client, i)} was not settled`);
    });
  };
}

const BY = { by: 'ada', note: 'Looks right.', via: 'cli', edit: null };

/** Microseconds per statement, all clients at it at once, each with one after the other. */
async function perStatement(run) {
  const start = performance.now();
  await Promise.all(
    Array.from({ length: CLIENTS }, async (_, client) => {
      for (let i = 0; i < EACH; i++) await run(client, i);
    }),
  );
  return ((performance.now() - start) * 1000) / (CLIENTS * EACH);
}
