/** The screen of what happens now, and a decision as a story, in a real browser. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../../support/patience.ts';
import { sampleEntry } from '../views/sample-log.ts';
import { type Chrome, holds, openBrowser, openTab, textOf } from './browser.ts';
import { sampleDay } from './sample-day.ts';
import { type Served, serve } from './served.ts';

let chrome: Chrome;
let served: Served;

beforeAll(async () => {
  [chrome, served] = await Promise.all([openBrowser(), serve()]);
  await served.add(sampleDay(Date.now(), 300));
});

afterAll(async () => {
  await chrome?.close();
  await served?.close();
});

let made = 0;
const denial = (command: string): ReturnType<typeof sampleEntry> =>
  sampleEntry(`live-${++made}`, {
    ...{ at: Date.now(), command, decision: 'deny', reason: 'The gate is closed.', session: 'session-live' },
    hooks: [{ name: 'closed-gate', decision: 'deny', ms: 4 }],
  });

test('a new decision appears without a reload', async () => {
  const { page, context, complaints } = await openTab(chrome.browser, served.link());
  await page.locator('.btn.live').waitFor();
  await page.evaluate('window.isSamePage = true');
  await served.add([denial('rm -rf appears-live')]);
  await page.locator('.row', { hasText: 'appears-live' }).waitFor();
  expect(await page.evaluate('window.isSamePage')).toBe(true);
  expect(complaints).toEqual([]);
  await context.close();
});

test('a decision that is told of while the first page is on its way is not lost', async () => {
  const { page, context } = await openTab(chrome.browser, served.link());
  await page.locator('.btn.live').waitFor();
  let bring = (): void => {};
  const brought = new Promise<void>((resolve) => {
    bring = resolve;
  });
  let isAsked = false;
  await page.route('**/v1/entries?*', async (route) => {
    const answer = await route.fetch();
    isAsked = true;
    await brought;
    await route.fulfill({ response: answer });
  });
  await page.reload();
  await until(() => isAsked);
  await page.locator('.btn.live').waitFor();
  await served.add([denial('told-too-early')]);
  // The page has read it from the stream, because it says so to screen readers.
  await page.locator('.sr', { hasText: 'told-too-early' }).waitFor();
  expect(await page.locator('.row').count()).toBe(0);
  bring();
  await page.locator('.row', { hasText: 'told-too-early' }).waitFor();
  await page.unrouteAll({ behavior: 'wait' });
  await context.close();
});

test('the address holds the filter, and a new decision outside of it does not appear', async () => {
  const { page, context } = await openTab(chrome.browser, served.link());
  await page.locator('.row').first().waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('decision:deny tool:Read');
  await page.keyboard.press('Enter');
  await holds(page, "location.hash.includes('decision=deny') && location.hash.includes('tool=Read')");
  await page.locator('.row', { hasText: '.env.production' }).first().waitFor();
  await served.add([
    denial('not-in-the-filter'),
    { ...denial('unused'), tool: 'Read', data: { tool: 'Read', input: { file_path: 'in-the-filter' } } },
  ]);
  await page.locator('.row', { hasText: 'in-the-filter' }).first().waitFor();
  const rows = await page.locator('.row').allInnerTexts();
  expect(rows.filter((row) => row.includes('not-in-the-filter') || !row.includes('Denied'))).toEqual([]);
  await context.close();
});

test('new decisions do not move the rows that are read', async () => {
  const { page, context } = await openTab(chrome.browser, served.link());
  await page.locator('.row').first().waitFor();
  await page.locator('.btn.live').waitFor();
  await page.keyboard.press('Space');
  await page.getByText('Paused').waitFor();
  const before = await textOf(page.locator('.row').first());
  await served.add([denial('waits-until-shown-1'), denial('waits-until-shown-2')]);
  await page.locator('.fresh', { hasText: '2 new' }).waitFor();
  expect(await textOf(page.locator('.row').first())).toBe(before);
  await page.locator('.fresh').click();
  await page.locator('.row', { hasText: 'waits-until-shown-2' }).waitFor();
  await context.close();
});

test('a page that was cut resumes without a gap', async () => {
  const { page, context } = await openTab(chrome.browser, served.link());
  await page.locator('.btn.live').waitFor();
  for (let round = 1; round <= 3; round++) {
    await until(() => served.cutStreams() > 0);
    await served.add([denial(`after-cut-${round}-a`), denial(`after-cut-${round}-b`)]);
  }
  await page.locator('.row', { hasText: 'after-cut-3-b' }).waitFor();
  const rows = (await page.locator('.row').allInnerTexts()).join('\n');
  for (const name of ['1-a', '1-b', '2-a', '2-b', '3-a', '3-b']) expect(rows.split(`after-cut-${name}`)).toHaveLength(2);
  await context.close();
});

test('of two tabs one reads the stream, and both show it', async () => {
  const { page, context } = await openTab(chrome.browser, served.link());
  await page.locator('.btn.live').waitFor();
  const second = await context.newPage();
  const streams: string[] = [];
  second.on('request', (request) => {
    if (request.url().includes('/v1/stream')) streams.push(request.url());
  });
  // Without a code: the first tab hands its token over.
  await second.goto(`http://127.0.0.1:${served.ui.port}/`);
  await second.locator('.row').first().waitFor();
  await served.add([denial('seen-in-both-tabs')]);
  await second.locator('.row', { hasText: 'seen-in-both-tabs' }).waitFor();
  await page.locator('.row', { hasText: 'seen-in-both-tabs' }).waitFor();
  expect(streams).toEqual([]);
  await page.close();
  await served.add([denial('the-other-leads-now')]);
  await second.locator('.row', { hasText: 'the-other-leads-now' }).waitFor();
  expect(streams.length).toBeGreaterThan(0);
  await context.close();
});

test('a tab that gets its token late enters all the same', async () => {
  const { page, context } = await openTab(chrome.browser, served.link());
  await page.locator('.btn.live').waitFor();
  const second = await context.newPage();
  // Its wish for a token reaches the first tab only after it has given up.
  await second.addInitScript(`{
    const { postMessage } = BroadcastChannel.prototype;
    BroadcastChannel.prototype.postMessage = function (data) {
      if (data.wants) window.ask = () => postMessage.call(this, data);
      else postMessage.call(this, data);
    };
  }`);
  await second.goto(`http://127.0.0.1:${served.ui.port}/`);
  await second.getByText('Open the dashboard from your terminal').waitFor();
  await second.evaluate('window.ask()');
  await second.locator('.row').first().waitFor();
  await context.close();
});

test('a decision opens as a story: the action, the hooks, the answer, what the agent was told, and what it did then', async () => {
  const { page, context, complaints } = await openTab(chrome.browser, served.link());
  await page.locator('.row', { hasText: 'git push --force origin main' }).first().click();
  await page.locator('.insp', { hasText: 'no-force-push' }).waitFor();
  await page.locator('.insp a', { hasText: 'Open' }).click();
  await page.locator('h2', { hasText: 'was denied' }).waitFor();
  const story = await textOf(page.locator('.story'));
  const order = ['was denied', 'was about to use Bash', 'were asked', 'The answer was: denied', 'The agent was told', 'gh pr create'].map(
    (part) => story.indexOf(part),
  );
  expect(order).toEqual([...order].sort((a, b) => a - b));
  expect(order).not.toContain(-1);
  expect(story).toContain('nothing ran');
  expect(story).toContain('Use --force-with-lease on your own branch');
  expect(complaints).toEqual([]);
  await context.close();
});

test('where nothing fits next to the list, a click opens the decision, and the words of the side stay for screen readers', async () => {
  const { page, context } = await openTab(chrome.browser, served.link(), { width: 820, height: 1180 });
  await page.locator('.row', { hasText: 'git push --force origin main' }).first().click();
  await page.locator('.verdict h2', { hasText: 'was denied' }).waitFor();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Sessions' }).click();
  await page.locator('.tbl a', { hasText: 'Fix flaky payment retry' }).waitFor();
  expect(await page.locator('.insp').count()).toBe(0);
  await context.close();
});

test('a row names the hook that decided, or that could not be asked', async () => {
  const { page, context } = await openTab(chrome.browser, served.link());
  const why = async (text: string): Promise<string> => textOf(page.locator('.row', { hasText: text }).first().locator('.why'));
  await page.locator('.row').first().waitFor();
  expect(await why('git push --force origin main')).toMatch(/^no-force-push · Force pushes/);
  expect(await why('https://docs.payments.example/api/retries')).toBe('secret-scan · could not be asked');
  await context.close();
});

test('the lane that waits for a person is the first, and each lane names its agent, also next to a chosen decision and on a phone', async () => {
  const { page, context } = await openTab(chrome.browser, served.link());
  const first = page.locator('.lanes-all .lane').first();
  await first.waitFor();
  expect(await textOf(first)).toContain('Waits for you');
  await page.locator('.row').first().click();
  await page.locator('.insp').waitFor();
  for (const width of [1440, 1200, 1000, 390]) {
    await page.setViewportSize({ width, height: 900 });
    const hidden =
      "[...document.querySelectorAll('.lane .host')].filter((host) => host.offsetWidth === 0 || host.offsetHeight === 0).length";
    // The page hears of its new width one frame later.
    await expect.poll(() => page.evaluate(hidden), { message: `${width}`, timeout: 10_000 }).toBe(0);
  }
  await context.close();
});

test('a denied call that ran is an alarm, and it comes first', async () => {
  const alarm = { ...denial('git push --force'), kind: 'tool.after' as const };
  const outcome = { ...(alarm.outcome as object), diagnostics: [{ code: 'denied-but-ran', severity: 'error', message: 'It ran.' }] };
  await served.add([{ ...alarm, outcome }]);
  const { page, context } = await openTab(chrome.browser, served.link());
  await page.locator('.row', { hasText: 'Alarm' }).first().click();
  await page.keyboard.press('Enter');
  await page.locator('.alarm').waitFor();
  expect(await page.locator('.tell > *').first().getAttribute('class')).toBe('alarm');
  expect(await textOf(page.locator('.story'))).not.toContain('nothing ran');
  await context.close();
});

test('folds of passes open into their rows', async () => {
  const { page, context } = await openTab(chrome.browser, `${served.link()}`);
  const fold = page.locator('.fold').first();
  await fold.waitFor();
  const count = Number(/(\d+) passed/.exec(await textOf(fold))?.[1]);
  expect(count).toBeGreaterThan(1);
  // So few that all of them are in the page.
  expect(count).toBeLessThan(15);
  await fold.click();
  await holds(page, `document.querySelectorAll('.row.inner').length === ${count}`);
  await context.close();
});

function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

test('a fold that is opened while older decisions are on their way opens all the same', async () => {
  const { page, context } = await openTab(chrome.browser, served.link());
  await page.locator('.fold').first().waitFor();
  const [older, inner] = [gate(), gate()];
  await page.route('**/v1/entries?*', async (route) => {
    const url = route.request().url();
    const answer = await route.fetch();
    if (url.includes('fold=1') && url.includes('before=')) await older.opened;
    if (url.includes('session=')) {
      older.open();
      await inner.opened;
    }
    await route.fulfill({ response: answer });
  });
  await page.reload();
  const fold = page.locator('.fold').first();
  await fold.waitFor();
  const size = "Number(document.querySelector('.window-row').getAttribute('aria-setsize'))";
  const [first, count] = [(await page.evaluate(size)) as number, Number(/(\d+) passed/.exec(await textOf(fold))?.[1])];
  await fold.click();
  await holds(page, `${size} > ${first}`);
  inner.open();
  await holds(page, `document.querySelectorAll('.row.inner').length === ${count}`);
  await page.unrouteAll({ behavior: 'wait' });
  await context.close();
});

test('a link of one use is refused the second time, and the page says what to do', async () => {
  const link = served.link();
  const first = await openTab(chrome.browser, link);
  await first.page.locator('.row').first().waitFor();
  expect(first.page.url()).not.toContain('code=');
  const second = await openTab(chrome.browser, link);
  await second.page.getByText('Open the dashboard from your terminal').waitFor();
  expect(await textOf(second.page.locator('main'))).toContain('hookline ui');
  await first.context.close();
  await second.context.close();
});

test('dragging over the bars chooses their time, and the rows are those of that time', async () => {
  const { page, context } = await openTab(chrome.browser, served.link());
  await page.locator('.row').first().waitFor();
  const box = await page.locator('.bars svg').boundingBox();
  if (!box) throw new Error('There are no bars.');
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width * 0.3, y);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.5, y, { steps: 4 });
  await page.locator('.bars-chosen').waitFor();
  await page.mouse.move(box.x + box.width * 0.6, y, { steps: 4 });
  await page.mouse.up();
  await holds(page, "location.hash.includes('since=') && location.hash.includes('until=')");
  const [since, until] = (await page.evaluate(
    "['since', 'until'].map((name) => Number(new URLSearchParams(location.hash.split('?')[1]).get(name)))",
  )) as [number, number];
  // From 30 to 60 of 100 parts of an hour, in whole minutes.
  expect((until - since) / 60_000).toBeGreaterThanOrEqual(18);
  expect((until - since) / 60_000).toBeLessThanOrEqual(20);
  expect(await page.locator('.bars-chosen').count()).toBe(0);
  await page.locator('.tok', { hasText: 'since' }).waitFor();
  await page.locator('.row').first().waitFor();
  const times = (await page.evaluate("[...document.querySelectorAll('.row time')].map((time) => Date.parse(time.dateTime))")) as number[];
  expect(times.length).toBeGreaterThan(0);
  expect(times.filter((at) => at < since || at > until)).toEqual([]);
  await context.close();
});

test('an edit of a file is shown as the lines that go and come, and its input word for word below', async () => {
  const input = {
    file_path: '/project/src/pay.ts',
    old_string: 'const limit = 10;\nreturn limit;',
    new_string: 'const limit = 99;\nreturn limit;',
  };
  await served.add([{ ...denial('unused'), id: 'an-edit', tool: 'Edit', data: { tool: 'Edit', input } }]);
  const { page, context, complaints } = await openTab(chrome.browser, served.link());
  await page.locator('.app').waitFor();
  await page.evaluate("location.hash = '#/decision/an-edit'");
  await page.locator('.file-diff').waitFor();
  expect(await textOf(page.locator('.file-diff header'))).toContain('/project/src/pay.ts');
  expect(await page.locator('.file-diff .m').allTextContents()).toEqual(['− const limit = 10;']);
  expect(await page.locator('.file-diff .p').allTextContents()).toEqual(['+ const limit = 99;']);
  expect(await page.locator('.file-diff .x').allTextContents()).toEqual(['  return limit;']);
  expect(await textOf(page.locator('.raw'))).toContain('"old_string"');
  expect(complaints).toEqual([]);
  await context.close();
});
