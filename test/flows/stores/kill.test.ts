/** A process may be killed at any moment: what it had been told is stored, is stored. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Store } from '../../../src/core/contracts/store.ts';
import { verifyChain } from '../../../src/core/record/decision-record.ts';
import { openPostgresStore } from '../../../src/stores/postgres/index.ts';
import { openSqliteStore } from '../../../src/stores/sqlite/index.ts';
import { until } from '../../support/patience.ts';
import { testDatabase } from '../postgres/server.ts';
import { newDatabase, startChild } from './child.ts';
import { sampleLedger } from './sample-ledger.ts';

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
const ROUNDS = 200;

/** Opens, settles, appends and releases, and says so only after each was done. */
const BUSY = `
  const store = open();
  say('ready');
  for (let n = 0; ; n++) {
    const id = args[0] + '-' + n;
    await store.tickets.open(sampleTicket(id), 1000);
    say('opened ' + id);
    // Three at once share a transaction, and each is acknowledged by itself.
    await Promise.all([id, id + 'b', id + 'c'].map(async (own) => { await store.log.append(sampleRecord(own), hash); say('logged ' + own); }));
    await store.tickets.settle(id, sampleSettling(n % 2 ? 'approved' : 'denied'));
    say('settled ' + id);
    if (n % 2 && (await store.tickets.release('sha256:' + id, 1600))) say('released ' + id);
  }`;

test(`in ${ROUNDS} rounds of kill -9 nothing that was acknowledged is lost, and the chain holds`, async () => {
  const file = newDatabase();
  let acknowledged = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const child = startChild(file, BUSY, [`r${round}`]);
    // Killed after a random number of acknowledged steps, so that a slow machine kills at the same steps as a fast one.
    const steps = 4 + Math.random() * 40;
    await until(() => child.lines().length > steps);
    child.process.kill('SIGKILL');
    expect(await child.ended).toBe(null);
    const store = openSqliteStore(file);
    const lines = child.lines().slice(1);
    acknowledged += lines.length;
    expect(await lost(store, lines)).toEqual([]);
    await store.close();
  }
  const store = openSqliteStore(file);
  expect(verifyChain(await store.log.list({}), await store.log.anchor(), hash)).toBe(undefined);
  await store.close();
  expect(acknowledged >= ROUNDS * 4).toBe(true);
});

async function lost(store: Store, lines: readonly string[]): Promise<string[]> {
  const missing: string[] = [];
  for (const line of lines) {
    const [what, id = ''] = line.split(' ');
    const ticket = await store.tickets.get(id, 1600);
    const isKept =
      what === 'opened'
        ? ticket !== undefined
        : what === 'settled'
          ? ticket?.settledAt === 1500
          : what === 'released'
            ? ticket?.releasedAt === 1600
            : (await store.log.get(id)) !== undefined;
    if (!isKept) missing.push(line);
  }
  return missing;
}

/** Opens, settles, releases and lets expire, as fast as it can. */
const RECORDING = `
  const store = await recording(args[1]);
  say('ready');
  for (let n = 0; ; n++) {
    const id = args[0] + '-' + n;
    await store.tickets.open(sampleTicket(id, { expiresAt: n % 3 ? 2000 : 1100 }), 1000);
    if (n % 3 === 0) await store.tickets.get(id, 1200);
    else {
      await store.tickets.settle(id, sampleSettling(n % 3 === 1 ? 'approved' : 'denied'));
      if (n % 3 === 1) await store.tickets.release('sha256:' + id, 1600);
    }
    say(id);
  }`;

const KILLS = 40;

test.each(['SQLite', 'Postgres'])(
  `in ${KILLS} rounds of kill -9 in %s no change is without its entry, and no entry without its change`,
  async (name) => {
    const { url, drop } = name === 'Postgres' ? await testDatabase() : { url: newDatabase(), drop: () => undefined };
    try {
      for (let round = 0; round < KILLS; round++) {
        const children = ['a', 'b'].map((one) => startChild(newDatabase(), RECORDING, [`${one}${round}`, url]));
        await until(() => children.every((child) => child.lines().length > Math.random() * 12));
        // At any moment between two acknowledgements.
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 15));
        for (const child of children) child.process.kill('SIGKILL');
        await Promise.all(children.map(({ ended }) => ended));
      }
      const ledger = sampleLedger();
      const store = name === 'Postgres' ? await openPostgresStore(url, { ledger }) : openSqliteStore(url, { ledger });
      const entries = await store.log.list({});
      const tickets = await store.tickets.list({}, 1000);
      const told = new Set(entries.map(({ id, kind }) => `${id} ${kind}`));
      const done = tickets.flatMap(({ id, state, releasedAt }) => [
        `${id}.opened ticket.opened`,
        ...(state === 'open' ? [] : [`${id}.settled ticket.${state}`]),
        ...(releasedAt === null ? [] : [`${id}.released ticket.released`]),
      ]);
      expect(tickets.length).toBeGreaterThan(KILLS);
      expect([...told].sort()).toEqual(done.sort());
      expect(entries).toHaveLength(told.size);
      expect(verifyChain(entries, await store.log.anchor(), hash)).toBe(undefined);
      const head = await store.log.head();
      expect([head.seq, head.hash, head.seal]).toEqual([entries.at(-1)?.seq, entries.at(-1)?.hash, ledger.seal?.of(head)]);
      await store.close();
    } finally {
      await drop();
    }
  },
);
