/** A list of a hundred thousand decisions: wherever it is scrolled to, there are rows. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../../support/patience.ts';
import { type Chrome, openBrowser, openTab } from './browser.ts';
import { type Served, serve } from './served.ts';

const ENTRIES = 100_000;
const JUMPS = 150;

let chrome: Chrome;
let served: Served;

beforeAll(async () => {
  // A program of the benches, which has no types.
  const { writeLongLog } = (await import('../../bench/long-log.mjs' as string)) as {
    writeLongLog(file: string, count: number, until: number): Promise<void>;
  };
  [chrome, served] = await Promise.all([openBrowser(), serve((file) => writeLongLog(file, ENTRIES, Date.now()))]);
  await served.views.catchUp();
});

afterAll(async () => {
  await chrome?.close();
  await served?.close();
});

/** Jumps through the whole list. Each frame that follows a jump is looked at in several places. Returns the places without a row. */
const JUMP = `new Promise((resolve) => {
  const list = document.querySelector('.window');
  const box = list.getBoundingClientRect();
  const blank = [];
  let jump = 0;
  const frame = () => {
    for (const part of [0.02, 0.3, 0.6, 0.98])
      if (jump > 0 && !document.elementFromPoint(box.left + 200, box.top + box.height * part)?.closest('.row, .fold')) blank.push([jump, part]);
    if (jump === ${JUMPS}) return resolve(blank);
    jump++;
    list.scrollTop = ((jump * 37) % ${JUMPS}) / ${JUMPS} * (list.scrollHeight - list.clientHeight);
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
})`;

test('jumps through a hundred thousand rows never show a blank frame, and few rows are in the page', async () => {
  const { page, context, complaints } = await openTab(chrome.browser, served.link());
  await page.locator('.app').waitFor();
  await page.evaluate("location.hash = '#/live?decision=pass,allow,ask,hold,deny'");
  await page.locator('.row').first().waitFor();
  const count = async (): Promise<number> => Number(await page.locator('.window-row').first().getAttribute('aria-setsize'));
  await until(async () => {
    await page.evaluate("document.querySelector('.window').scrollTop = 1e9");
    return (await count()) === ENTRIES;
  });
  expect(await page.evaluate(JUMP)).toEqual([]);
  // At rest the list also keeps the rows around those that are seen.
  const rows = (): Promise<number> => page.locator('.window-row').count();
  await page.evaluate("document.querySelector('.window').scrollTop = document.querySelector('.window').scrollHeight / 2");
  await until(async () => (await rows()) > 25);
  expect(await rows()).toBeLessThan(100);
  expect(complaints).toEqual([]);
  await context.close();
});
