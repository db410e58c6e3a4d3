/** Laws for the log of every store: entries form one chain, can be found by their contents, and tampering shows. */

import type { Store } from '../../core/contracts/store.ts';
import { GENESIS, type LogEntry, type LogRecord, verifyChain } from '../../core/record/decision-record.ts';
import type { Bench, Tampering } from './describe-store.ts';
import { HOSTILE, LARGE, outcomeWith, sampleRecord } from './sample-records.ts';
import type { Suite } from './suite.ts';

export function logLaws(suite: Suite, bench: Bench): void {
  appendLaws(suite, bench);
  filterLaws(suite, bench);
  tamperLaws(suite, bench);
  pruneLaws(suite, bench);
}

const filled = async (store: Store, { hash }: Bench, records: readonly LogRecord[]): Promise<void> => {
  for (const record of records) await store.log.append(record, hash);
};
const five = (): LogRecord[] => [1, 2, 3, 4, 5].map((n) => sampleRecord(`r${n}`, { at: n * 100 }));
const verified = async (store: Store, { hash }: Bench) => verifyChain(await store.log.list({}), await store.log.anchor(), hash) ?? 'holds';

function appendLaws({ expect }: Suite, bench: Bench): void {
  const { law, hash } = bench;

  law('an appended entry is there for everyone, numbered without gaps, each bound to the one before', async (store, other) => {
    await filled(store, bench, five().slice(0, 2));
    await filled(other, bench, five().slice(2, 4));
    await filled(store, bench, five().slice(4));
    const entries = await other.log.list({});
    expect(entries.map(({ seq, id }) => `${seq} ${id}`)).toEqual(['1 r1', '2 r2', '3 r3', '4 r4', '5 r5']);
    expect(entries.map(({ previous }) => previous)).toEqual([GENESIS.hash, ...entries.slice(0, -1).map((entry) => entry.hash)]);
    expect(recordOf(entries[2])).toEqual(five()[2]);
    expect(await verified(store, bench)).toBe('holds');
  });

  law('an entry is found by its id', async (store, other) => {
    await filled(store, bench, five());
    expect((await other.log.get('r4'))?.seq).toBe(4);
    await filled(store, bench, [sampleRecord('r6')]);
    expect((await other.log.get('r6'))?.seq).toBe(6);
    expect(await other.log.get('r')).toBe(undefined);
  });

  law('many appended at once all find their place in the chain', async (store, other) => {
    const ids = Array.from({ length: 60 }, (_, n) => `r${n}`);
    await Promise.all(ids.map((id, n) => (n % 2 ? store : other).log.append(sampleRecord(id), hash)));
    expect((await store.log.list({})).map(({ id }) => id).sort()).toEqual([...ids].sort());
    expect(await verified(store, bench)).toBe('holds');
  });

  law('hostile text, a megabyte of it and keys like __proto__ are logged as they are, and the chain holds', async (store, other) => {
    const text = String(HOSTILE['text']);
    const record = sampleRecord('a', { data: { input: HOSTILE, text: LARGE }, session: text, tool: text, reason: text, outcome: HOSTILE });
    await filled(store, bench, [record, sampleRecord('b')]);
    // Compared here, because a runner that prints a megabyte of difference shows nothing.
    expect(sortedText(recordOf(await other.log.get('a'))) === sortedText(record)).toBe(true);
    expect((await other.log.list({ session: text, tool: text })).length).toBe(1);
    expect(await verified(other, bench)).toBe('holds');
  });
}

function filterLaws({ expect }: Suite, bench: Bench): void {
  const { law } = bench;
  const found = async (store: Store, filter: Parameters<Store['log']['list']>[0]): Promise<number[]> =>
    (await store.log.list(filter)).map(({ seq }) => seq);

  law('a log can be narrowed to a session, a tool, a decision, a hook and a time', async (store) => {
    await filled(store, bench, [
      sampleRecord('a', { at: 100, session: 's1', tool: 'Bash', decision: 'deny', outcome: outcomeWith('rm-guard') }),
      sampleRecord('b', { at: 200, session: 's2', tool: 'Write', decision: 'pass', outcome: outcomeWith('100%_guard') }),
      sampleRecord('c', { at: 300, session: 's1', tool: null, decision: 'hold', outcome: null }),
    ]);
    expect(await found(store, { session: 's1' })).toEqual([1, 3]);
    expect(await found(store, { tool: 'Write' })).toEqual([2]);
    expect(await found(store, { decision: 'hold' })).toEqual([3]);
    expect(await found(store, { hook: 'guard' })).toEqual([1, 2]);
    expect(await found(store, { hook: 'project:rm' })).toEqual([1]);
    // A part of the name, not a pattern.
    expect(await found(store, { hook: '%_g' })).toEqual([2]);
    expect(await found(store, { hook: 'r%d' })).toEqual([]);
    expect(await found(store, { since: 200 })).toEqual([2, 3]);
    expect(await found(store, { until: 200 })).toEqual([1, 2]);
    expect(await found(store, { session: 's1', since: 101, until: 300 })).toEqual([3]);
  });

  law('a limit gives the newest, oldest first; after an entry it gives the next ones', async (store) => {
    await filled(store, bench, five());
    expect(await found(store, { limit: 2 })).toEqual([4, 5]);
    expect(await found(store, { limit: 2, until: 300 })).toEqual([2, 3]);
    expect(await found(store, { limit: 0 })).toEqual([]);
    expect(await found(store, { after: 3 })).toEqual([4, 5]);
    expect(await found(store, { after: 0, limit: 2 })).toEqual([1, 2]);
    expect(await found(store, { after: 2, limit: 2 })).toEqual([3, 4]);
    expect(await found(store, { after: 5 })).toEqual([]);
  });
}

function tamperLaws({ expect }: Suite, bench: Bench): void {
  const cases: readonly (readonly [string, Tampering, unknown])[] = [
    ['an entry that was changed shows', { kind: 'change', seq: 3, reason: 'All was well.' }, { seq: 3, problem: 'changed' }],
    ['an entry that was taken out shows', { kind: 'remove', seq: 2 }, { seq: 2, problem: 'missing' }],
    ['a first entry that was taken out shows', { kind: 'remove', seq: 1 }, { seq: 1, problem: 'missing' }],
    ['entries that changed places show', { kind: 'swap', seq: 2, with: 4 }, { seq: 2, problem: 'moved' }],
  ];
  for (const [name, tampering, problem] of cases) {
    bench.law(name, async (store) => {
      await filled(store, bench, five());
      expect(await verified(store, bench)).toBe('holds');
      const entries = await bench.tampered(store, tampering);
      expect(verifyChain(entries, await store.log.anchor(), bench.hash)).toEqual(problem);
    });
  }
}

function pruneLaws({ expect }: Suite, bench: Bench): void {
  const { law } = bench;

  law('pruning removes older entries, keeps an anchor, and the rest still verifies', async (store, other) => {
    await filled(store, bench, five());
    expect(await store.log.anchor()).toEqual(GENESIS);
    const second = await store.log.get('r2');
    expect(await store.log.prune(300)).toBe(2);
    expect(await other.log.anchor()).toEqual({ seq: 2, hash: second?.hash });
    expect((await other.log.list({})).map(({ seq }) => seq)).toEqual([3, 4, 5]);
    expect(await other.log.get('r2')).toBe(undefined);
    expect(await verified(other, bench)).toBe('holds');
    expect(await store.log.prune(300)).toBe(0);
  });

  law('after everything was pruned the chain continues where it was', async (store, other) => {
    await filled(store, bench, five());
    expect(await other.log.prune(9000)).toBe(5);
    await filled(store, bench, [sampleRecord('r6')]);
    await filled(other, bench, [sampleRecord('r7')]);
    expect((await store.log.list({})).map(({ seq }) => seq)).toEqual([6, 7]);
    expect((await store.log.get('r6'))?.seq).toBe(6);
    expect(await verified(store, bench)).toBe('holds');
  });

  law('pruning leaves no gap where an entry bears an earlier time than the one before it', async (store) => {
    await filled(store, bench, [sampleRecord('a', { at: 100 }), sampleRecord('b', { at: 500 }), sampleRecord('c', { at: 200 })]);
    expect(await store.log.prune(300)).toBe(1);
    expect(await verified(store, bench)).toBe('holds');
  });
}

function recordOf(entry: LogEntry | undefined): LogRecord | undefined {
  if (!entry) return undefined;
  const { seq: _, previous: __, hash: ___, ...record } = entry;
  return record;
}

/** Sorts keys, including `__proto__`. */
function sortedText(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item) ? Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)) : item,
  );
}
