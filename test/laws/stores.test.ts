/** Every built-in store keeps its contract: the suite runs over the list, and opens each store by its URL. */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import { describeStore, type Tampering } from '../../src/api/testing/index.ts';
import { STORES } from '../../src/builtins.ts';
import type { Store, StoreKind } from '../../src/core/contracts/store.ts';
import { createLedger } from '../../src/engine/record/ledger.ts';
import { connect } from '../../src/stores/sqlite/database.ts';
import { testDatabase } from '../flows/postgres/server.ts';

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

let ids = 0;
const ledger = createLedger({
  hash,
  who: () => ({ osUser: 'ann', userId: '1000', machine: { id: 'm', name: 'desk' }, project: { root: '/project' } }),
  root: '/project',
  seal: { origin: 'm', of: ({ seq, hash: head }) => hash(`sealed ${seq} ${head}`) },
  newId: () => `act-${++ids}`,
  now: () => 5000,
});

const cleanUps: (() => unknown)[] = [];
afterAll(async () => {
  for (const cleanUp of cleanUps) await cleanUp();
});

/** Returns the URL of a new, empty place. */
const NEW_PLACE: Readonly<Record<StoreKind['place'], (scheme: string) => string | Promise<string>>> = {
  nothing: (scheme) => scheme,
  path(scheme) {
    const folder = mkdtempSync(path.join(tmpdir(), 'hookline-store-'));
    cleanUps.push(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
    return `${scheme}${path.join(folder, 'state', 'hookline.db')}`;
  },
  /** A store on another server gives its tests that server here. */
  async server(scheme) {
    const { url, drop } = await testDatabase();
    cleanUps.push(drop);
    return url.replace(/^[a-z]+:/, scheme);
  },
};

/** Change the log behind the back of the store. For a store without a row the suite changes a copy of the log. */
const TAMPER: Readonly<Record<string, (url: string, tampering: Tampering) => unknown>> = {
  'sqlite:': tamperSqlite,
  'postgres:': tamperPostgres,
};

const kinds = Object.entries(STORES);
// Two schemes of one kind are one store.
for (const [scheme, kind] of kinds.filter(([, one], index) => kinds.findIndex(([, other]) => other === one) === index)) {
  const urls = new Map<Store, string>();
  const recorded = new Set<string>();
  const openAt = async (url: string): Promise<Store> => {
    const store = await kind.open(url, recorded.has(url) ? { ledger } : {});
    urls.set(store, url);
    return store;
  };
  const urlOf = (store: Store): string => urls.get(store) ?? '';
  const tamper = TAMPER[scheme];
  describeStore({ describe, test, expect }, async () => openAt(await NEW_PLACE[kind.place](scheme)), {
    name: scheme.replace(':', ''),
    hash,
    async recording() {
      const url = await NEW_PLACE[kind.place](scheme);
      recorded.add(url);
      return openAt(url);
    },
    ...(kind.place !== 'nothing' && { again: (store: Store) => openAt(urlOf(store)) }),
    ...(tamper && { tamper: (store: Store, tampering: Tampering) => tamper(urlOf(store), tampering) }),
  });
}

function tamperSqlite(url: string, tampering: Tampering): void {
  const connection = connect(url.replace('sqlite:', ''));
  try {
    if (tampering.kind === 'remove') connection.prepare('DELETE FROM audit WHERE seq = ?').run(tampering.seq);
    else if (tampering.kind === 'change') {
      connection.prepare("UPDATE audit SET body = json_set(body, '$.reason', ?) WHERE seq = ?").run(tampering.reason, tampering.seq);
    } else {
      const move = connection.prepare('UPDATE audit SET seq = ? WHERE seq = ?');
      for (const [from, to] of exchange(tampering.seq, tampering.with)) move.run(to, from);
    }
  } finally {
    connection.close();
  }
}

async function tamperPostgres(url: string, tampering: Tampering): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  if (tampering.kind === 'remove') await client.query('DELETE FROM hookline.audit WHERE seq = $1', [tampering.seq]);
  else if (tampering.kind === 'change') {
    const { rows } = await client.query<{ body: string }>('SELECT body FROM hookline.audit WHERE seq = $1', [tampering.seq]);
    const body = JSON.stringify({ ...JSON.parse(rows[0]?.body ?? ''), reason: tampering.reason });
    await client.query('UPDATE hookline.audit SET body = $2 WHERE seq = $1', [tampering.seq, body]);
  } else {
    const move = 'UPDATE hookline.audit SET seq = $2 WHERE seq = $1';
    for (const step of exchange(tampering.seq, tampering.with)) await client.query(move, [...step]);
  }
  await client.end();
}

/** The steps that give each of two entries the number of the other. */
function exchange(one: number, other: number): readonly (readonly [from: number, to: number])[] {
  return [
    [one, -1],
    [other, one],
    [-1, other],
  ];
}
