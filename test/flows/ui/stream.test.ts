/** The stream of what is new: live, without gaps however often it is cut, and never at the cost of others. */
import { expect, onTestFinished, test } from 'vitest';
import { loadAssets } from '../../../src/ui/assets.ts';
import { FEED_LIMITS } from '../../../src/ui/feed.ts';
import { startUi } from '../../../src/ui/server.ts';
import { until } from '../../support/patience.ts';
import { sampleEntry } from '../views/sample-log.ts';
import { appendMany } from '../views/scene.ts';
import { type Dashboard, openDashboard, READS, SECRET, tamper } from './dashboard.ts';
import { type Heard, type Listener, listen } from './listener.ts';

test('an entry, its ticket and how it was settled arrive without a question', async () => {
  const dashboard = await openDashboard();
  const page = await listen(dashboard);
  const id = await dashboard.fire('ls');
  expect((await page.hears('entry', (entry) => entry.id === id)).data).toMatchObject({ what: 'ls', decision: 'pass', tool: 'Bash' });
  const ticket = await dashboard.hold();
  expect((await page.hears('ticket')).data).toMatchObject({ id: ticket, state: 'open', what: 'deploy' });
  await dashboard.engine.approvals.deny(ticket, { by: 'Ann' });
  expect((await page.hears('ticket', ({ state }) => state === 'denied')).data).toMatchObject({ id: ticket, by: 'Ann' });
  await until(() => page.heard('progress').at(-1)?.data.pos === page.heard('entry').at(-1)?.id);
});

test('a stream with a filter has only what fits, and moves on with the log', async () => {
  const dashboard = await openDashboard();
  const page = await listen(dashboard, '?decision=deny&text=BUILD');
  for (const command of ['ls', 'rm build', 'rm other', 'rm -r build']) await dashboard.fire(command);
  await page.hears('entry', ({ what }) => what === 'rm -r build');
  expect(page.heard('entry').map(({ data }) => data.what)).toEqual(['rm build', 'rm -r build']);
  await dashboard.fire('ls');
  const { head } = await dashboard.views.progress();
  await until(() => page.last() === head);
});

test('many passes at once are folded for a page that wants it, and no other entry, no ticket and no other page is', async () => {
  const dashboard = await openDashboard();
  await dashboard.fire('ls');
  await dashboard.caughtUp();
  const [folded, whole] = [await listen(dashboard, '?fold=1'), await listen(dashboard)];
  const filtered = await listen(dashboard, '?fold=1&decision=pass&text=deep');
  await folded.hears('progress');
  const rare = (n: number): boolean => n === 10 || n === 90;
  const before = await dashboard.views.progress();
  await appendMany(dashboard.store, 0, 100, (n) =>
    sampleEntry(`e${n}`, { session: `s${n % 2}`, ...(rare(n) && { decision: 'deny', reason: 'no' }), command: n === 50 ? 'deep' : 'ls' }),
  );
  const ticket = await dashboard.hold();
  await dashboard.caughtUp();
  const { head } = await dashboard.views.progress();
  for (const page of [folded, whole, filtered]) await until(() => page.last() === head);
  const counted = folded.heard('folds').flatMap(({ data }) => data.map(({ count }: { count: number }) => count));
  const entries = folded.heard('entry').map(({ data }) => data);
  expect(counted.reduce((sum: number, n: number) => sum + n, 0) + entries.length).toBe(head - before.pos);
  expect(counted.length).toBeGreaterThan(0);
  expect(entries.flatMap(({ id, decision }) => (decision === 'deny' ? id : []))).toEqual(['e10', 'e90']);
  expect(folded.heard('ticket').map(({ data }) => data.id)).toContain(ticket);
  expect(whole.heard('folds')).toEqual([]);
  expect(whole.heard('entry').map(({ id }) => id)).toEqual(Array.from({ length: head - before.pos }, (_, i) => before.pos + i + 1));
  expect(filtered.heard('folds')).toEqual([]);
  expect(filtered.heard('entry').map(({ data }) => data.id)).toEqual(['e50']);
});

test('a page with folds that is cut anywhere counts each entry once', async () => {
  const dashboard = await openDashboard();
  await appendMany(dashboard.store, 0, 2500, (n) =>
    sampleEntry(`e${n}`, { session: `s${n % 7}`, ...(n % 97 === 0 && { decision: 'deny', reason: 'no' }) }),
  );
  await dashboard.caughtUp();
  const whole = await listen(dashboard, '?fold=1', 0);
  await until(() => whole.last() === 2500);
  // Each event has the position up to which everything was sent.
  const told = whole.heard().filter(({ event }) => event === 'entry' || event === 'folds');
  expect(told.length).toBeLessThan(100);
  for (const at of [0, 1, 2, 7, told.length - 2]) {
    const last = told[at]?.id as number;
    const rest = await listen(dashboard, '?fold=1', last);
    await until(() => rest.last() === 2500);
    expect(sizeOf(told.slice(0, at + 1)) + sizeOf(rest.heard())).toBe(2500);
  }
});

function sizeOf(heard: readonly Heard[]): number {
  const sizes = heard.map(({ event, data }) =>
    event === 'folds' ? data.reduce((sum: number, { count }: { count: number }) => sum + count, 0) : event === 'entry' ? 1 : 0,
  );
  return sizes.reduce((sum: number, size: number) => sum + size, 0);
}

test('a page that is cut again and again misses nothing and gets nothing twice', async () => {
  const dashboard = await openDashboard();
  await dashboard.fire('ls');
  await dashboard.caughtUp();
  const got: number[] = [];
  let last: number | undefined = 0;
  const append = (from: number): Promise<void> => appendMany(dashboard.store, from, from + 150, (n) => sampleEntry(`e${n}`));
  for (let round = 0; round < 4; round++) {
    const page: Listener = await listen(dashboard, '', last);
    await append(round * 150);
    await until(() => page.heard('entry').length >= 60);
    page.leave();
    // The page has what it read, and resumes from there.
    const heard = page.heard('entry').slice(0, 60);
    got.push(...heard.map(({ id }) => id as number));
    last = heard.at(-1)?.id ?? last;
  }
  const page = await listen(dashboard, `?last=${last}`);
  await until(() => page.last() === 601);
  got.push(...page.heard('entry').map(({ id }) => id as number));
  expect(got).toEqual(Array.from({ length: 601 }, (_, i) => i + 1));
});

test('a page that is too far behind, or ahead of a log that began anew, is told to read everything', async () => {
  const dashboard = await openDashboard();
  await appendMany(dashboard.store, 0, 5100, (n) => sampleEntry(`e${n}`));
  await dashboard.caughtUp();
  const behind = await listen(dashboard, '?last=1');
  expect((await behind.hears('reset')).data).toMatchObject({ pos: 5100, head: 5100 });
  expect(behind.heard('entry')).toEqual([]);
  const ahead = await listen(dashboard, '?last=99999');
  expect((await ahead.hears('reset')).data).toMatchObject({ pos: 5100 });
  await dashboard.fire('ls');
  for (const page of [behind, ahead]) expect((await page.hears('entry')).data).toMatchObject({ what: 'ls' });
});

test('views that are built anew reset every page', async () => {
  const dashboard = await openDashboard();
  await dashboard.fire('ls');
  await dashboard.caughtUp();
  const page = await listen(dashboard);
  await page.hears('progress');
  tamper(dashboard.workspace.at('~/held.views.db'), "UPDATE progress SET hash = 'sha256:of another log'");
  expect((await page.hears('reset')).data.rebuilds).toBeGreaterThan(0);
});

test('a page that does not read is cut, the others go on, and it resumes without a gap', async () => {
  const dashboard = await openDashboard({ limits: { ...FEED_LIMITS, mostBytes: 64 * 1024, stallMs: 3000 } });
  const [slow, quick] = [await listen(dashboard, '', 0), await listen(dashboard, '', 0)];
  slow.pause();
  const reason = 'x'.repeat(200);
  // Much more than the buffers of the system hold.
  for (let n = 0; n < 20_000 && !slow.isOver(); n += 1000) {
    await appendMany(dashboard.store, n, n + 1000, (i) => sampleEntry(`e${i}`, { reason, command: 'y'.repeat(200) }));
    await until(() => (quick.last() ?? 0) >= n + 1000);
  }
  slow.resume();
  await until(slow.isOver);
  const last = slow.heard('entry').at(-1)?.id as number;
  expect(slow.heard('entry').map(({ id }) => id)).toEqual(Array.from({ length: last }, (_, i) => i + 1));
  expect(quick.isOver()).toBe(false);
  const head = (await dashboard.views.progress()).pos;
  const again = await listen(dashboard, '', Math.max(last, head - 4000));
  await until(() => again.last() === head);
  expect(again.heard('entry').map(({ id }) => id)).toEqual(
    Array.from({ length: head - Math.max(last, head - 4000) }, (_, i) => Math.max(last, head - 4000) + i + 1),
  );
});

test('a stop ends every stream and leaves no connection', async () => {
  const dashboard = await openDashboard();
  const pages = await Promise.all([listen(dashboard), listen(dashboard, '?decision=deny')]);
  await dashboard.ui.stop('it was told to');
  await until(() => pages.every(({ isOver }) => isOver()));
  expect(await dashboard.ui.stopped).toBe('it was told to');
  await expect(listen(dashboard)).rejects.toThrow();
});

test('a dashboard that no page looks at stops, and one with an open page does not', async () => {
  const idle = await openUnwatched(300);
  expect(await idle.stopped).toBe('no page was open');
  const { watched, page, idleMs } = await openWatched(300);
  // It outlives one that waits three times as long.
  await (await openUnwatched(3 * idleMs)).stopped;
  expect(page.isOver()).toBe(false);
  page.leave();
  expect(await watched.ui.stopped).toBe('no page was open');
});

/** Its own page, which logs in, may come when it is gone. */
async function openUnwatched(idleMs: number): Promise<Dashboard['ui']> {
  const { parts } = await openDashboard();
  const ui = await startUi({ parts, port: 0, idleMs, secret: SECRET, assets: loadAssets('no-pages'), welcome: async () => READS });
  onTestFinished(() => ui.stop('the test is over'));
  return ui;
}

/** A busy machine may need longer to open a page than the dashboard waits for one. It then waits longer. */
async function openWatched(idleMs: number): Promise<{ readonly watched: Dashboard; readonly page: Listener; readonly idleMs: number }> {
  try {
    const watched = await openDashboard({ idleMs });
    return { watched, page: await listen(watched), idleMs };
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && /^ECONN/.test(String(error.code)))) throw error;
    return openWatched(2 * idleMs);
  }
}
