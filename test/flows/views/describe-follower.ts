/** The laws of the follower, for every store: nothing is lost, nothing counts twice, whoever is killed whenever. */
import { describe, expect, test } from 'vitest';
import type { Progress, Views } from '../../../src/views/views.ts';
import type { Child } from './child.ts';
import { busyEntry, DAY_MS, DAY_ONE, MINUTE_MS, sampleEntry } from './sample-log.ts';
import { append, appendMany, eventually, reportsOf, type Scene, within } from './scene.ts';

const ALL = { since: 0, until: DAY_ONE + 1000 * DAY_MS };

export function describeFollower(name: string, open: () => Promise<Scene>): void {
  describe(`the follower on ${name}`, () => {
    test('the views go on where they stopped, in another process too (progress is reported)', async () => {
      const scene = await open();
      await appendMany(scene.store, 0, 25, busyEntry);
      const first = await scene.open(10);
      const reports: Progress[] = [];
      const last = await within(
        'the views catch up',
        first.catchUp((progress) => reports.push(progress)),
      );
      expect(reports.map(({ pos }) => pos)).toEqual([10, 20, 25]);
      expect(last).toEqual({ pos: 25, head: 25, missing: 0, rebuilds: 0 });
      await appendMany(scene.store, 25, 32, busyEntry);
      const other = scene.start('catchUp', 5);
      expect(await within('another process catches up', other.ended)).toBe(0);
      expect(reportsOf(other).map(({ pos }) => pos)).toEqual([30, 32]);
      expect(await countOf(first)).toBe(32);
      reports.length = 0;
      await within(
        'the views look once more',
        first.catchUp((progress) => reports.push(progress)),
      );
      expect(reports).toEqual([{ pos: 32, head: 32, missing: 0, rebuilds: 0 }]);
    });

    test('a batch that is exactly full is reported once, and the look after it too', async () => {
      const scene = await open();
      await appendMany(scene.store, 0, 20, busyEntry);
      const views = await scene.open(10);
      const seen: number[] = [];
      await within(
        'the views catch up',
        views.catchUp(({ pos }) => seen.push(pos)),
      );
      expect(seen).toEqual([10, 20, 20]);
    });

    test('a follower goes on until it is told to stop', async () => {
      const scene = await open();
      await appendMany(scene.store, 0, 7, busyEntry);
      const views = await scene.open(3);
      const stop = new AbortController();
      const seen: number[] = [];
      const following = views.follow(stop.signal, { onProgress: ({ pos }) => seen.push(pos) });
      try {
        await eventually('the follower reads what is there', () => seen.at(-1) === 7);
        await appendMany(scene.store, 7, 12, busyEntry);
        await eventually('the follower reads what is new', () => seen.at(-1) === 12);
      } finally {
        stop.abort();
        await within('the follower stops', following);
      }
      await appendMany(scene.store, 12, 14, busyEntry);
      expect((await views.progress()).pos).toBe(12);
      expect(seen).toEqual([3, 6, 7, 10, 12]);
    });

    test('a follower that finds one full batch after the other hears that it should stop', async () => {
      const scene = await open();
      await appendMany(scene.store, 0, 60, busyEntry);
      const views = await scene.open(1);
      const stop = new AbortController();
      const following = views.follow(stop.signal, { onProgress: () => setImmediate(() => stop.abort()) });
      await within('the follower stops', following);
      expect((await views.progress()).pos).toBeLessThan(30);
    });

    test('a follower that fails tells of it and tries again', async () => {
      const scene = await open();
      await appendMany(scene.store, 0, 5, busyEntry);
      const views = await scene.open();
      const { list } = scene.store.log;
      const problems: unknown[] = [];
      let failures = 2;
      scene.store.log.list = (filter) => (failures-- > 0 ? Promise.reject(new Error('not now')) : list(filter));
      const stop = new AbortController();
      const following = views.follow(stop.signal, { onProgress: () => stop.abort(), onProblem: (error) => problems.push(String(error)) });
      await within('the follower reads after all', following);
      expect(problems).toEqual(['Error: not now', 'Error: not now']);
      expect((await views.progress()).pos).toBe(5);
    });

    test('a follower in a process of its own ends when it is told to', async () => {
      const scene = await open();
      await appendMany(scene.store, 0, 7, busyEntry);
      const child = scene.start('follow', 3);
      try {
        await eventually('the process reads what is there', () => reportsOf(child).at(-1)?.pos === 7);
        await appendMany(scene.store, 7, 9, busyEntry);
        await eventually('the process reads what is new', () => reportsOf(child).at(-1)?.pos === 9);
      } finally {
        child.process.kill('SIGTERM');
      }
      expect(await within('the process ends', child.ended)).toBe(0);
    });

    test('what was pruned from the log before it was read is missing, and the rest goes on', async () => {
      const scene = await open();
      await appendMany(scene.store, 0, 30, (n) => sampleEntry(`e${n}`, { at: DAY_ONE + n * MINUTE_MS }));
      const views = await scene.open(10);
      const stop = new AbortController();
      // Stopped after the first batch.
      await within('a first batch is read', views.follow(stop.signal, { onProgress: () => stop.abort() }));
      expect((await views.progress()).pos).toBe(10);
      await scene.store.log.prune(DAY_ONE + 15 * MINUTE_MS);
      const seen: Progress[] = [];
      await within(
        'the rest is read',
        views.catchUp((progress) => seen.push(progress)),
      );
      const { seq } = await scene.store.log.head();
      expect(seen.map(({ pos }) => pos)).toEqual([25, seq]);
      expect(seen.at(-1)).toMatchObject({ missing: 5, rebuilds: 0 });
      expect((await views.entries({ sort: 'event' })).entries.map(({ pos }) => pos)).toEqual(Array.from({ length: 15 }, (_, i) => 30 - i));
      expect((await views.totals(ALL)).entries).toBe(25);
    });

    test('a log that was pruned as a whole before it was read is missing', async () => {
      const scene = await open();
      await appendMany(scene.store, 0, 5, (n) => sampleEntry(`e${n}`));
      await scene.store.log.prune(DAY_ONE + DAY_MS);
      const views = await scene.open(10);
      const last = await within('the views catch up', views.catchUp());
      expect(last).toMatchObject({ pos: (await scene.store.log.head()).seq, missing: 5 });
      await append(scene.store, [sampleEntry('later', { at: DAY_ONE + 2 * DAY_MS })]);
      await within('the views catch up', views.catchUp());
      expect((await views.entries({ sort: 'event' })).entries.map(({ id }) => id)).toEqual(['later']);
    });

    test('pruned entries leave no text behind, and their share in figures stays', async () => {
      const scene = await open();
      const canary = 'canary-in-a-coal-mine';
      const fault = { kind: 'exit', detail: `failed because of ${canary}` };
      await append(scene.store, [
        sampleEntry('p', { kind: 'prompt.submit', tool: null, data: { prompt: `Please ${canary}` } }),
        sampleEntry('d', { decision: 'deny', reason: `no ${canary}`, command: `rm ${canary}`, hooks: [{ decision: 'deny', ms: 4 }] }),
        sampleEntry('f', { hooks: [{ name: 'faulty', status: 'faulted', decision: 'pass', fault }] }),
        sampleEntry('later', { at: DAY_ONE + 2 * DAY_MS }),
      ]);
      const views = await scene.open();
      await within('the views catch up', views.catchUp());
      expect(await scene.dump()).toContain(canary);
      const [before, hooks] = [await views.totals(ALL), await views.hooks(ALL)];
      expect((await views.session('session-1'))?.title).toBe(`Please ${canary}`);
      await scene.store.log.prune(DAY_ONE + DAY_MS);
      await within('the views catch up', views.catchUp());
      expect(await scene.dump()).not.toContain(canary);
      expect((await views.entries({ sort: 'event' })).entries.map(({ id }) => id)).toEqual(['later']);
      expect((await views.entries({ text: 'canary' })).entries).toEqual([]);
      expect(await views.totals(ALL)).toEqual(before);
      expect(await views.hooks(ALL)).toEqual(hooks);
      expect(await views.session('session-1')).toMatchObject({ entries: 4, denied: 1, faults: 1, title: null });
      expect(await views.problems(DAY_ONE)).toMatchObject([{ kind: 'fault:exit', detail: '', count: 1 }]);
    });

    test('several followers at once count nothing twice', async () => {
      const scene = await open();
      const children = Array.from({ length: 2 }, () => scene.start('follow', 7));
      const here = await Promise.all([scene.open(5), scene.open(6)]);
      const stop = new AbortController();
      const problems: unknown[] = [];
      const following = here.map((views) => views.follow(stop.signal, { onProblem: (error) => problems.push(error) }));
      try {
        for (let from = 0; from < 300; from += 30) await appendMany(scene.store, from, from + 30, busyEntry);
        await eventually('all is read', async () => (await here[0]?.progress())?.pos === 300);
      } finally {
        stop.abort();
        for (const child of children) child.process.kill('SIGTERM');
      }
      await within('all stop', Promise.all([...following, ...children.map(({ ended }) => ended)]));
      // One that was overtaken adds nothing, and that is no failure.
      expect(problems).toEqual([]);
      await expectRebuilt(scene, here[0] as Views);
    });

    test('another log in the place of the first one leads to views that begin anew', async () => {
      const scene = await open();
      await appendMany(scene.store, 0, 12, busyEntry);
      const views = await scene.open(5);
      await within('the views catch up', views.catchUp());
      await views.changeProblem('v1:known', { state: 'resolved', at: DAY_ONE });
      for (const length of [12, 3, 20]) {
        await scene.exchangeLog();
        await appendMany(scene.store, 0, length, (n) => sampleEntry(`other-${length}-${n}`, { session: `other-${length}` }));
        const { rebuilds } = await views.progress();
        const last = await within('the views catch up', views.catchUp());
        expect(last).toMatchObject({ pos: length, rebuilds: rebuilds + 1 });
        expect((await views.sessions()).map(({ id, entries }) => [id, entries])).toEqual([[`other-${length}`, length]]);
        expect((await views.totals(ALL)).entries).toBe(length);
      }
      await expectRebuilt(scene, views);
    });

    test('tables of another version are made anew, and what people did about problems is kept', async () => {
      const scene = await open();
      const fault = { kind: 'exit', detail: 'ended with exit code 7' };
      await append(scene.store, [sampleEntry('f', { hooks: [{ status: 'faulted', decision: 'pass', fault }] })]);
      const old = await scene.open();
      await within('the views catch up', old.catchUp());
      const [problem] = await old.problems(DAY_ONE);
      await old.changeProblem(problem?.id ?? '', { state: 'resolved', at: DAY_ONE + 1 });
      await old.close();
      await scene.change('UPDATE v.about SET version = 0');
      await scene.change('DROP TABLE v.session');
      const views = await scene.open();
      expect((await views.progress()).pos).toBe(0);
      await within('the views catch up', views.catchUp());
      expect(await views.problems(DAY_ONE + 2)).toMatchObject([{ id: problem?.id, state: 'resolved', count: 1 }]);
    });

    test('a chain that is broken in the middle does not stop the views', async () => {
      const scene = await open();
      await appendMany(scene.store, 0, 20, busyEntry);
      const log = {
        ...scene.store.log,
        list: async (filter: object) =>
          (await scene.store.log.list(filter)).map((entry) => (entry.seq === 11 ? { ...entry, previous: 'sha256:other' } : entry)),
      };
      const views = await scene.open(10);
      const { createFollower } = await import('../../../src/views/follower.ts');
      // Only the follower sees the broken chain; its views are elsewhere.
      let position = { pos: 0, hash: '', pruned: 0, missing: 0, rebuilds: 0 };
      const projection = {
        position: async () => position,
        apply: async ({ to, missing }: { to: { seq: number; hash: string }; missing: number }) => {
          position = { ...position, pos: to.seq, hash: to.hash, missing: position.missing + missing };
          return true;
        },
        reset: async () => {
          position = { pos: 0, hash: '', pruned: 0, missing: 0, rebuilds: position.rebuilds + 1 };
        },
        prune: async () => undefined,
      };
      const last = await within('the views catch up', createFollower({ log, projection, batch: 10 }).catchUp());
      expect(last).toMatchObject({ pos: 20, rebuilds: 0, missing: 0 });
      await views.close();
    });

    test('a follower that is killed 100 times leaves the views that a rebuild from scratch makes', async () => {
      const scene = await open();
      const rounds = 20;
      let children = 0;
      const kill = async (last: number): Promise<void> => {
        // Several at once, because starting a process takes longer than reading this log.
        const some = Array.from({ length: 5 }, () => scene.start('follow', 1 + Math.floor(Math.random() * 9)));
        const reports = Math.floor(Math.random() * 4);
        // Large batches end before there are so many reports.
        const isFar = (child: Child): boolean => child.lines().length >= reports || reportsOf(child).some(({ pos }) => pos >= last);
        await eventually('a follower reports', () => some.some(isFar));
        for (const child of some) child.process.kill('SIGKILL');
        for (const child of some) expect(await within('the process ends', child.ended)).toBe(null);
        children += some.length;
      };
      for (let round = 0; round < rounds; round++) {
        await appendMany(scene.store, round * 15, (round + 1) * 15, busyEntry);
        await kill((round + 1) * 15);
      }
      expect(children).toBe(100);
      const views = await scene.open();
      await within('the views catch up', views.catchUp());
      expect((await views.progress()).pos).toBe(rounds * 15);
      await expectRebuilt(scene, views);
    });
  });

  /** Compares everything that the views say with what they say after they were built anew. */
  async function expectRebuilt(scene: Scene, views: Views): Promise<void> {
    const found = await everything(views);
    await scene.change('UPDATE v.about SET version = 0');
    const anew = await scene.open();
    await within('the views are built anew', anew.catchUp());
    expect(found).toEqual(await everything(anew));
  }
}

async function countOf(views: Views): Promise<number> {
  return (await views.entries({}, { limit: 1000 })).entries.length;
}

export async function everything(views: Views): Promise<unknown> {
  const range = ALL;
  const hooks = await views.hooks(range);
  return {
    entries: (await views.entries({}, { limit: 1000 })).entries,
    folded: (await views.folded({}, { limit: 1000 })).items,
    sessions: await views.sessions({ limit: 500 }),
    minutes: await views.figures('minute', range),
    hours: await views.figures('hour', range),
    days: await views.figures('day', range),
    tools: await views.tools(range),
    hooks,
    series: await Promise.all(hooks.map(({ id }) => views.hookSeries(id, 'hour', range))),
    problems: await views.problems(DAY_ONE + DAY_MS),
    facets: await Promise.all((['tool', 'kind', 'host', 'user', 'project'] as const).map((name) => views.facets(name))),
    lanes: await views.lanes({ since: DAY_ONE, until: DAY_ONE + DAY_MS }),
  };
}
