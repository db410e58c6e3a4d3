/** Laws of every screen: for people who do not see it, in both themes, on a phone, by keyboard, and when there is nothing to show. */
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { NewTicket } from '../../../src/core/contracts/store.ts';
import { until } from '../../support/patience.ts';
import { hookline } from '../cli/program.ts';
import { lookAt } from './accessible.ts';
import { type Chrome, holds, openBrowser, openTab, press, textOf } from './browser.ts';
import { sampleDay, sampleEdit, sampleTickets } from './sample-day.ts';
import { type Served, serve } from './served.ts';

let chrome: Chrome;
let served: Served;
let denied = '';
let failing = '';

beforeAll(async () => {
  const now = Date.now();
  [chrome, served] = await Promise.all([openBrowser(), serve()]);
  for (const ticket of sampleTickets(now)) await served.store.tickets.open(ticket, ticket.openedAt);
  await served.add([...sampleDay(now, 300), sampleEdit(now)]);
  const [sample] = sampleTickets(now) as [NewTicket];
  const event = { ...sample.action.event, data: sampleEdit(now).data } as NewTicket['action']['event'];
  await served.store.tickets.open(
    { ...sample, id: 'ticket-edit', digest: 'sha256:edit', tool: 'Edit', action: { ...sample.action, event } },
    now,
  );
  failing = (await served.views.hooks({ since: 0, until: now })).find(({ name }) => name === 'secret-scan')?.id ?? '';
  denied = (await served.views.entries({ decision: ['deny'] }, { limit: 1 })).entries[0]?.id ?? '';
});

afterAll(async () => {
  await chrome?.close();
  await served?.close();
});

/** Each screen: its address, what it shows when it is there, and the key that opens it on top of the screen before. */
const SCREENS: readonly (readonly [name: string, address: () => string, shows: string, key?: string])[] = [
  ['live', () => '#/live', '.row'],
  ['live with a chosen decision', () => `#/live?entry=${denied}`, '.row'],
  ['live without a match', () => '#/live?tool=Never', '.empty'],
  ['a decision', () => `#/decision/${denied}`, '.story'],
  ['a decision about a file', () => '#/decision/an-edit', '.file-diff'],
  ['approvals', () => '#/approvals', '.tk'],
  ['a ticket', () => '#/approvals/ticket-ingress', '.act'],
  ['a ticket about a file', () => '#/approvals/ticket-edit', '.det .file-diff'],
  ['settled', () => '#/approvals?tab=settled', '.empty'],
  ['sessions', () => '#/sessions', '.tbl'],
  ['a session', () => '#/sessions/session-retry', '.session-head'],
  ['hooks', () => '#/hooks', '.card'],
  ['a hook that failed', () => `#/hooks/${failing}`, '.unanswered'],
  ['log', () => '#/log', '.panel'],
  ['what if', () => '#/what-if?try=git+push+--force', '.guard-word'],
  ['help', () => '', 'dialog.help[open]', '?'],
  ['palette', () => '', 'dialog.palette[open] .goal', 'Control+k'],
];

async function go(page: Page, address: string, shows: string): Promise<void> {
  await page.locator('.app').waitFor();
  await page.evaluate(`location.hash = ${JSON.stringify(address)}`);
  await page.locator(shows).first().waitFor();
}

describe.each([
  ['light, wide', { theme: 'light', width: 1440, height: 900 }],
  ['dark, wide', { theme: 'dark', width: 1440, height: 900 }],
  ['light, tablet', { theme: 'light', width: 820, height: 1180 }],
  ['light, phone', { theme: 'light', width: 390, height: 844 }],
  ['dark, phone', { theme: 'dark', width: 390, height: 844 }],
] as const)('%s', (_name, options) => {
  test('no screen has a violation of WCAG 2.1 AA, none cuts off what it shows, and none complains', async () => {
    const { page, context, complaints } = await openTab(chrome.browser, served.link(), options);
    const found: Record<string, unknown> = {};
    await page.locator('.app').waitFor();
    for (const [name, address, shows, key] of SCREENS) {
      if (key === undefined) await go(page, address(), shows);
      else await press(page, key);
      await page.locator(shows).first().waitFor();
      if (name === 'live with a chosen decision' && options.width > 1000) await page.locator('.insp .sentence').waitFor();
      const { problems, cut } = await lookAt(page);
      const theme = await page.evaluate('document.documentElement.dataset.theme');
      if (problems.length > 0 || cut.length > 0 || theme !== options.theme) found[name] = { problems, cut, theme };
      if (key !== undefined) {
        await press(page, 'Escape');
        await page.locator(shows).first().waitFor({ state: 'detached' });
      }
    }
    expect(found).toEqual({});
    expect(complaints).toEqual([]);
    await context.close();
  });
});

test('keys alone reach every screen, move, open, leave, and change the theme', async () => {
  const { page, context } = await openTab(chrome.browser, served.link());
  await page.locator('.row').first().waitFor();
  await press(page, 'j', 'j', 'k');
  await page.locator('.insp .sentence, .fold[aria-current]').first().waitFor();
  await press(page, 'Escape');
  for (const [key, title] of [
    ['a', 'Approvals'],
    ['s', 'Sessions'],
    ['h', 'Hooks'],
    ['o', 'Log'],
    ['w', 'What if'],
    ['l', 'Live'],
  ] as const) {
    await press(page, 'g', key);
    await page.locator('.top h1', { hasText: key === 'a' ? /Approvals|of 4/ : title }).waitFor();
  }
  await press(page, '?');
  await page.locator('dialog.help[open]').waitFor();
  await press(page, 'Escape');
  await page.locator('dialog').waitFor({ state: 'detached' });
  await press(page, 'Control+k');
  await page.locator('dialog.palette[open]').waitFor();
  await page.keyboard.type('no-force');
  await page.locator('.goal', { hasText: 'no-force-push' }).waitFor();
  await press(page, 'Enter');
  await page.locator('.chosen', { hasText: 'no-force-push' }).waitFor();
  const before = await page.evaluate('document.documentElement.dataset.theme');
  await press(page, 't');
  await holds(page, `document.documentElement.dataset.theme !== ${JSON.stringify(before)}`);
  await context.close();
});

test('facts that arrive late do not call a person back who has gone on to another screen', async () => {
  const { page, context } = await openTab(chrome.browser, served.link());
  await page.locator('.row').first().waitFor();
  // The browser tells a page of a new address in a task of its own. This one waits until the facts are shown.
  await page.addInitScript("addEventListener('hashchange', (event) => { if (window.isUntold) event.stopImmediatePropagation(); });");
  let bring = (): void => {};
  const brought = new Promise<void>((resolve) => {
    bring = resolve;
  });
  await page.route('**/tickets?*', async (route) => {
    await brought;
    await route.continue();
  });
  await page.reload();
  await page.locator('.row').first().waitFor();
  await page.evaluate("location.hash = '#/approvals'");
  await page.locator('.top h1', { hasText: 'Approvals' }).waitFor();
  await page.evaluate("window.isUntold = true; location.hash = '#/sessions'");
  bring();
  await page.locator('.tk').first().waitFor();
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 0))))');
  await page.evaluate("window.isUntold = false; dispatchEvent(new HashChangeEvent('hashchange'))");
  await page.locator('.top h1', { hasText: 'Sessions' }).waitFor();
  expect(await page.evaluate('location.hash')).toBe('#/sessions');
  await context.close();
});

test('a problem is resolved and muted from its card', async () => {
  const { page, context } = await openTab(chrome.browser, served.link());
  await go(page, '#/hooks', '.card');
  const count = await page.locator('.card').count();
  await page.locator('.card').first().getByRole('button', { name: 'Resolve' }).click();
  // The words for screen readers stay. Those on the screen go after a moment.
  await page.locator('.sr', { hasText: 'Resolved' }).waitFor();
  await holds(page, `document.querySelectorAll('.card').length === ${count - 1}`);
  await page.getByRole('button', { name: /resolved or muted/ }).click();
  await page.locator('.card.done').getByRole('button', { name: 'Open again' }).click();
  await holds(page, `document.querySelectorAll('.card:not(.done)').length === ${count}`);
  await context.close();
});

test('a hook shows how often it was asked over time, and in which ways it could not be asked', async () => {
  const { page, context } = await openTab(chrome.browser, served.link());
  await go(page, '#/hooks', '.tbl');
  const row = page.locator('.tbl tr', { hasText: 'secret-scan' });
  // Seven days and a part of one. It was asked on each of them.
  const bars = (await page.evaluate(
    "[...document.querySelectorAll('.tbl tr')].find((one) => one.textContent.includes('secret-scan')).querySelectorAll('.spark rect').length",
  )) as number;
  expect(bars).toBe(8);
  await row.locator('a').click();
  await page.locator('.unanswered', { hasText: 'did not answer within' }).waitFor();
  expect(await textOf(page.locator('.unanswered .num').first())).toBe('20');
  await context.close();
});

test('the log is verified in the page, and a copy is saved', async () => {
  const { page, context, complaints } = await openTab(chrome.browser, served.link());
  await page.locator('.app').waitFor();
  // As soon as the part is there: a person can be as fast.
  await page.evaluate(`new MutationObserver((_, observer) => {
    if (!document.querySelector('.panel')) return;
    observer.disconnect();
    dispatchEvent(new KeyboardEvent('keydown', { key: 'v' }));
  }).observe(document.body, { childList: true, subtree: true });
  location.hash = '#/log';`);
  await page.getByText('The log is whole.').waitFor();
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'ndjson' }).click();
  expect((await saved).suggestedFilename()).toBe('hookline-log.ndjson');
  expect(complaints).toEqual([]);
  await context.close();
});

test('rows have their place and the number of all, and the region for news is polite', async () => {
  const { page, context } = await openTab(chrome.browser, served.link());
  await page.locator('.row').first().waitFor();
  const first = page.locator('.window-row').first();
  expect(await first.getAttribute('aria-posinset')).toBe('1');
  expect(Number(await first.getAttribute('aria-setsize'))).toBeGreaterThan(20);
  expect(await page.locator('.sr').getAttribute('aria-live')).toBe('polite');
  await context.close();
});

test('a store without entries teaches how to begin', async () => {
  const empty = await serve();
  for (const [folder, file] of [
    ['.claude', 'history.jsonl'],
    ['.codex', 'auth.json'],
  ] as const) {
    mkdirSync(path.join(empty.home, folder));
    writeFileSync(path.join(empty.home, folder, file), '{}');
  }
  const workspace = { root: empty.root, home: empty.home } as Parameters<typeof hookline>[0];
  expect((await hookline(workspace, ['install', 'claude-code', '--no-serve'])).exit).toBe(0);
  try {
    const { page, context, complaints } = await openTab(chrome.browser, empty.link());
    await page.getByText('Waiting for the first event').waitFor();
    expect(await lookAt(page)).toEqual({ problems: [], cut: [] });
    // The one that asks Hookline has its entry, the other one has only files of its own.
    const agents = page.locator('.agents li');
    await agents.first().waitFor();
    expect(await textOf(page.locator('main'))).toContain('hookline doctor --canary');
    expect(await textOf(agents.filter({ hasText: 'Claude Code' }))).toContain('asks Hookline');
    expect(await textOf(agents.filter({ hasText: 'Claude Code' }))).not.toContain('hookline install');
    expect(await textOf(agents.filter({ hasText: 'Codex' }))).toContain('does not ask Hookline');
    expect(await textOf(agents.filter({ hasText: 'Codex' }))).toContain('hookline install codex');
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy the command of the tour' }).click();
    const copied = 'navigator.clipboard.readText()';
    await until(async () => String(await page.evaluate(copied)).includes('agent --scripted'));
    for (const [address, text] of [
      ['#/approvals', 'Nothing waits.'],
      ['#/sessions', 'No session was recorded yet'],
      ['#/hooks', 'There are no hooks yet'],
    ] as const) {
      await page.evaluate(`location.hash = ${JSON.stringify(address)}`);
      await page.getByText(text).waitFor();
    }
    // A person pastes the command into a terminal, as it is. The page then shows a denial.
    const env = { PATH: `${path.dirname(process.execPath)}:/usr/bin:/bin`, HOME: empty.home, LANG: 'C.UTF-8' };
    await promisify(execFile)('/bin/sh', ['-c', String(await page.evaluate(copied))], { env, cwd: empty.root });
    await page.evaluate("location.hash = '#/live'");
    await page.locator('.row', { hasText: 'Denied' }).waitFor();
    expect(await textOf(page.locator('.row', { hasText: 'Denied' }).locator('.why'))).toMatch(/^guard · /);
    expect(complaints).toEqual([]);
    await context.close();
  } finally {
    await empty.close();
  }
});

test('the table of hooks shows the line of each hook, which no width cuts off', async () => {
  for (const width of [1440, 820, 390]) {
    const { page, context } = await openTab(chrome.browser, served.link(), { width });
    await page.locator('.rows').waitFor();
    await page.evaluate("location.hash = '#/hooks'");
    await page.locator('.hk-file').first().waitFor();
    expect(await page.evaluate("[...document.querySelectorAll('.hk-file')].filter((one) => !/:\\d+$/.test(one.textContent)).length")).toBe(
      0,
    );
    const cut =
      "[...document.querySelectorAll('.hk-file')].filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent)";
    expect(await page.evaluate(cut), String(width)).toEqual([]);
    await context.close();
  }
});
