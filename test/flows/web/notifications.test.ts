/** Browser notifications: one for each held action, withdrawn when it is settled. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../../support/patience.ts';
import { sampleEntry } from '../views/sample-log.ts';
import { type Chrome, openBrowser, openTab } from './browser.ts';
import { sampleTickets } from './sample-day.ts';
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

/**
 * Notes which notifications are made and closed. They are the browser's own where it has any. The Chromium of the package has no service that shows
 * them: it says "denied" even when the permission is granted. There a stand-in takes the place of the service, and of nothing else.
 */
const NOTING = `{
  window.made = [];
  window.withdrawn = [];
  class Unshown extends EventTarget {
    static permission = 'granted';
    constructor(title, { tag }) {
      super();
      this.tag = tag;
    }
    close() {}
  }
  const Base = window.Notification.permission === 'granted' ? window.Notification : Unshown;
  window.Notification = class extends Base {
    constructor(title, options) {
      super(title, options);
      window.made.push(this.tag);
    }
    close() {
      window.withdrawn.push(this.tag);
      super.close();
    }
  };
}`;

test('one notification is shown for a ticket, also if it is told of twice, and it is withdrawn when the ticket is settled', async () => {
  const origin = `http://127.0.0.1:${served.ui.port}`;
  const { page, context, complaints } = await openTab(chrome.browser, origin);
  await context.grantPermissions(['notifications'], { origin });
  await context.addInitScript(NOTING);
  await page.goto('about:blank');
  await page.goto(served.link());
  await page.locator('.btn.live').waitFor();
  const granted = "navigator.permissions.query({ name: 'notifications' }).then(({ state }) => state)";
  expect(await page.evaluate(granted)).toBe('granted');
  const now = Date.now();
  const [ticket] = sampleTickets(now);
  if (!ticket) throw new Error('There is no sample.');
  await served.store.tickets.open(ticket, now);
  await served.views.catchUp();
  const made = (): Promise<unknown> => page.evaluate('window.made');
  await until(async () => ((await made()) as string[]).length > 0);
  // Another entry about the same ticket tells the page of it again.
  await served.add([sampleEntry('again', { at: now, command: 'again', decision: 'hold', reason: 'It waits.', ticket: ticket.id })]);
  await page.locator('.row', { hasText: 'again' }).waitFor();
  expect(await made()).toEqual([ticket.id]);
  expect(await page.evaluate('window.withdrawn')).toEqual([]);
  const settling = { state: 'denied', at: Date.now(), by: 'mara', note: null, via: 'cli', edit: null } as const;
  await served.store.tickets.settle(ticket.id, settling as Parameters<typeof served.store.tickets.settle>[1]);
  await served.views.catchUp();
  await until(async () => ((await page.evaluate('window.withdrawn')) as string[]).length > 0);
  expect(await page.evaluate('window.withdrawn')).toEqual([ticket.id]);
  expect(await made()).toEqual([ticket.id]);
  expect(complaints).toEqual([]);
  await context.close();
});
