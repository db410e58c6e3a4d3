/** A process may be killed at any moment: what it had been told is stored, is stored. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { verifyChain } from '../../../src/core/contracts/decision-record.ts';
import type { Store } from '../../../src/core/contracts/store.ts';
import { openSqliteStore } from '../../../src/stores/sqlite/index.ts';
import { until } from '../../support/patience.ts';
import { newDatabase, startChild } from './child.ts';

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
    store.audit.append(sampleRecord(id), hash);
    say('logged ' + id);
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
  expect(verifyChain(await store.audit.list({}), await store.audit.anchor(), hash)).toBe(undefined);
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
            : (await store.audit.get(id)) !== undefined;
    if (!isKept) missing.push(line);
  }
  return missing;
}
