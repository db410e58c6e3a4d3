/** The Postgres store keeps the contract of stores, each law on a database of its own. */
import { Client } from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import { describeStore, type Tampering } from '../../../src/api/testing/index.ts';
import type { Store } from '../../../src/core/contracts/store.ts';
import { openPostgresStore } from '../../../src/stores/postgres/index.ts';
import { sha256 } from '../postgres/samples.ts';
import { testDatabase } from '../postgres/server.ts';

const drops: (() => Promise<void>)[] = [];
const urls = new Map<Store, string>();
afterAll(async () => {
  for (const drop of drops) await drop();
});

describeStore({ describe, test, expect }, makeStore, {
  name: 'postgres',
  hash: sha256,
  again: (store) => openAt(urlOf(store)),
  tamper: (store, tampering) => tamper(urlOf(store), tampering),
});

async function makeStore(): Promise<Store> {
  const { url, drop } = await testDatabase();
  drops.push(drop);
  return openAt(url);
}

async function openAt(url: string): Promise<Store> {
  const store = await openPostgresStore(url);
  urls.set(store, url);
  return store;
}

function urlOf(store: Store): string {
  return urls.get(store) ?? '';
}

async function tamper(url: string, tampering: Tampering): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  if (tampering.kind === 'remove') await client.query('DELETE FROM hookline.audit WHERE seq = $1', [tampering.seq]);
  else if (tampering.kind === 'change') {
    const { rows } = await client.query<{ body: string }>('SELECT body FROM hookline.audit WHERE seq = $1', [tampering.seq]);
    const body = JSON.stringify({ ...JSON.parse(rows[0]?.body ?? ''), reason: tampering.reason });
    await client.query('UPDATE hookline.audit SET body = $2 WHERE seq = $1', [tampering.seq, body]);
  } else {
    for (const [from, to] of [
      [tampering.seq, -1],
      [tampering.with, tampering.seq],
      [-1, tampering.with],
    ])
      await client.query('UPDATE hookline.audit SET seq = $2 WHERE seq = $1', [from, to]);
  }
  await client.end();
}
