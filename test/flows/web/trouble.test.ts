/** A page whose server cannot follow the log says so, with the reason, until it can again. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect } from '../../../src/stores/sqlite/database.ts';
import { viewsFile } from '../../../src/views/open-views.ts';
import { sampleEntry } from '../views/sample-log.ts';
import { append } from '../views/scene.ts';
import { lookAt } from './accessible.ts';
import { type Chrome, holds, openBrowser, openTab, textOf } from './browser.ts';
import { type Served, serve } from './served.ts';

let chrome: Chrome;
let served: Served;

beforeAll(async () => {
  [chrome, served] = await Promise.all([openBrowser(), serve()]);
});

afterAll(async () => {
  await chrome?.close();
  await served?.close();
});

test('a follower that fails is a banner with the reason and what to do, and the banner goes when it is well again', async () => {
  const { page, context } = await openTab(chrome.browser, served.link());
  await page.locator('.btn.live').waitFor();
  expect(await page.locator('.away').count()).toBe(0);
  // Another program holds the lock of the views.
  const other = connect(viewsFile(served.url.replace('sqlite:', '')));
  other.exec('BEGIN IMMEDIATE');
  await append(served.store, [sampleEntry('unseen', { at: Date.now(), command: 'unseen-command', decision: 'deny', reason: 'No.' })]);
  const banner = page.locator('.away', { hasText: 'cannot follow the log' });
  await banner.waitFor();
  expect(await textOf(banner)).toMatch(/locked|busy/);
  expect(await textOf(banner)).toContain('hookline doctor');
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await holds(page, `document.documentElement.dataset.theme === '${colorScheme}'`);
    expect(await lookAt(page)).toEqual({ problems: [], cut: [] });
  }
  other.exec('ROLLBACK');
  other.close();
  await page.locator('.row', { hasText: 'unseen-command' }).waitFor();
  await banner.waitFor({ state: 'detached' });
  await context.close();
});

test('a follower that is behind says how far, and the page stays readable for all', async () => {
  const { page, context } = await openTab(chrome.browser, served.link(), { width: 390, height: 844 });
  await page.locator('.btn.live').waitFor();
  // A real log that is behind for long enough would depend on the speed of the machine, so the server's answer says so.
  const says = 'The dashboard has read 10 of 90,000 entries of the log, so what is shown is older.';
  await page.route('**/v1/me', async (route) => {
    const answer = await route.fetch();
    const following = { state: 'behind', since: Date.now(), says, hint: 'It reads on.' };
    await route.fulfill({ response: answer, json: { ...((await answer.json()) as object), following } });
  });
  await page.reload();
  await page.locator('.away', { hasText: '10 of 90,000' }).waitFor();
  expect(await lookAt(page)).toEqual({ problems: [], cut: [] });
  // Requests that are on their way are answered first.
  await page.unrouteAll({ behavior: 'wait' });
  await context.close();
});
