/** The chain of the log: an entry that was changed, removed or moved shows. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Outcome } from '../../../../src/core/decision/outcome.ts';
import { chain, GENESIS, type LogEntry, type LogRecord, outcomeForLog, verifyChain } from '../../../../src/core/record/decision-record.ts';

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
const [first, second, third] = chained('a', 'b', 'c') as [LogEntry, LogEntry, LogEntry];

test('entries are numbered from 1 and name the hash of the one before', () => {
  expect(GENESIS).toEqual({ seq: 0, hash: 'sha256:0' });
  expect([first.seq, second.seq, third.seq]).toEqual([1, 2, 3]);
  expect([first.previous, second.previous, third.previous]).toEqual([GENESIS.hash, first.hash, second.hash]);
  expect(first).toMatchObject(record('a'));
  for (const entry of [first, second, third]) expect(entry.hash).toMatch(/^sha256:[0-9a-f]{64}$/);
});

test('a hash stands for the record, its number and its predecessor', () => {
  const other = { seq: 0, hash: 'sha256:1' };
  const hashes = [chain(record('a'), GENESIS, hash), chain(record('b'), GENESIS, hash), chain(record('a'), other, hash)].map(
    (entry) => entry.hash,
  );
  hashes.push(chain(record('a'), { ...GENESIS, seq: 5 }, hash).hash);
  expect(new Set(hashes).size).toBe(4);
  expect(chain(record('a'), GENESIS, hash).hash).toBe(first.hash);
});

test('a whole chain holds, from its beginning or from an anchor', () => {
  expect(verifyChain([], GENESIS, hash)).toBeUndefined();
  expect(verifyChain([first, second, third], GENESIS, hash)).toBeUndefined();
  expect(verifyChain([second, third], { seq: 1, hash: first.hash }, hash)).toBeUndefined();
});

test('a removed entry is missing, a changed one changed, and one of another chain moved', () => {
  expect(verifyChain([first, third], GENESIS, hash)).toEqual({ seq: 2, problem: 'missing' });
  expect(verifyChain([second, third], GENESIS, hash)).toEqual({ seq: 1, problem: 'missing' });
  expect(verifyChain([first, { ...second, reason: 'other' }, third], GENESIS, hash)).toEqual({ seq: 2, problem: 'changed' });
  expect(verifyChain([first, { ...second, hash: first.hash }], GENESIS, hash)).toEqual({ seq: 2, problem: 'changed' });
  expect(verifyChain([first, chained('x', 'b')[1] as LogEntry], GENESIS, hash)).toEqual({ seq: 2, problem: 'moved' });
  expect(verifyChain([first, { ...first, seq: 2 }], GENESIS, hash)).toEqual({ seq: 2, problem: 'moved' });
});

test('an outcome is kept without what the record has elsewhere', () => {
  const outcome = { id: 'i', kind: 'tool.before', decision: 'deny', reason: 'r', quiet: false, hooks: [] } as unknown as Outcome;
  expect(outcomeForLog(outcome)).toEqual({ quiet: false, hooks: [] });
});

function chained(...ids: string[]): LogEntry[] {
  const entries: LogEntry[] = [];
  for (const id of ids) entries.push(chain(record(id), entries.at(-1) ?? GENESIS, hash));
  return entries;
}

function record(id: string): LogRecord {
  return {
    id,
    at: 1,
    session: 's',
    root: '/',
    kind: 'tool.before',
    tool: 'Bash',
    decision: 'deny',
    reason: 'no',
    ticket: null,
    data: {},
    masked: [],
    outcome: null,
    digests: { event: 'e', hooks: 'h' },
    ms: 1,
  };
}
