/** The contract of the views while agents make more entries than a person reads, for every store. */
import { describe, expect, test } from 'vitest';
import type { LogRecord } from '../../../src/core/record/decision-record.ts';
import { isPlainPass } from '../../../src/views/fold-passes.ts';
import type { NewItem, ViewEntry } from '../../../src/views/views.ts';
import { busyEntry, DAY_ONE, MINUTE_MS, sampleEntry } from './sample-log.ts';
import { append, appendMany, type Scene, within } from './scene.ts';

export function describeBusy(name: string, open: () => Promise<Scene>): void {
  const viewsOf = async (records: readonly LogRecord[]) => {
    const scene = await open();
    await append(scene.store, records);
    const views = await scene.open();
    await within('the views catch up', views.catchUp());
    return views;
  };

  describe(`the views of busy agents on ${name}`, () => {
    test('what is new is there once and in order: each entry that is no pass, and passes by session between them', async () => {
      const scene = await open();
      for (let n = 0; n < 200; n += 50) await appendMany(scene.store, n, n + 50, busyEntry);
      // A pass that belongs to a ticket must be told of, so that the ticket is.
      await append(scene.store, [sampleEntry('released', { ticket: 'ticket-1' }), sampleEntry('last')]);
      const views = await scene.open();
      await within('the views catch up', views.catchUp());
      const all = (await views.entries({}, { after: 0, limit: 1000 })).entries;
      for (const [after, upTo] of [
        [0, 202],
        [40, 130],
        [200, 202],
        [202, 202],
      ] as const) {
        const items = await views.newer(after, upTo);
        const part = all.filter(({ pos }) => pos > after && pos <= upTo);
        expect(items).toEqual(folded(part));
      }
    });

    test('marks of a lane at one moment are one if they look alike, and tell how many they are', async () => {
      const now = DAY_ONE + 60 * MINUTE_MS;
      const burst = Array.from({ length: 200 }, (_, n) => sampleEntry(`b${n}`, { session: 'burst', at: now - 5000 + (n % 2) }));
      const views = await viewsOf([
        sampleEntry('early', { session: 'burst', at: now - 10 * MINUTE_MS }),
        ...burst.slice(0, 100),
        sampleEntry('denied', { session: 'burst', at: now - 5000, decision: 'deny', reason: 'no' }),
        sampleEntry('below', { session: 'burst', at: now - 5000, agent: 'reviewer' }),
        ...burst.slice(100),
      ]);
      const [lane] = await views.lanes({ since: now - 15 * MINUTE_MS, until: now });
      expect(lane?.marks.map(({ id, times }) => [id, times])).toEqual([
        ['early', 1],
        ['denied', 1],
        ['below', 1],
        ['b199', 200],
      ]);
    });
  });
}

/** The same by hand, from the entries themselves. */
function folded(entries: readonly ViewEntry[]): NewItem[] {
  const items: { entry?: ViewEntry; passes: ViewEntry[] }[] = [];
  for (const entry of entries) {
    const isFolded = isPlainPass(entry) && entry.ticket === null;
    if (!isFolded) items.push({ entry, passes: [] });
    else if (items.at(-1)?.passes.length) items.at(-1)?.passes.push(entry);
    else items.push({ passes: [entry] });
  }
  return items.map(({ entry, passes }) => (entry ? { entry } : { folds: expect.toSatisfy((folds) => sameFolds(folds, passes)) }));
}

function sameFolds(folds: unknown, passes: readonly ViewEntry[]): boolean {
  const sessions = [...new Set(passes.map(({ session }) => session))];
  const expected = sessions.map((session) => {
    const own = passes.filter((one) => one.session === session);
    const tools: Record<string, number> = {};
    for (const { tool } of own) if (tool !== null) tools[tool] = (tools[tool] ?? 0) + 1;
    return {
      ...{ session, count: own.length, firstPos: own[0]?.pos, lastPos: own.at(-1)?.pos },
      ...{ firstAt: Math.min(...own.map(({ at }) => at)), lastAt: Math.max(...own.map(({ at }) => at)) },
      ...{ ms: own.reduce((sum, { ms }) => sum + ms, 0), tools },
    };
  });
  expect(new Set(folds as readonly unknown[])).toEqual(new Set(expected));
  return true;
}
