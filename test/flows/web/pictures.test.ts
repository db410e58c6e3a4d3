/**
 * The pictures of the documentation. They are compared coarsely, by the brightness of blocks, because fonts and times differ.
 * `UPDATE_PICTURES=1` writes them anew.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Chrome, openBrowser, openTab } from './browser.ts';
import { sampleDay, sampleTickets } from './sample-day.ts';
import { type Served, serve } from './served.ts';

const folder = path.join(import.meta.dirname, '../../../docs/pictures');
const WIDE = { width: 1200, height: 720 };
const PHONE = { width: 390, height: 800 };
const MOST_BYTES = 150 * 1024;
/** Of 255. Other fonts move text within a block, and rarely between blocks. */
const [MOST_ON_AVERAGE, MOST_IN_A_BLOCK] = [7, 90];

let chrome: Chrome;
let served: Served;

beforeAll(async () => {
  const now = Date.now();
  [chrome, served] = await Promise.all([openBrowser(), serve()]);
  for (const ticket of sampleTickets(now)) await served.store.tickets.open(ticket, ticket.openedAt);
  await served.add(sampleDay(now));
});

afterAll(async () => {
  await chrome?.close();
  await served?.close();
});

async function denied(): Promise<string> {
  const { entries } = await served.views.entries({ decision: ['deny'] }, { limit: 1 });
  return entries[0]?.id ?? '';
}

const PICTURES: readonly (readonly [name: string, address: () => Promise<string>, shows: string, options: object])[] = [
  ['dashboard-live', async () => `#/live?entry=${await denied()}`, '.insp .week', { ...WIDE, theme: 'light' }],
  ['dashboard-live-dark', async () => `#/live?entry=${await denied()}`, '.insp .week', { ...WIDE, theme: 'dark' }],
  ['dashboard-decision', async () => `#/decision/${await denied()}`, '.story .week', { ...WIDE, theme: 'light' }],
  ['dashboard-approvals', async () => '#/approvals/ticket-ingress', '.act', { ...WIDE, theme: 'light' }],
  ['dashboard-hooks', async () => '#/hooks', '.tbl', { ...WIDE, theme: 'dark' }],
  ['dashboard-phone', async () => '#/live', '.lanes-all .lane', { ...PHONE, theme: 'dark' }],
];

test.each(PICTURES)('%s is what the page shows', async (name, address, shows, options) => {
  const { page, context } = await openTab(chrome.browser, served.link(), options);
  await page.locator('.btn.live').waitFor();
  await page.evaluate(`location.hash = ${JSON.stringify(await address())}`);
  await page.locator(shows).first().waitFor();
  if (name === 'dashboard-hooks') {
    await page.locator('.tbl a', { hasText: 'secret-scan' }).click();
    await page.locator('.chart').waitFor();
  }
  await page.locator('.n.fault:visible').first().waitFor();
  const picture = await page.screenshot();
  await context.close();
  const file = path.join(folder, `${name}.png`);
  if (process.env['UPDATE_PICTURES']) writeFileSync(file, picture);
  expect(existsSync(file), `${name}.png is missing: run with UPDATE_PICTURES=1`).toBe(true);
  // Other fonts make another size, so only the file that is kept is measured.
  expect(readFileSync(file).length).toBeLessThanOrEqual(MOST_BYTES);
  const [kept, shown] = await Promise.all([blocksOf(readFileSync(file)), blocksOf(picture)]);
  expect(shown.size).toEqual(kept.size);
  const differences = kept.blocks.map((value, n) => Math.abs(value - (shown.blocks[n] ?? 0)));
  expect(differences.reduce((sum, one) => sum + one, 0) / differences.length).toBeLessThan(MOST_ON_AVERAGE);
  expect(Math.max(...differences)).toBeLessThan(MOST_IN_A_BLOCK);
});

/** Divides a picture into blocks and returns the brightness of each. The browser reads the file, so no library is needed. */
async function blocksOf(png: Buffer): Promise<{ readonly size: readonly number[]; readonly blocks: readonly number[] }> {
  const page = await chrome.browser.newPage();
  try {
    return (await page.evaluate(`(async () => {
      const image = new Image();
      image.src = 'data:image/png;base64,${png.toString('base64')}';
      await image.decode();
      const canvas = new OffscreenCanvas(image.width, image.height);
      const context = canvas.getContext('2d');
      context.drawImage(image, 0, 0);
      const { data } = context.getImageData(0, 0, image.width, image.height);
      const [across, down] = [24, 16];
      const [sums, counts] = [new Array(across * down).fill(0), new Array(across * down).fill(0)];
      for (let y = 0; y < image.height; y++)
        for (let x = 0; x < image.width; x++) {
          const block = Math.floor((y * down) / image.height) * across + Math.floor((x * across) / image.width);
          const at = (y * image.width + x) * 4;
          sums[block] += (data[at] + data[at + 1] + data[at + 2]) / 3;
          counts[block]++;
        }
      return { size: [image.width, image.height], blocks: sums.map((sum, n) => sum / counts[n]) };
    })()`)) as { readonly size: readonly number[]; readonly blocks: readonly number[] };
  } finally {
    await page.close();
  }
}
