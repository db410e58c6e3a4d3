/** The server dies in the middle of the work: who was not answered is told, and what was acknowledged is still there. */
import { expect, test } from 'vitest';
import { verifyChain } from '../../../src/core/record/decision-record.ts';
import { openPostgresStore } from '../../../src/stores/postgres/index.ts';
import { until } from '../../support/patience.ts';
import { debianBinaries, startDebianServer } from '../postgres/debian-server.ts';
import { NOW, sampleRecord, sampleTicket, sha256 } from '../postgres/samples.ts';

const ROUNDS = 4;

test('a crash of the server rejects, loses nothing acknowledged, and the same store goes on afterwards', async ({ skip }) => {
  const binaries = debianBinaries();
  if (!binaries) return skip('Only a server of our own can be made to crash, and the one of Debian is not installed.');
  const server = await startDebianServer(binaries);
  const store = await openPostgresStore(server.url);
  try {
    const kept: string[] = [];
    await store.tickets.open(sampleTicket('patient'), NOW);
    const waiting = store.tickets.waitFor('patient', () => NOW, new AbortController().signal);
    // It rejects when the store closes, which is no failure of its own if the test has failed before.
    waiting.catch(() => undefined);
    for (let round = 0; round < ROUNDS; round++) {
      const failures: unknown[] = [];
      const before = kept.length;
      const writers = Array.from({ length: 8 }, (_, writer) => write(`${round}-${writer}`, kept, failures));
      await until(() => kept.length >= before + 2 + 5 * round);
      server.crash();
      await Promise.all(writers);
      expect(failures).toHaveLength(8);
      expect(failures.filter((error) => (error as { code?: unknown }).code !== 'store-unavailable')).toEqual([]);
      server.restart();
    }
    const entries = await store.log.list({});
    const tickets = new Set((await store.tickets.list({}, NOW)).map(({ id }) => id));
    const there = new Set(entries.map(({ id }) => id));
    expect(kept.length).toBeGreaterThan(ROUNDS);
    expect(kept.filter((id) => !there.has(id) || !tickets.has(id))).toEqual([]);
    expect(verifyChain(entries, await store.log.anchor(), sha256)).toBeUndefined();
    await store.tickets.settle('patient', { state: 'denied', at: NOW, by: null, note: null, via: null, edit: null });
    expect(await waiting).toMatchObject({ state: 'denied' });
  } finally {
    await store.close();
    await server.stop();
  }

  /** Opens tickets and appends records until something is refused. */
  async function write(name: string, kept: string[], failures: unknown[]): Promise<void> {
    for (let index = 0; ; index++) {
      const id = `${name}-${index}`;
      try {
        await store.tickets.open(sampleTicket(id), NOW);
        await store.log.append(sampleRecord(id), sha256);
        kept.push(id);
      } catch (error) {
        failures.push(error);
        return;
      }
    }
  }
});

test('the first reads after a restart of the server do not fail on the connections of before', async ({ skip }) => {
  const binaries = debianBinaries();
  if (!binaries) return skip('Only a server of our own can be made to crash, and the one of Debian is not installed.');
  const server = await startDebianServer(binaries);
  const store = await openPostgresStore(server.url);
  try {
    await store.tickets.open(sampleTicket('held'), NOW);
    await store.log.append(sampleRecord('first'), sha256);
    // The pool keeps one connection for each of these.
    await Promise.all(Array.from({ length: 10 }, () => store.log.list({ limit: 1 })));
    // Both calls block, so the pool cannot see that its connections ended before it is asked for one.
    server.crash();
    server.restart();
    expect(await store.log.list({ limit: 1 })).toMatchObject([{ id: 'first' }]);
    expect(await store.tickets.get('held', NOW)).toMatchObject({ state: 'open' });
  } finally {
    await store.close();
    await server.stop();
  }
});
