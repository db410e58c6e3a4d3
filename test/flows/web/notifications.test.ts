/** Browser notifications: one for each held action, withdrawn when it is settled. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../../support/patience.ts';
import { sampleEntry } from '../views/sample-log.ts';
import { type Chrome, openBrowser, openTab, press } from './browser.ts';
import { sampleTickets } from './sample-day.ts';
import { type Served, serve } from './served.ts';

/** The action of the first sample. */
const COMMAND = 'kubectl apply -f ingress.yaml --context prod-eu';

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
 * Notes which notifications are made and closed. They are the browser's own, and so is the question for the permission. The Chromium of the package has
 * no service that shows them, so it says "denied" before the question, even when the permission is granted. It says "default" here, as on a desktop.
 */
const NOTING = `{
  window.made = [];
  window.withdrawn = [];
  window.Notification = class extends window.Notification {
    static permission = 'default';
    constructor(title, options) {
      super(title, options);
      window.made.push(this);
    }
    close() {
      window.withdrawn.push(this.tag);
      super.close();
    }
  };
}`;

test('once a person wants it, one notification is shown for a ticket, also if it is told of twice, opens it, and is withdrawn when it is settled', async () => {
  const origin = `http://127.0.0.1:${served.ui.port}`;
  const { page, context, complaints } = await openTab(chrome.browser, origin);
  await context.grantPermissions(['notifications'], { origin });
  await context.addInitScript(NOTING);
  await page.goto('about:blank');
  await page.goto(served.link());
  await page.locator('.btn.live').waitFor();
  await press(page, 'g', 'a');
  await page.getByRole('button', { name: 'Tell me on this device' }).click();
  await page.getByText('This device is told').waitFor();
  await press(page, 'g', 'l');
  const now = Date.now();
  const [ticket] = sampleTickets(now);
  if (!ticket) throw new Error('There is no sample.');
  await served.store.tickets.open(ticket, now);
  await served.views.catchUp();
  const made = (): Promise<unknown> => page.evaluate('window.made.map(({ tag }) => tag)');
  await until(async () => ((await made()) as string[]).length > 0);
  // Another entry about the same ticket tells the page of it again.
  await served.add([sampleEntry('again', { at: now, command: 'again', decision: 'hold', reason: 'It waits.', ticket: ticket.id })]);
  await page.locator('.row', { hasText: 'again' }).waitFor();
  expect(await made()).toEqual([ticket.id]);
  expect(await page.evaluate('window.withdrawn')).toEqual([]);
  expect(await page.evaluate('[window.made[0].title, window.made[0].body]')).toEqual(['An action waits for you', COMMAND]);
  // A click on it opens the ticket, and settles nothing.
  await page.evaluate("window.made[0].dispatchEvent(new Event('click'))");
  await page.locator('.det pre', { hasText: COMMAND }).waitFor();
  expect(await served.store.tickets.get(ticket.id, Date.now())).toMatchObject({ state: 'open' });
  const settling = { state: 'denied', at: Date.now(), by: 'mara', note: null, via: 'cli', edit: null } as const;
  await served.store.tickets.settle(ticket.id, settling as Parameters<typeof served.store.tickets.settle>[1]);
  await served.views.catchUp();
  await until(async () => ((await page.evaluate('window.withdrawn')) as string[]).length > 0);
  expect(await page.evaluate('window.withdrawn')).toEqual([ticket.id]);
  expect(await made()).toEqual([ticket.id]);
  expect(complaints).toEqual([]);
  await context.close();
});
