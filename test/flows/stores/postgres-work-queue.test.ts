/** Work that outlives who asked for it. */
import { spawnSync } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Json } from '../../../src/core/values/json.ts';
import { createWorkQueue } from '../../../src/stores/postgres/work-queue.ts';
import { POLL } from '../../support/patience.ts';
import { testDatabase } from '../postgres/server.ts';

const adder = fileURLToPath(new URL('../postgres/adder.mjs', import.meta.url));

let database: Awaited<ReturnType<typeof testDatabase>>;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

test('a job survives the death of who added it, and runs once', async () => {
  const { signal } = spawnSync(process.execPath, [adder, database.url, 'survive', '{"to":"ops"}'], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  expect(signal).toBe('SIGKILL');
  const { seen, queues } = await workers({ survive: async () => undefined });
  await vi.waitFor(() => expect(seen).toEqual([{ to: 'ops' }]), POLL);
  await queues.add('survive', 'last');
  await vi.waitFor(() => expect(seen).toEqual([{ to: 'ops' }, 'last']), POLL);
  await queues.stop();
});

test('what failed is tried again', async () => {
  let attempts = 0;
  const { seen, queues } = await workers({
    flaky: async () => {
      attempts++;
      if (attempts === 1) throw new Error('not this time (the test wants it so)');
    },
  });
  await queues.add('flaky', { n: 1 });
  await vi.waitFor(() => expect(attempts).toBe(2), POLL);
  expect(seen).toEqual([{ n: 1 }, { n: 1 }]);
  await queues.stop();
});

test('a key that waits or runs is not added again', async () => {
  const gate = new EventEmitter();
  const blocked = once(gate, 'open').then(() => undefined);
  const { seen, queues } = await workers({ slow: (payload) => (payload === 'first' ? blocked : Promise.resolve()) });
  await queues.add('slow', 'first', { key: 'k' });
  await vi.waitFor(() => expect(seen).toEqual(['first']), POLL);
  await queues.add('slow', 'second', { key: 'k' });
  await queues.add('slow', 'third', { key: 'other' });
  await vi.waitFor(() => expect(seen).toEqual(['first', 'third']), POLL);
  gate.emit('open');
  await queues.stop();
});

test('any JSON is handed over as it was', async () => {
  const { seen, queues } = await workers({ any: async () => undefined });
  const payloads: readonly Json[] = [null, [1, 2], 'text', { text: 'ä\u0000\ud800' }];
  for (const payload of payloads) await queues.add('any', payload);
  await vi.waitFor(() => expect(seen).toHaveLength(payloads.length), POLL);
  expect(new Set(seen.map((payload) => JSON.stringify(payload)))).toEqual(new Set(payloads.map((payload) => JSON.stringify(payload))));
  await queues.stop();
});

/** Two machines that know the same tasks, and what they were given. */
async function workers(tasks: Record<string, (payload: Json) => Promise<void>>) {
  const seen: Json[] = [];
  const noting = Object.fromEntries(
    Object.entries(tasks).map(([name, task]) => [
      name,
      (payload: Json) => {
        seen.push(payload);
        return task(payload);
      },
    ]),
  );
  const [one, other] = await Promise.all([createWorkQueue(database.url, noting), createWorkQueue(database.url, noting)]);
  await Promise.all([one.start(), other.start()]);
  return { seen, queues: { add: one.add, stop: () => Promise.all([one.stop(), other.stop()]) } };
}
