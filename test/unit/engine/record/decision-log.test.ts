/** The log is checked page by page, and an entry that was changed or removed shows. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Store } from '../../../../src/core/contracts/store.ts';
import { GENESIS, type LogEntry, type LogRecord } from '../../../../src/core/record/decision-record.ts';
import { createLog } from '../../../../src/engine/record/decision-log.ts';
import { readRecorded } from '../../../../src/engine/record/recorded-outcome.ts';
import { verifyLog } from '../../../../src/engine/record/verify-log.ts';
import { createMemoryStore } from '../../../../src/stores/memory.ts';

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
const record = (i: number): LogRecord => ({
  ...{ id: `o${i}`, at: i, session: 's', root: '/', kind: 'tool.before', tool: 'Bash', decision: 'pass', reason: null, ticket: null },
  ...{ data: {}, masked: [], outcome: {}, digests: { event: 'e', hooks: 'h' }, ms: 0 },
});

function filled(count: number): Store {
  const store = createMemoryStore();
  for (let i = 1; i <= count; i++) store.log.append(record(i), hash);
  return store;
}

const altered = (store: Store, change: (entries: readonly LogEntry[]) => readonly LogEntry[]): Store => ({
  ...store,
  log: { ...store.log, list: async (filter) => change(await store.log.list(filter)) },
});

const UNSEALED = { problems: [], sealed: 'no', checkpoints: { count: 0 } };

test('a whole log verifies, an empty one too, and its head is the last entry', async () => {
  expect(await verifyLog(filled(0), hash)).toEqual({ ok: true, entries: 0, head: GENESIS, ...UNSEALED });
  const store = filled(3);
  const last = (await store.log.list({})).at(-1) as LogEntry;
  expect(await verifyLog(store, hash)).toEqual({ ok: true, entries: 3, head: { seq: 3, hash: last.hash }, ...UNSEALED });
});

test.each([999, 1000, 1001, 2000])('a log of %i entries is read to its end, page by page', async (count) => {
  const pages: number[] = [];
  const found = await verifyLog(filled(count), hash, { onPage: (entries) => pages.push(entries) });
  expect(found).toMatchObject({ ok: true, entries: count, head: { seq: count } });
  expect(pages.at(-1)).toBe(count);
  expect(pages[0]).toBe(Math.min(count, 1000));
});

test('an entry that was changed or removed is named, and the rest is read all the same', async () => {
  const changed = altered(filled(3), (entries) => entries.map((entry) => (entry.seq === 2 ? { ...entry, reason: 'forged' } : entry)));
  expect(await verifyLog(changed, hash)).toMatchObject({ ok: false, entries: 3, problem: { seq: 2, problem: 'changed' } });
  const removed = altered(filled(3), (entries) => entries.filter(({ seq }) => seq !== 2));
  expect(await verifyLog(removed, hash)).toMatchObject({ ok: false, problem: { seq: 2, problem: 'missing' } });
  const late = altered(filled(1002), (entries) => entries.map((entry) => (entry.seq === 1002 ? { ...entry, tool: 'X' } : entry)));
  expect(await verifyLog(late, hash)).toMatchObject({ ok: false, entries: 1002, head: { seq: 1002 }, problem: { seq: 1002 } });
  const both = altered(filled(5), (entries) =>
    entries.flatMap((entry) => (entry.seq === 2 ? [] : [{ ...entry, ...(entry.seq === 4 && { tool: 'X' }) }])),
  );
  expect((await verifyLog(both, hash)).problems).toMatchObject([
    { seq: 2, problem: 'missing' },
    { seq: 4, problem: 'changed' },
  ]);
});

test('a head of an earlier time shows whether the newest entries were removed', async () => {
  const store = filled(3);
  const [first, , last] = await store.log.list({});
  expect((await verifyLog(store, hash, { head: last?.hash })).ok).toBe(true);
  expect((await verifyLog(store, hash, { head: first?.hash })).ok).toBe(true);
  expect((await verifyLog(store, hash, { head: GENESIS.hash })).ok).toBe(true);
  const cut = altered(store, (entries) => entries.filter(({ seq }) => seq < 3));
  expect(await verifyLog(cut, hash, { head: last?.hash })).toMatchObject({
    ok: false,
    entries: 2,
    problem: { seq: 3, problem: 'missing' },
  });
});

test('the log reads, prunes and verifies the store, and tells how often it failed', async () => {
  const store = filled(3);
  const log = createLog({ store: async () => store, hash, failures: () => 7, witness: () => undefined });
  expect((await log.list()).map(({ id }) => id)).toEqual(['o1', 'o2', 'o3']);
  expect((await log.list({ after: 2 })).map(({ id }) => id)).toEqual(['o3']);
  expect([(await log.get('o2'))?.seq, await log.get('none'), log.failures]).toEqual([2, undefined, 7]);
  const head = (await log.verify()).head.hash;
  expect(await log.prune(3)).toBe(2);
  expect(await log.verify(head)).toMatchObject({ ok: true, entries: 1 });
  expect(await log.verify('other')).toMatchObject({ ok: false });
});

const entry = (outcome: unknown, more: Partial<LogEntry> = {}): LogEntry =>
  ({ ...record(1), seq: 1, previous: '', hash: '', outcome, ...more }) as LogEntry;
const BARE = { context: [], contextSources: [], notices: [], quiet: false, unmatched: 0, hooks: [], diagnostics: [] };

test.each([null, 'x', [], 1])('an outcome that was written as %j is read as one without parts', (outcome) => {
  expect(readRecorded(entry(outcome))).toStrictEqual({ id: 'o1', kind: 'tool.before', decision: 'pass', reason: null, ...BARE });
});

test('every part that was written is read back', () => {
  const written = {
    ...{ rewrite: { a: 1 }, replace: 'x', context: ['c'], notices: ['n'], continue: 'go', halt: 'stop', quiet: true, unmatched: 3 },
    approval: { ticket: 't', state: 'approved', by: null, note: null, at: '' },
    contextSources: [{ name: 'a', also: [{ name: 'b' }, { other: 1 }] }],
    hooks: [{ name: 'h', status: 'answered', source: { file: 'f', scope: 'user' }, fault: { kind: 'exit' }, effects: ['notice'] }],
    diagnostics: [{ severity: 'info', message: 'm' }],
  };
  expect(readRecorded(entry(written))).toMatchObject({ ...written, contextSources: [{ name: 'a', also: [{ name: 'b' }] }] });
});

test('a part of another type is left out, and the rest still counts', () => {
  const written = {
    ...{ context: ['c', 1], notices: 'n', continue: 1, halt: {}, quiet: 'yes', unmatched: '3', approval: { state: 1 } },
    contextSources: [{ name: 'a', also: 'x' }, { name: 1 }, 'x'],
    hooks: [
      { name: 'h', status: 'skipped', source: 'x', fault: 'x', effects: ['notice', 1] },
      { name: 1, status: 'answered' },
      { name: 'h', status: 'x' },
      1,
    ],
    diagnostics: [{ severity: 'info' }, { message: 'm' }, 1, { severity: 'info', message: 'm' }],
  };
  const read = readRecorded(entry(written));
  expect(read).toMatchObject({ context: ['c'], notices: [], quiet: false, unmatched: 0, contextSources: [{ name: 'a' }] });
  for (const key of ['continue', 'halt', 'approval', 'rewrite', 'replace']) expect(Object.hasOwn(read, key), key).toBe(false);
  expect(Object.hasOwn(read.contextSources[0] ?? {}, 'also')).toBe(false);
  expect(read.hooks).toMatchObject([
    { name: 'h', status: 'skipped', effects: ['notice'], source: { file: expect.stringMatching(/\w/), scope: 'runtime' } },
  ]);
  expect(read.hooks[0]?.fault).toBeUndefined();
  expect(read.diagnostics).toEqual([{ severity: 'info', message: 'm' }]);
  expect(readRecorded(entry({ hooks: [{ name: 'h', status: 'detached', source: { file: 1 } }] })).hooks[0]?.source.scope).toBe('runtime');
  for (const status of ['answered', 'faulted', 'skipped', 'detached'])
    expect(readRecorded(entry({ hooks: [{ name: 'h', status }] })).hooks).toHaveLength(1);
});

test('a held action has its ticket, and nothing else has', () => {
  expect(readRecorded(entry({}, { decision: 'hold', ticket: 't' })).ticket).toMatchObject({ id: 't' });
  expect(readRecorded(entry({}, { decision: 'hold', ticket: null }))).not.toHaveProperty('ticket');
  expect(readRecorded(entry({}, { decision: 'deny', ticket: 't' }))).not.toHaveProperty('ticket');
});
