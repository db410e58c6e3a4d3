/** A process that writes for long has a thread that moves its write-ahead log into the file. Nothing is lost by it, however the process ends. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { sampleRecord } from '../../../src/api/testing/sample-records.ts';
import { verifyChain } from '../../../src/core/record/decision-record.ts';
import { startCheckpointThread } from '../../../src/stores/sqlite/checkpoint-thread.ts';
import { openSqliteStore } from '../../../src/stores/sqlite/index.ts';
import { until } from '../../support/patience.ts';
import { newDatabase, startChild } from './child.ts';

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
const PAGE = 4096;
/** Appends 50 at once, and tells how many were written. */
const WRITING = `
  const store = open();
  for (let n = 0; ; n += 50) {
    await Promise.all(Array.from({ length: 50 }, (_, i) => store.log.append(sampleRecord(args[0] + '-' + (n + i)), hash)));
    say(String(n + 50));
  }`;

test('the thread moves pages while entries are written, and the log starts anew before it is four times as long', async () => {
  const file = newDatabase();
  const store = openSqliteStore(file);
  let [longest, written] = [0, 0];
  const sizeOf = (end: string): number => statSync(`${file}${end}`, { throwIfNoEntry: false })?.size ?? 0;
  const write = async (): Promise<void> => {
    await Promise.all(Array.from({ length: 50 }, (_, i) => store.log.append(sampleRecord(`e-${written + i}`), hash)));
    written += 50;
    longest = Math.max(longest, sizeOf('-wal'));
  };
  // Longer than a process without the thread ever has it.
  while (longest < 2600 * PAGE && written < 50_000) await write();
  expect(longest).toBeGreaterThan(2600 * PAGE);
  const moved = sizeOf('');
  expect(moved).toBeGreaterThan(500 * PAGE);
  const end = 4 * written;
  while (written < end) await write();
  expect(longest).toBeLessThan(10_000 * PAGE);
  await store.close();
  expect(existsSync(`${file}-wal`)).toBe(false);
  const again = openSqliteStore(file);
  const entries = await again.log.list({ limit: written + 1 });
  expect(entries.length).toBe(written);
  expect(verifyChain(entries, await again.log.anchor(), hash)).toBe(undefined);
  await again.close();
});

test('a process that is killed while its thread moves pages loses nothing that was acknowledged', async () => {
  const file = newDatabase();
  let acknowledged = 0;
  for (let round = 0; round < 10; round++) {
    const child = startChild(file, WRITING, [`r${round}`]);
    // The thread starts after 2,000 entries.
    const lines = 42 + Math.random() * 60;
    await until(() => child.lines().length > lines);
    child.process.kill('SIGKILL');
    await child.ended;
    acknowledged += Number(child.lines().at(-1));
    const store = openSqliteStore(file);
    expect((await store.log.head()).seq).toBeGreaterThanOrEqual(acknowledged);
    acknowledged = (await store.log.head()).seq;
    await store.close();
  }
  const store = openSqliteStore(file);
  expect(verifyChain(await store.log.list({ limit: acknowledged + 1 }), await store.log.anchor(), hash)).toBe(undefined);
  await store.close();
});

test('without the thread a write makes the checkpoints, as before', async () => {
  const file = newDatabase();
  mkdirSync(path.dirname(file), { recursive: true });
  const limits: number[] = [];
  const thread = startCheckpointThread({ file: path.dirname(file), checkpointAfter: (pages) => void limits.push(pages) });
  await until(() => limits.length > 0);
  expect(limits).toEqual([2000]);
  await thread.close();
});
