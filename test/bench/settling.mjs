// What settling a ticket and appending to the log cost in Postgres when many do it at once, against a transaction with an update and an insert.
import { spawn } from 'node:child_process';
import pg from 'pg';
import { bundleSource } from '../support/bundle-source.mjs';
import { inTurns, row } from './measure.mjs';
import { startServer } from './postgres-server.mjs';
import { sampleTicket } from './sample-ticket.mjs';

const { openPostgresStore } = await import(await bundleSource('src/stores/postgres/index.ts'));
const { sampleLedger } = await import(await bundleSource('test/flows/stores/sample-ledger.ts'));
const appender = await bundleSource('test/flows/postgres/appender.mjs');
const CLIENTS = 50;
const EACH = 60;
const PROCESSES = 8;
const ENTRIES = 200;

export async function settling() {
  const server = await startServer();
  try {
    return [...(await compare(server.url)), ...(await appending(server.url))];
  } finally {
    await server.stop();
  }
}

async function compare(url) {
  const stores = [];
  // Each of them seals with a key of its own, as on so many machines.
  for (let i = 0; i < CLIENTS; i++) stores.push(await openPostgresStore(url, { ledger: sampleLedger(`machine-${i}`) }));
  const pool = new pg.Pool({ connectionString: url, max: CLIENTS });
  await pool.query('CREATE TABLE counters (id integer PRIMARY KEY, n integer NOT NULL)');
  await pool.query('CREATE TABLE entries (seq bigserial PRIMARY KEY, body text NOT NULL)');
  await pool.query('INSERT INTO counters SELECT i, 0 FROM generate_series(0, $1) AS i', [CLIENTS * EACH]);
  const { medians, ratio } = await inTurns(9, {
    apart: settleAll((client) => stores[client]),
    together: settleAll(() => stores[0]),
    plain: () => perStatement((client, i) => plainTransaction(pool, client * EACH + i)),
  });
  for (const store of stores) await store.close();
  await pool.end();
  return [
    row('settling a ticket in Postgres, 50 clients', medians.apart, 'µs'),
    row('  50 at once in one process', medians.together, 'µs'),
    row('  a transaction with an update and an insert, 50 clients', medians.plain, 'µs'),
    row('settling, against an update and an insert', ratio('apart', 'plain'), '×', 1.5),
    row('settling in one process, against an update and an insert', ratio('together', 'plain'), '×', 1.5),
  ];
}

const UPDATE = { name: 'update', text: 'UPDATE counters SET n = n + 1 WHERE id = $1' };
const INSERT = { name: 'insert', text: 'INSERT INTO entries (body) VALUES ($1)' };
const BODY = 'x'.repeat(1000);

async function plainTransaction(pool, id) {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query({ ...UPDATE, values: [id] });
    await client.query({ ...INSERT, values: [BODY] });
    await client.query('COMMIT');
  } finally {
    client.release();
  }
}

/** Each process appends one entry after the other. */
async function appending(url) {
  const times = await Promise.all(
    Array.from({ length: PROCESSES }, (_, i) => {
      const child = spawn(process.execPath, [appender, url, `machine-${i}`, String(ENTRIES)], { stdio: ['ignore', 'pipe', 'inherit'] });
      return new Promise((resolve, reject) => {
        let text = '';
        child.stdout.on('data', (chunk) => {
          text += chunk;
        });
        child.on('close', (code) => (code === 0 ? resolve(Number(text)) : reject(new Error(`an appender ended with ${code}`))));
      });
    }),
  );
  const store = await openPostgresStore(url);
  const { seq } = await store.log.head();
  await store.close();
  if (seq < PROCESSES * ENTRIES) throw new Error(`${seq} entries are in the log`);
  return [row('an append in Postgres, 8 processes at once', Math.max(...times), 'ms')];
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
