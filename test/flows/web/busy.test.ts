/** The screen of what happens now while agents make more decisions than a person reads, in a real browser. */
import type { Page } from 'playwright-core';
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
const passes = (count: number, sessions = 1, name = 'busy'): ReturnType<typeof sampleEntry>[] =>
  Array.from({ length: count }, (_, n) =>
    sampleEntry(`busy-${++made}`, { at: Date.now(), session: `${name}-${n % sessions}`, command: 'npm test' }),
  );
const denial = (command: string): ReturnType<typeof sampleEntry> =>
  sampleEntry(`busy-${++made}`, { at: Date.now(), command, decision: 'deny', reason: 'The gate is closed.', session: 'busy-0' });

/** What the first rows say: the number of passes, or the command. */
async function rowsOf(page: Page): Promise<readonly string[]> {
  const texts = await page.locator('.window-row').allInnerTexts();
  return texts.slice(0, 12).map((text) => /[\d,]+ passed/.exec(text)?.[0] ?? /gate-\d+/.exec(text)?.[0] ?? text);
}

test('passes that come by the hundred are counted, a denial among them has its row, and a reload shows the same', async () => {
  const { page, context, complaints } = await openTab(chrome.browser, served.link());
  await page.locator('.btn.live').waitFor();
  let reads = 0;
  page.on('request', (request) => {
    if (request.url().includes('/v1/entries') && !request.url().includes('before=')) reads++;
  });
  for (let round = 1; round <= 3; round++) {
    await served.add([...passes(150), denial(`gate-${round}`), ...passes(150)]);
    await page.locator('.row', { hasText: `gate-${round}` }).waitFor();
  }
  await until(async () => (await rowsOf(page))[0] === '150 passed');
  const live = await rowsOf(page);
  expect(live.slice(0, 6)).toEqual(['150 passed', 'gate-3', '300 passed', 'gate-2', '300 passed', 'gate-1']);
  // They came by the stream: the newest page was not read again.
  expect(reads).toBe(0);
  await page.reload();
  await page.locator('.row', { hasText: 'gate-3' }).waitFor();
  await until(async () => JSON.stringify(await rowsOf(page)) === JSON.stringify(live));
  expect(complaints).toEqual([]);
  await context.close();
});

test('passes wait behind the button with their number, and those who ask for passes see each', async () => {
  const { page, context } = await openTab(chrome.browser, served.link());
  await page.locator('.btn.live').waitFor();
  await page.keyboard.press('Space');
  await page.getByText('Paused').waitFor();
  await served.add([...passes(199, 3), denial('gate-9')]);
  await page.locator('.fresh', { hasText: '200 new' }).waitFor();
  await page.evaluate("location.hash = '#/live?decision=pass'");
  await page.locator('.row').first().waitFor();
  await page.getByText('Paused').waitFor({ state: 'detached' });
  await served.add(passes(60));
  await holds(page, `document.querySelectorAll('.fold').length === 0`);
  await page.locator(`.row[href*="busy-${made}?"]`).waitFor();
  await context.close();
});

test('a fold of thousands opens its newest passes, and the rest stays folded', async () => {
  await served.add([denial('gate-10'), ...passes(3600, 3, 'deep'), denial('gate-11')]);
  const { page, context } = await openTab(chrome.browser, served.link());
  await page.locator('.row', { hasText: 'gate-11' }).waitFor();
  const fold = page.locator('.fold').first();
  await until(async () => /3,600 passed/.test(await textOf(fold)));
  await fold.click();
  const size = "Number(document.querySelector('.window-row').getAttribute('aria-setsize'))";
  await holds(page, `document.querySelectorAll('.row.inner').length > 0 && ${size} > 3000`);
  await page.evaluate("document.querySelector('.window').scrollTop = 3001 * 34 - 200");
  await page.locator('.fold', { hasText: '600 passed' }).waitFor();
  await context.close();
});
