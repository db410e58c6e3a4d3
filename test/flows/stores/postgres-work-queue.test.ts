/** Work that outlives who asked for it. */
import { spawnSync } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import type { Json } from '../../../src/core/values/json.ts';
import { createWorkQueue } from '../../../src/stores/postgres/work-queue.ts';
import { bundleSource } from '../../support/bundle-source.mjs';
import { LONG_MS, POLL } from '../../support/patience.ts';
import { sql, testDatabase } from '../postgres/server.ts';

const adder = await bundleSource(fileURLToPath(new URL('../postgres/adder.mjs', import.meta.url)));

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

test('a queue that stops during or right after its task has the task marked as done', async () => {
  const rejections = unhandledRejections();
  for (let round = 0; round < 30; round++) {
    const gate = new EventEmitter();
    const [begun, opened] = [once(gate, 'begin'), once(gate, 'open')];
    const queue = await createWorkQueue(database.url, {
      brief: async () => {
        gate.emit('begin');
        await opened;
      },
    });
    await queue.start();
    await queue.add('brief', round);
    await begun;
    if (round % 2 === 0) setTimeout(() => gate.emit('open'), round);
    else gate.emit('open');
    await queue.stop();
    expect(await jobs('brief'), `round ${round}`).toEqual([]);
  }
  expect(rejections).toEqual([]);
});

test(
  'connections that the server drops while work is done end neither the process nor the work, and nothing is done twice',
  async () => {
    const rejections = unhandledRejections();
    const dropAll = () =>
      sql(
        database.url,
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'hookline' AND pid <> pg_backend_pid()`,
      );
    const added = Array.from({ length: 12 }, (_, n) => n);
    // Added before the first connection is dropped: an addition whose answer is lost would be tried again, after its work was done.
    for (const n of added) await add('unlucky', n);
    const { seen, queues } = await workers({ unlucky: async () => void (await dropAll()) });
    await vi.waitFor(async () => expect(await jobs('unlucky')).toEqual([]), POLL);
    expect([...seen].sort((a, b) => Number(a) - Number(b))).toEqual(added);
    await queues.stop();
    expect(rejections).toEqual([]);
  },
  LONG_MS,
);

test(
  'a queue that stops while the server cannot be reached ends, and leaves no rejection unhandled',
  async () => {
    const rejections = unhandledRejections();
    const way = await wayTo(database.url);
    const queue = await createWorkQueue(way.url, { cut: async () => way.close() });
    await queue.start();
    // Added by another way: its own may be cut before the addition is answered.
    await add('cut', null);
    await vi.waitFor(() => expect(way.isClosed()).toBe(true), POLL);
    await queue.stop();
    expect(await jobs('cut')).toHaveLength(1);
    expect(rejections).toEqual([]);
  },
  LONG_MS,
);

test('workers that end by themselves are replaced', async () => {
  const { exitCode } = process;
  const seen: Json[] = [];
  const queue = await createWorkQueue(database.url, { later: async (payload) => void seen.push(payload) });
  await queue.start();
  // To a worker this means that a newer version has changed the tables, so it ends. It may not listen yet.
  await vi.waitFor(async () => {
    await sql(database.url, `SELECT pg_notify('worker:migrate', '{"breaking":true}')`);
    expect(process.exitCode).toBe(57);
  }, POLL);
  process.exitCode = exitCode;
  await queue.add('later', 1);
  await vi.waitFor(() => expect(seen).toEqual([1]), POLL);
  await queue.stop();
});

/** The jobs of a task that are not marked as done. */
function jobs(task: string): Promise<readonly Record<string, unknown>[]> {
  return sql(database.url, `SELECT id, locked_by FROM hookline_worker.jobs WHERE task_identifier = '${task}'`);
}

/** Adds a job by a queue that does no work. */
async function add(task: string, payload: Json): Promise<void> {
  const queue = await createWorkQueue(database.url, {});
  await queue.add(task, payload);
  await queue.stop();
}

function unhandledRejections(): readonly unknown[] {
  const seen: unknown[] = [];
  const note = (reason: unknown) => seen.push(reason);
  process.on('unhandledRejection', note);
  onTestFinished(() => void process.off('unhandledRejection', note));
  return seen;
}

/** An address that leads to the server until it is closed. */
async function wayTo(url: string): Promise<{ readonly url: string; close(): void; isClosed(): boolean }> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  const way = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from.on('error', () => undefined));
      from.pipe(to);
    }
  });
  await new Promise<void>((resolve) => way.listen(0, '127.0.0.1', resolve));
  const near = new URL(url);
  near.host = `127.0.0.1:${(way.address() as AddressInfo).port}`;
  const close = () => {
    way.close();
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(close);
  return { url: near.href, close, isClosed: () => !way.listening };
}

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
