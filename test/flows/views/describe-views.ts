/** The contract of the views, for every store: the same questions have the same answers. */
import { describe, expect, test } from 'vitest';
import type { LogRecord } from '../../../src/core/record/decision-record.ts';
import type { EntryFilter, FoldedItem, ViewEntry, Views } from '../../../src/views/views.ts';
import { busyEntry, DAY_MS, DAY_ONE, hookReport, MINUTE_MS, type Sample, sampleEntry } from './sample-log.ts';
import { append, appendMany, type Scene, within } from './scene.ts';

const HOUR_MS = 60 * MINUTE_MS;
const ALL = { since: 0, until: DAY_ONE + 1000 * DAY_MS };

export function describeViews(name: string, open: () => Promise<Scene>): void {
  const viewsOf = async (records: readonly LogRecord[]): Promise<Views> => {
    const scene = await open();
    await append(scene.store, records);
    return caughtUp(scene);
  };
  const busy = async (count: number): Promise<Views> => {
    const scene = await open();
    for (let n = 0; n < count; n += 50) await appendMany(scene.store, n, Math.min(count, n + 50), busyEntry);
    return caughtUp(scene);
  };

  describe(`the views on ${name}`, () => {
    test('an entry is shown with whose it is, what it was about and what became of it', async () => {
      const views = await viewsOf([
        sampleEntry('one', {
          ...{
            at: DAY_ONE + 5,
            decision: 'deny',
            reason: 'not here',
            command: 'rm -rf build',
            agent: 'reviewer',
            parent: 'main',
            ticket: 't1',
          },
          hooks: [
            { decision: 'deny', ms: 4 },
            { name: 'other', status: 'skipped' },
            { name: 'third', status: 'faulted' },
          ],
          outcome: { rewrite: { command: 'ls' }, diagnostics: [{ code: 'denied-but-ran', severity: 'error', message: 'ran' }] },
        }),
      ]);
      expect(await views.entry('one')).toEqual({
        ...{
          pos: 1,
          id: 'one',
          at: DAY_ONE + 5,
          sort: 'event',
          session: 'session-1',
          agent: 'reviewer',
          project: '/project',
          host: 'an-agent',
        },
        ...{ user: 'ann', machine: 'laptop', origin: 'origin-1', kind: 'tool.before', tool: 'Bash', decision: 'deny', faults: 1 },
        ...{ asked: 2, skipped: 1, isRewritten: true, isAlarm: true, ms: 7, ticket: 't1', what: 'rm -rf build', reason: 'not here' },
        decider: 'gate',
      });
      expect(await views.entry('two')).toBe(undefined);
    });

    test('the hook that decided is named, or the one that failed, and a pass of all has none', async () => {
      const views = await viewsOf([
        sampleEntry('denied', {
          ...{ decision: 'deny', reason: 'no' },
          hooks: [
            { name: 'broken', status: 'faulted', fault: { kind: 'exit', detail: 'x' } },
            { name: 'says-no', decision: 'deny' },
          ],
        }),
        sampleEntry('failed', {
          hooks: [
            { name: 'fine', decision: 'pass' },
            { name: 'broken', status: 'faulted' },
          ],
        }),
        sampleEntry('passed', { hooks: [{ name: 'fine', decision: 'pass' }] }),
        sampleEntry('skipped', { decision: 'deny', reason: 'no', hooks: [{ name: 'later', status: 'skipped', decision: 'deny' }] }),
      ]);
      const deciders = (await views.entries()).entries.map(({ id, decider }) => [id, decider]);
      expect(Object.fromEntries(deciders)).toEqual({ denied: 'says-no', failed: 'broken', passed: null, skipped: null });
    });

    test('every filter finds exactly the entries that it names, page by page in both directions', async () => {
      const views = await busy(240);
      const all = (await views.entries({}, { limit: 1000 })).entries;
      expect(all.map(({ pos }) => pos)).toEqual(Array.from({ length: 240 }, (_, i) => 240 - i));
      for (const [filter, holds] of filters()) {
        const expected = all.filter(holds);
        const what = JSON.stringify(filter);
        expect(await pages(views, filter, 'before'), what).toEqual(expected);
        expect(await pages(views, filter, 'after'), what).toEqual(expected.toReversed());
      }
    });

    test('the entries of a hook are those that it denied, held or failed in, also together with a text', async () => {
      const views = await busy(240);
      const gate = (await views.hooks(ALL)).find(({ name: of }) => of === 'gate');
      const stopped = (await views.entries({ decision: ['deny', 'hold'] }, { limit: 1000 })).entries;
      expect((await views.entries({ hook: gate?.id ?? '' }, { limit: 1000 })).entries).toEqual(stopped);
      const found = (await views.entries({ hook: gate?.id ?? '', text: 'BUILD-1' }, { limit: 1000 })).entries;
      expect(found).toEqual(stopped.filter(({ what }) => what.includes('build-1')));
      expect(found.length).toBeGreaterThan(1);
    });

    test('a text is found in the action, the reason and the tool, in upper and lower case, and no character is special', async () => {
      const commands = ['echo 100%_done', 'it\'s \\ a "quote"', 'Größe ÄNDERN', 'a*b AND NOT c', 'plain', 'ab'];
      const views = await viewsOf([
        ...commands.map((command, i) => sampleEntry(`c${i}`, { command })),
        sampleEntry('reason', { decision: 'deny', reason: 'Force pushes are not done here', command: 'git push' }),
        sampleEntry('tool', { tool: 'WebFetch', data: { tool: 'WebFetch', input: { url: 'https://example.com' } } }),
      ]);
      const found = async (text: string, more: EntryFilter = {}) => (await views.entries({ ...more, text })).entries.map(({ id }) => id);
      expect(await found('100%_d')).toEqual(['c0']);
      expect(await found('%')).toEqual(['c0']);
      expect(await found('100x')).toEqual([]);
      expect(await found('\\ a "quo')).toEqual(['c1']);
      expect(await found('größe ändern')).toEqual(['c2']);
      expect(await found('*b and')).toEqual(['c3']);
      expect(await found('ab')).toEqual(['c5']);
      expect(await found('FORCE push')).toEqual(['reason']);
      expect(await found('force push', { decision: ['pass'] })).toEqual([]);
      expect(await found('webfetch')).toEqual(['tool']);
      expect(await found('')).toHaveLength(8);
      expect(await found('x'.repeat(5000))).toEqual([]);
    });

    test('foreign text is kept on one line, with every control character visible, and is bounded', async () => {
      const hostile = `a\nb\r\t\x1b[31m\x00\x9b\u202e\u200b\u2028\ud800\u{e0041}\u3164<img src=x onerror=alert(1)>${'x'.repeat(100_000)}`;
      const views = await viewsOf([
        sampleEntry('hostile', {
          ...{
            session: `s${hostile}`,
            tool: `t${hostile}`,
            reason: hostile,
            command: hostile,
            root: `/r${hostile}`,
            agent: `g${hostile}`,
            user: hostile,
          },
          hooks: [{ name: `h${hostile}`, status: 'faulted', decision: 'pass', fault: { kind: 'exit', detail: hostile } }],
        }),
        sampleEntry('prompt', { session: `s${hostile}`, kind: 'prompt.submit', tool: null, data: { prompt: hostile } }),
      ]);
      const shown = JSON.stringify([
        ...[await views.entries(), await views.folded(), await views.sessions(), await views.hooks(ALL), await views.tools(ALL)],
        ...[await views.problems(DAY_ONE), await views.lanes(ALL), await views.facets('tool'), await views.facets('project')],
      ]);
      expect(shown).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\u3164]|\\u00|\\n|\\t|\\r/u);
      expect(shown).toContain('␊');
      expect(shown).toContain('<U+202E>');
      expect(shown.length).toBeLessThan(40_000);
      expect((await views.entries({ session: `s${hostile}` })).entries).toHaveLength(2);
      expect(await views.session(`s${hostile}`)).toMatchObject({ entries: 2 });
    });

    test('an entry that lacks parts is shown all the same', async () => {
      const odd = { outcome: { hooks: ['x', { name: 1 }, { name: 'y', status: 'odd' }, { name: 'z', status: 'faulted', ms: -1 }] } };
      const views = await viewsOf([
        { ...sampleEntry('odd', { at: -5.5 }), ...(odd as object), data: 'text', who: undefined, decision: 'maybe' } as never,
        { ...sampleEntry('bare'), outcome: null, data: null, ms: null } as never,
      ]);
      expect((await views.entries()).entries).toMatchObject([
        { id: 'bare', what: '', ms: 0, decision: 'pass' },
        { id: 'odd', at: 0, user: '', decision: 'unknown', faults: 1 },
      ]);
    });

    test('folding hides no entry that is not a plain pass, and every entry counts once', async () => {
      const views = await busy(240);
      const all = (await views.entries({}, { limit: 1000 })).entries;
      for (const limit of [3, 40, 1000]) {
        const items: FoldedItem[] = [];
        for (let before: number | undefined; ; ) {
          const page = await views.folded({}, { limit, ...(before !== undefined && { before }) });
          expect(page.items.length).toBeLessThanOrEqual(limit);
          items.push(...page.items);
          if (page.next === null) break;
          before = page.next;
        }
        const shown = items.flatMap((item) => ('entry' in item ? [item.entry.pos] : []));
        expect(shown).toEqual(
          all.filter(({ decision, faults, sort }) => decision !== 'pass' || faults > 0 || sort === 'act').map(({ pos }) => pos),
        );
        expect(items.reduce((sum, item) => sum + ('entry' in item ? 1 : item.fold.count), 0)).toBe(all.length);
      }
    });

    test('a run of passes ends at the next entry of its session that is none', async () => {
      const one = (id: string, sample: Sample = {}) => sampleEntry(id, { session: 'a', ...sample });
      const views = await viewsOf([
        ...[one('1'), one('2', { tool: 'Read' }), one('3', { session: 'b' }), one('4', { decision: 'deny', reason: 'no' }), one('5')],
        ...[one('6', { session: 'b' }), one('7', { outcome: { rewrite: {} } })],
      ]);
      const { items } = await views.folded();
      const told = items.map((item) =>
        'entry' in item ? item.entry.id : `${item.fold.session}: ${item.fold.count} ${JSON.stringify(item.fold.tools)}`,
      );
      expect(told).toEqual(['7', 'b: 2 {"Bash":2}', 'a: 1 {"Bash":1}', '4', 'a: 2 {"Read":1,"Bash":1}']);
      expect(items[1]).toMatchObject({ fold: { firstPos: 3, lastPos: 6 } });
    });

    test('sessions are listed newest first, with their counts, their first prompt and their subagents nested', async () => {
      const views = await viewsOf([
        sampleEntry('1', { kind: 'prompt.submit', tool: null, data: { prompt: ' Mend the\nbuild ' }, hooks: [{ name: 'p', ms: 2 }] }),
        sampleEntry('2', { at: DAY_ONE + 1, decision: 'deny', reason: 'no', hooks: [{ decision: 'deny', ms: 3.5 }] }),
        sampleEntry('3', { at: DAY_ONE + 2, agent: 'reader', parent: 'session-1' }),
        sampleEntry('4', { at: DAY_ONE + 3, agent: 'helper', parent: 'reader', decision: 'hold', reason: 'wait', ticket: 't' }),
        sampleEntry('5', { at: DAY_ONE + 4, agent: 'loop', parent: 'loop' }),
        sampleEntry('6', { at: DAY_ONE + 5, session: 'session-2', user: 'bob', host: 'another', root: '/other' }),
        sampleEntry('7', { at: DAY_ONE + 6, kind: 'prompt.submit', tool: null, data: { prompt: 'Later' } }),
        sampleEntry('t.approved', { at: DAY_ONE + 9, kind: 'ticket.approved', decision: 'allow' }),
      ]);
      const sessions = await views.sessions();
      expect(sessions.map(({ id }) => id)).toEqual(['session-1', 'session-2']);
      expect(sessions[0]).toMatchObject({
        ...{
          id: 'session-1',
          project: '/project',
          host: 'an-agent',
          hostVersion: '1.2',
          user: 'ann',
          machine: 'laptop',
          origin: 'origin-1',
        },
        ...{
          firstAt: DAY_ONE,
          lastAt: DAY_ONE + 6,
          lastPos: 7,
          entries: 6,
          denied: 1,
          held: 1,
          faults: 0,
          hookMs: 25.5,
          title: 'Mend the␊build',
        },
        agents: [
          { agent: 'reader', entries: 1, children: [{ agent: 'helper', held: 1, children: [] }] },
          { agent: 'loop', children: [] },
        ],
      });
      const ids = async (filter: object) => (await views.sessions(filter)).map(({ id }) => id);
      expect(await ids({ user: 'bob' })).toEqual(['session-2']);
      expect(await ids({ host: 'an-agent' })).toEqual(['session-1']);
      expect(await ids({ project: '/nowhere' })).toEqual([]);
      expect(await ids({ since: DAY_ONE + 6 })).toEqual(['session-1']);
      expect(await ids({ limit: 1, after: { lastAt: DAY_ONE + 6, id: 'session-1' } })).toEqual(['session-2']);
      expect(await views.sessionCount({ since: DAY_ONE + 6, until: DAY_ONE + 7 })).toBe(1);
    });

    test('lanes show the sessions at work, what each does now, and sessions below those that started them', async () => {
      const now = DAY_ONE + 60 * MINUTE_MS;
      const at = (minutes: number) => now - minutes * MINUTE_MS;
      const deny: Sample = { decision: 'deny', reason: 'no' };
      const views = await viewsOf([
        sampleEntry('old', { session: 'gone', at: at(40) }),
        sampleEntry('idle', { session: 'idle', at: at(10) }),
        sampleEntry('w1', { session: 'waits', at: at(2) }),
        sampleEntry('w2', { session: 'waits', at: at(1), decision: 'hold', reason: 'wait', ticket: 't' }),
        // One part of it works on, and the other one still waits.
        sampleEntry('s1', { session: 'still', at: at(5), decision: 'hold', reason: 'wait', ticket: 's' }),
        sampleEntry('s2', { session: 'still', at: at(1) }),
        sampleEntry('d1', { session: 'settled', at: at(5), decision: 'hold', reason: 'wait', ticket: 'd' }),
        { ...sampleEntry('d2', { session: 'settled', at: at(4), ticket: 'd' }), kind: 'ticket.approved', tool: null },
        sampleEntry('d3', { session: 'settled', at: at(1) }),
        sampleEntry('r0', { session: 'refused', at: at(20) }),
        ...[5, 4, 1].map((minutes) => sampleEntry(`r${minutes}`, { session: 'refused', at: at(minutes), ...deny })),
        sampleEntry('c', { session: 'child', parent: 'works', at: at(1) }),
        sampleEntry('k', { session: 'works', at: at(1) }),
      ]);
      const lanes = await views.lanes({ since: at(15), until: now });
      const told = lanes.map(({ session, state, refused, marks, children }) => [session.id, state, refused, marks.length, children.length]);
      expect(told.sort()).toEqual([
        ['idle', 'idle', 0, 1, 0],
        ['refused', 'refused', 3, 3, 0],
        ['settled', 'works', 0, 3, 0],
        ['still', 'waits', 0, 2, 0],
        ['waits', 'waits', 0, 2, 0],
        ['works', 'works', 0, 1, 1],
      ]);
      expect(lanes.find(({ session }) => session.id === 'works')?.children).toMatchObject([{ session: { id: 'child' }, state: 'works' }]);
      expect(lanes.find(({ session }) => session.id === 'waits')?.marks.map(({ id }) => id)).toEqual(['w1', 'w2']);
    });

    test('figures by minute, hour and day have the same sums, and acts and ends of background hooks do not count', async () => {
      const views = await busy(240);
      const events = (await views.entries({ sort: 'event' }, { limit: 1000 })).entries;
      const totals = await views.totals(ALL);
      const count = (decision: string) => events.filter((entry) => entry.decision === decision).length;
      expect(totals).toMatchObject({
        entries: events.length,
        decisions: { deny: count('deny'), hold: count('hold'), pass: count('pass') },
      });
      expect(totals.faults).toBe(events.reduce((sum, { faults }) => sum + faults, 0));
      expect(totals.ms).toBe(events.reduce((sum, { ms }) => sum + ms, 0));
      for (const unit of ['minute', 'hour', 'day'] as const) {
        const figures = await views.figures(unit, ALL);
        expect(
          figures.reduce((sum, { entries }) => sum + entries, 0),
          unit,
        ).toBe(events.length);
        expect(
          figures.reduce((sum, { decisions }) => sum + decisions.deny, 0),
          unit,
        ).toBe(count('deny'));
        expect(
          figures.map(({ at }) => at).toSorted((a, b) => a - b),
          unit,
        ).toEqual(figures.map(({ at }) => at));
      }
      const range = { since: DAY_ONE + 3 * 60 * MINUTE_MS, until: DAY_ONE + 5 * 60 * MINUTE_MS };
      const inRange = events.filter(({ at }) => at >= range.since && at <= range.until);
      expect((await views.totals(range)).entries).toBe(inRange.length);
      const tools = await views.tools(ALL);
      expect(Object.fromEntries(tools.map(({ tool, entries }) => [tool, entries]))).toEqual(
        Object.fromEntries(['Bash', 'Read', 'Edit'].map((tool) => [tool, events.filter((entry) => entry.tool === tool).length])),
      );
      expect((await views.facets('user')).map(({ value }) => value)).toEqual(['ann', 'bob']);
    });

    test('the figures of a hook tell how often it was asked, denied, failed and was skipped, how long it took and what it cost', async () => {
      const durations = Array.from({ length: 100 }, (_, i) => (i + 1) * 3);
      const judge = (cached: boolean) => ({ model: 'a:b', digest: 'd', cached, inputTokens: 200, outputTokens: 20, money: 0.0025 });
      const views = await viewsOf([
        ...durations.map((ms, i) =>
          sampleEntry(`e${i}`, { at: DAY_ONE + i * 1000, session: `session-${i % 4}`, hooks: [{ decision: 'pass', ms }] }),
        ),
        sampleEntry('d', { decision: 'deny', reason: 'no', hooks: [{ name: 'judge', decision: 'deny', ms: 800, judge: judge(false) }] }),
        sampleEntry('c', {
          hooks: [
            { name: 'judge', decision: 'ask', ms: 1, judge: judge(true) },
            { name: 'skipped', status: 'skipped' },
          ],
        }),
        sampleEntry('b', { hooks: [{ name: 'back', status: 'detached' }] }),
        sampleEntry('l', { outcome: { lateOf: 'b', hooks: [hookReport({ name: 'back', status: 'faulted', ms: 9000 })] } }),
      ]);
      const hooks = new Map((await views.hooks(ALL)).map((hook) => [hook.name, hook]));
      const gate = hooks.get('gate');
      expect(gate).toMatchObject({
        asked: 100,
        denied: 0,
        faulted: 0,
        ms: 15_150,
        msMax: 300,
        dialect: 'hookline',
        file: '/hooks/gate.md',
        line: 2,
        scope: 'user',
      });
      expect(gate?.lastAskedAt).toBe(DAY_ONE + 99_000);
      // Buckets are a fifth wide.
      expect(Math.abs((gate?.p50 ?? 0) - 150) / 150).toBeLessThan(0.12);
      expect(Math.abs((gate?.p95 ?? 0) - 285) / 285).toBeLessThan(0.12);
      expect(gate?.msPerSession).toBe(15_150 / 4);
      expect(hooks.get('judge')).toMatchObject({
        asked: 2,
        denied: 1,
        held: 1,
        judge: { calls: 1, cached: 1, inputTokens: 400, outputTokens: 40, money: 0.005 },
      });
      expect(hooks.get('skipped')).toMatchObject({ asked: 0, skipped: 1, p50: null, lastAskedAt: null });
      expect(hooks.get('back')).toMatchObject({ asked: 1, faulted: 1, ms: 0, p95: null });
      const series = await views.hookSeries(gate?.id ?? '', 'hour', ALL);
      expect(series).toMatchObject([{ at: DAY_ONE, asked: 100, p50: gate?.p50 }]);
      const byTime = async (since: number, until: number): Promise<readonly number[]> =>
        (await views.hooks({ since, until })).find(({ name: of }) => of === 'gate')?.askedByTime ?? [];
      // The hour of the calls is the third of five, the first day of eight, and within one of few bars of many days.
      expect(await byTime(DAY_ONE - 2 * HOUR_MS, DAY_ONE + 2 * HOUR_MS)).toEqual([0, 0, 100, 0, 0]);
      expect(await byTime(DAY_ONE - 6.5 * DAY_MS, DAY_ONE + HOUR_MS)).toEqual([0, 0, 0, 0, 0, 0, 0, 100]);
      const long = await byTime(ALL.since, ALL.until);
      expect(long.length).toBeLessThanOrEqual(48);
      expect(long.reduce((sum, n) => sum + n, 0)).toBe(100);
      const other = (await views.hooks({ since: DAY_ONE + 2 * DAY_MS, until: DAY_ONE + 3 * DAY_MS })).find(({ name: of }) => of === 'gate');
      expect(other).toMatchObject({ asked: 0, p50: null, msPerSession: 0 });
    });

    test('figures of many days are those of their hours', async () => {
      const views = await viewsOf(
        Array.from({ length: 120 }, (_, i) =>
          sampleEntry(`e${i}`, { at: DAY_ONE + i * 2 * 60 * MINUTE_MS, hooks: [{ ms: i, decision: 'pass' }] }),
        ),
      );
      for (const [from, to] of [
        [5, 119],
        [0, 12],
        [30, 31],
        [11, 60],
      ] as const) {
        const range = { since: DAY_ONE + from * 2 * 60 * MINUTE_MS, until: DAY_ONE + to * 2 * 60 * MINUTE_MS };
        const [hook] = await views.hooks(range);
        expect(hook?.asked, `${from} to ${to}`).toBe(to - from + 1);
        expect(hook?.ms).toBe(Array.from({ length: to - from + 1 }, (_, i) => from + i).reduce((sum, ms) => sum + ms, 0));
      }
    });

    test('faults that differ in numbers and paths alone are one problem, which says what it costs', async () => {
      const fault = (detail: string, kind = 'timeout', decision = 'pass'): Sample => ({
        hooks: [{ status: 'faulted', decision, fault: { kind, detail } }],
      });
      const views = await viewsOf([
        sampleEntry('1', { at: DAY_ONE, ...fault('did not answer within 1000 ms in /tmp/a/b') }),
        sampleEntry('2', { at: DAY_ONE + 5, ...fault('did not answer within 2500 ms in /home/ann/x/y.sh') }),
        sampleEntry('3', {
          at: DAY_ONE + 6,
          decision: 'deny',
          reason: 'failed',
          ...fault('did not answer within 3 ms in /tmp/c/d', 'timeout', 'deny'),
        }),
        sampleEntry('4', { at: DAY_ONE + 7, ...fault('could not be started', 'spawn') }),
        sampleEntry('5', { at: DAY_ONE + 8, outcome: { diagnostics: [{ code: 'denied-but-ran', severity: 'error', message: 'x' }] } }),
      ]);
      const problems = await views.problems(DAY_ONE);
      expect(problems.map(({ kind, count, unseen, detail }) => [kind, count, unseen, detail])).toEqual([
        ['not-enforced', 1, 0, 'Bash'],
        ['fault:spawn', 1, 1, 'could not be started'],
        ['fault:timeout', 3, 2, 'did not answer within … ms in …'],
      ]);
      expect(problems[2]).toMatchObject({ hook: { name: 'gate' }, firstAt: DAY_ONE, lastAt: DAY_ONE + 6, state: 'open' });
      expect(problems[2]?.says).toBe(
        "Hook 'gate' failed 3 times (timeout): did not answer within … ms in …. 2 actions were not looked at.",
      );
      expect(problems[0]?.says).toContain('ran nevertheless');
      expect(problems[2]?.id).toMatch(/^v1:[0-9a-f]{16}$/);
    });

    test('a problem that was resolved is open again when it happens again, and a muted one when its time is over', async () => {
      const scene = await open();
      const faulty = (id: string, at: number) =>
        sampleEntry(id, { at, hooks: [{ status: 'faulted', decision: 'pass', fault: { kind: 'exit', detail: 'x' } }] });
      await append(scene.store, [faulty('1', DAY_ONE)]);
      const views = await caughtUp(scene);
      const first = async (now: number) => (await views.problems(now))[0];
      const id = (await first(DAY_ONE))?.id ?? '';
      await views.changeProblem(id, { state: 'resolved', at: DAY_ONE + 10 });
      expect(await first(DAY_ONE + 11)).toMatchObject({ state: 'resolved', isReopened: false });
      await append(scene.store, [faulty('2', DAY_ONE + 20)]);
      await within('the views catch up', views.catchUp());
      expect(await first(DAY_ONE + 21)).toMatchObject({ state: 'open', isReopened: true, count: 2 });
      await views.changeProblem(id, { state: 'muted', at: DAY_ONE + 30, until: DAY_ONE + 40 });
      expect(await first(DAY_ONE + 39)).toMatchObject({ state: 'muted', mutedUntil: DAY_ONE + 40 });
      expect(await first(DAY_ONE + 40)).toMatchObject({ state: 'open', mutedUntil: null });
      await views.changeProblem(id, { state: 'open' });
      expect(await first(DAY_ONE + 31)).toMatchObject({ state: 'open', isReopened: false });
    });

    test('a hook that has become slow, and one that has become quiet, are problems', async () => {
      const today = DAY_ONE + 10 * DAY_MS;
      const records = Array.from({ length: 11 }, (_, day) => day).flatMap((day) => {
        const at = DAY_ONE + day * DAY_MS;
        const hooks = [
          { name: 'steady', decision: 'pass', ms: 400 },
          { name: 'slower', decision: 'pass', ms: day === 10 ? 900 : 300 },
          { name: 'quick', decision: 'pass', ms: day === 10 ? 40 : 10 },
          ...(day < 8 ? [{ name: 'gone', decision: 'pass', ms: 5 }] : []),
        ];
        return Array.from({ length: 6 }, (_, i) => sampleEntry(`e${day}-${i}`, { at: at + i, hooks }));
      });
      const views = await viewsOf(records);
      const problems = await views.problems(today + 1000);
      expect(problems.map(({ kind, hook }) => `${kind} ${hook?.name}`).sort()).toEqual(['quiet gone', 'slow slower']);
      for (const { says } of problems) expect(says).toMatch(/^Hook '\w+' (has become slow|was asked on each day)/);
    });
  });
}

async function caughtUp(scene: Scene): Promise<Views> {
  const views = await scene.open();
  await within('the views catch up', views.catchUp());
  return views;
}

async function pages(views: Views, filter: EntryFilter, direction: 'before' | 'after'): Promise<ViewEntry[]> {
  const found: ViewEntry[] = [];
  for (let from: number | undefined = direction === 'after' ? 0 : undefined; ; ) {
    const { entries, next } = await views.entries(filter, { limit: 7, ...(from !== undefined && { [direction]: from }) });
    found.push(...entries);
    if (next === null) return found;
    from = next;
  }
}

function filters(): readonly (readonly [EntryFilter, (entry: ViewEntry) => boolean])[] {
  const [since, until] = [DAY_ONE + 5 * 60 * MINUTE_MS, DAY_ONE + 20 * 60 * MINUTE_MS + 1];
  return [
    [{ decision: ['deny'] }, ({ decision }) => decision === 'deny'],
    [{ decision: ['deny', 'hold'] }, ({ decision }) => decision === 'deny' || decision === 'hold'],
    [{ decision: ['pass', 'deny'] }, ({ decision }) => decision === 'pass' || decision === 'deny'],
    [{ decision: [] }, () => false],
    [{ tool: 'Read' }, ({ tool }) => tool === 'Read'],
    [{ tool: 'Read', decision: ['deny'] }, ({ tool, decision }) => tool === 'Read' && decision === 'deny'],
    [{ tool: 'Never' }, () => false],
    [{ kind: 'prompt.submit' }, ({ kind }) => kind === 'prompt.submit'],
    [{ host: 'another' }, ({ host }) => host === 'another'],
    [{ user: 'bob' }, ({ user }) => user === 'bob'],
    [{ project: '/other' }, ({ project }) => project === '/other'],
    [{ session: 'session-2' }, ({ session }) => session === 'session-2'],
    [{ session: 'session-0', agent: 'reviewer' }, ({ session, agent }) => session === 'session-0' && agent === 'reviewer'],
    [{ sort: 'act' }, ({ sort }) => sort === 'act'],
    [{ sort: 'late' }, ({ sort }) => sort === 'late'],
    [{ isFaulted: true }, ({ faults }) => faults > 0],
    [{ since }, ({ at }) => at >= since],
    [{ until }, ({ at }) => at <= until],
    [{ since, until, decision: ['deny'] }, ({ at, decision }) => at >= since && at <= until && decision === 'deny'],
    [{ text: 'part-1' }, ({ what }) => what.includes('part-1')],
    [{ text: 'part-1', session: 'session-2' }, ({ what, session }) => what.includes('part-1') && session === 'session-2'],
    [{ text: 'BUILD-', user: 'ann' }, ({ what, user }) => what.includes('build-') && user === 'ann'],
  ];
}
