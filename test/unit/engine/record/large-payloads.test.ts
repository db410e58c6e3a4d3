/** Large payloads: an entry keeps a bounded part and the digest of the whole, and later events read none of it. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Store } from '../../../../src/core/contracts/store.ts';
import type { Outcome } from '../../../../src/core/decision/outcome.ts';
import type { LogEntry } from '../../../../src/core/record/decision-record.ts';
import { digestOf } from '../../../../src/core/values/digest.ts';
import { createRecorder } from '../../../../src/engine/record/recorder.ts';
import { openSqliteStore } from '../../../../src/stores/sqlite/index.ts';
import { event } from '../../../flows/engine/small-engine.ts';
import { createWorkspace } from '../../../support/workspace.ts';

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

function outcomeOf(id: string, more: Partial<Outcome> = {}): Outcome {
  const source = { file: 'f', scope: 'user' } as const;
  const report = { id: 'a', name: 'a', dialect: 'a', event: 'gate', handler: 'function', source } as const;
  return {
    ...{ id, kind: 'tool.before', decision: 'pass', reason: null, context: [], contextSources: [], notices: [], quiet: false },
    ...{ unmatched: 0, hooks: [{ ...report, status: 'answered', decision: 'pass', ms: 1 }], diagnostics: [] },
    ...more,
  };
}

/** A recorder on a real file. Counts the bytes of the entries that it reads. */
function counting() {
  const store = openSqliteStore(createWorkspace().at('log.db'));
  let read = 0;
  const list: Store['log']['list'] = async (filter) => {
    const entries = await store.log.list(filter);
    read += entries.reduce((sum, entry) => sum + JSON.stringify(entry).length, 0);
    return entries;
  };
  const counted: Store = { ...store, log: { ...store.log, list } };
  const recorder = createRecorder({
    ...{ record: 'asked', onFailure: 'keep', root: '/', clock: { iso: () => '', now: () => 1, tick: () => 0 }, hash },
    ...{ store: () => counted, opened: () => counted, gates: () => true, deniedSessions: { has: () => true, add: () => undefined } },
  });
  let fired = 0;
  const fire = async (kind: 'tool.before' | 'tool.after', data: Record<string, unknown>, more: Partial<Outcome> = {}): Promise<Outcome> =>
    recorder.record({ ...event(kind), data: data as never }, outcomeOf(`o${++fired}`, { kind, ...more }), () => 'set');
  const readBy = async (work: () => Promise<unknown>): Promise<number> => {
    const before = read;
    await work();
    return read - before;
  };
  const last = async (): Promise<LogEntry | undefined> => (await store.log.list({ limit: 1 })).at(-1);
  return { fire, readBy, last };
}

const MB = 1024 * 1024;
const ran = { tool: 'Bash', input: { command: 'ls' }, result: 'ok' };

test('an entry is bounded, whatever the payload, and names the parts that were cut', async () => {
  const { fire, last } = counting();
  const data = { tool: 'Bash', input: { command: 'cat', token: 'x', text: 'y'.repeat(4 * MB) }, result: ['z'.repeat(MB), 'z'.repeat(MB)] };
  await fire('tool.after', data, { reason: 'w'.repeat(MB), context: ['v'.repeat(MB)] });
  const entry = await last();
  expect(JSON.stringify(entry).length).toBeLessThan(MB / 4);
  expect(entry?.cut).toEqual(expect.arrayContaining(['/data/input/text', '/data/result/0', '/outcome/context/0', '/reason']));
  expect(entry?.masked).toEqual(['/data/input/token']);
  expect(entry?.digests.event).toBe(digestOf(data, hash));
});

test('an entry that fits is whole', async () => {
  const { fire, last } = counting();
  await fire('tool.after', ran);
  expect(await last()).toMatchObject({ data: ran });
  expect(await last()).not.toHaveProperty('cut');
});

test('a run reads none of the earlier payloads, and of denied calls a bounded part', async () => {
  const { fire, readBy } = counting();
  const large = (command: string) => ({ tool: 'Bash', input: { command, text: 'y'.repeat(4 * MB) } });
  for (const id of ['a', 'b', 'c']) await fire('tool.before', large(id));
  expect(await readBy(() => fire('tool.after', ran))).toBe(0);
  await fire('tool.before', large('d'), { decision: 'deny', reason: 'no' });
  expect(await readBy(() => fire('tool.after', ran))).toBeLessThan(MB / 4);
});

test('a large call that was denied and ran is found by its digest, and no other is taken for it', async () => {
  const { fire } = counting();
  const call = (end: string) => ({ tool: 'Write', input: { text: `${'y'.repeat(MB)}${end}` } });
  await fire('tool.before', call('one'), { decision: 'deny', reason: 'no' });
  const codes = async (end: string) => (await fire('tool.after', { ...call(end), result: '' })).diagnostics.map(({ code }) => code);
  expect(await codes('one')).toEqual(['denied-but-ran']);
  expect(await codes('two')).toEqual([]);
});
