/** Several real processes on one file: one winner each, no entry lost, no fork in the chain, and one of them makes the tables. */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { sampleTicket } from '../../../src/api/testing/sample-records.ts';
import { verifyChain } from '../../../src/core/record/decision-record.ts';
import { openSqliteStore } from '../../../src/stores/sqlite/index.ts';
import { until } from '../../support/patience.ts';
import { newDatabase, startChild } from './child.ts';

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
const FOUR = ['p0', 'p1', 'p2', 'p3'];

test('of processes that approve and deny the same 1,000 tickets, exactly one wins each, and it is the one that is kept', async () => {
  const file = newDatabase();
  const store = openSqliteStore(file);
  for (let n = 0; n < 1000; n++) await store.tickets.open(sampleTicket(`t${n}`), 1000);
  const race = `
    const store = open();
    const state = args[0] < 'p2' ? 'approved' : 'denied';
    for (let n = 0; n < 1000; n++) {
      const { won } = await store.tickets.settle('t' + n, sampleSettling(state, { by: args[0] }));
      if (won) say('t' + n);
    }
    await store.close();`;
  const children = FOUR.map((name) => startChild(file, race, [name]));
  expect(await Promise.all(children.map(({ ended }) => ended))).toEqual([0, 0, 0, 0]);
  const wins = children.flatMap((child, index) => child.lines().map((id) => `${id} ${FOUR[index]}`));
  const kept = (await store.tickets.list({}, 1600)).map(({ id, by }) => `${id} ${by}`);
  expect(wins.sort()).toEqual(kept.sort());
  expect(kept.length).toBe(1000);
  await store.close();
});

test('processes that release the same approvals get each of them once', async () => {
  const file = newDatabase();
  const store = openSqliteStore(file);
  for (let n = 0; n < 100; n++) {
    await store.tickets.open(sampleTicket(`t${n}`), 1000);
    await store.tickets.settle(`t${n}`, { state: 'approved', at: 1500, by: null, note: null, via: null, edit: null });
  }
  const race = `
    const store = open();
    for (let n = 0; n < 100; n++) if (await store.tickets.release('sha256:t' + n, 1600)) say('t' + n);
    await store.close();`;
  const children = FOUR.map(() => startChild(file, race));
  expect(await Promise.all(children.map(({ ended }) => ended))).toEqual([0, 0, 0, 0]);
  const released = children.flatMap((child) => child.lines());
  expect([released.length, new Set(released).size]).toEqual([100, 100]);
  await store.close();
});

test.each([1, 50])('four processes that append 500 records each, %i at once, lose none, and the chain holds', async (atOnce) => {
  const file = newDatabase();
  const append = `
    const store = open();
    const many = (from) => Array.from({ length: ${atOnce} }, (_, i) => store.log.append(sampleRecord(args[0] + '-' + (from + i)), hash));
    for (let n = 0; n < 500; n += ${atOnce}) await Promise.all(many(n));
    await store.close();`;
  const children = FOUR.map((name) => startChild(file, append, [name]));
  expect(await Promise.all(children.map(({ ended }) => ended))).toEqual([0, 0, 0, 0]);
  const store = openSqliteStore(file);
  const entries = await store.log.list({});
  expect(verifyChain(entries, await store.log.anchor(), hash)).toBe(undefined);
  expect(new Set(entries.map(({ id }) => id)).size).toBe(2000);
  await store.close();
});

test('processes that meet a new file at once all find the tables made', async () => {
  for (let round = 0; round < 5; round++) {
    const file = newDatabase();
    const start = `${file}.start`;
    const meet = `
      const { existsSync } = await import('node:fs');
      say('up');
      // All open the file at the same moment, once all of them are up.
      while (!existsSync(args[1])) {}
      const store = open();
      await store.log.append(sampleRecord(args[0]), hash);
      await store.close();`;
    const children = FOUR.map((name) => startChild(file, meet, [name, start]));
    await until(() => children.every((child) => child.lines().includes('up')));
    mkdirSync(path.dirname(start), { recursive: true });
    writeFileSync(start, '');
    expect(await Promise.all(children.map(({ ended }) => ended))).toEqual([0, 0, 0, 0]);
    const store = openSqliteStore(file);
    expect((await store.log.list({})).map(({ id }) => id).sort()).toEqual(FOUR);
    await store.close();
  }
});

test('who waits is woken by another process', async () => {
  const file = newDatabase();
  const store = openSqliteStore(file);
  await store.tickets.open(sampleTicket('a'), 1000);
  const waiting = store.tickets.waitFor('a', () => 1500, new AbortController().signal);
  const child = startChild(file, `const store = open(); await store.tickets.settle('a', sampleSettling('denied')); await store.close();`);
  expect(await child.ended).toBe(0);
  expect((await waiting)?.state).toBe('denied');
  await store.close();
});
