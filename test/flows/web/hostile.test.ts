/** Hostile text in every field, on every screen: it is shown as text. It makes no node and no request, and cuts nothing off. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { NewTicket } from '../../../src/core/contracts/store.ts';
import type { LogRecord } from '../../../src/core/record/decision-record.ts';
import type { Json } from '../../../src/core/values/json.ts';
import { cutOff } from './accessible.ts';
import { type Chrome, openBrowser, openTab, textOf } from './browser.ts';
import { report, sampleTickets } from './sample-day.ts';
import { type Served, serve } from './served.ts';

const CORPUS: readonly string[] = [
  '<img src=x onerror="window.isHurt=1"><script>window.isHurt=1</script><h1 class="hostile">big</h1>',
  '"><svg onload=window.isHurt=1><style>*{display:none}</style><iframe src=https://elsewhere.example>',
  'javascript:window.isHurt=1',
  `{{constructor.constructor("window.isHurt=1")()}} $\{window.isHurt=1}`,
  'user\u202Egpj.exe\u2066 \u200Bzero\u200Dwidth\uFEFF \u00AD',
  '\u001B[2J\u001B]0;owned\u0007\u009B31m red \r over \b\b',
  `one-word-${'x'.repeat(1_000_000)}`,
  'مرحبا 你好 🙂 e\u0301\u0301\u0301\u0301',
  '__proto__',
];

let chrome: Chrome;
let served: Served;

beforeAll(async () => {
  const now = Date.now();
  [chrome, served] = await Promise.all([openBrowser(), serve()]);
  const entries = CORPUS.flatMap((text, n) => [entryOf(text, n, now, 'deny'), entryOf(text, n, now, 'pass'), promptOf(text, n, now)]);
  for (const [n, text] of CORPUS.entries()) {
    const ticket = sampleTickets(now)[0] as NewTicket;
    const gate = report(text, { decision: 'hold', reason: text });
    const event = {
      ...ticket.action.event,
      data: { tool: text, input: { command: text, more: text } },
      session: { id: `hostile-${n}`, cwd: `/home/x/${text}` },
    };
    const action = { ...ticket.action, event, heldBy: [gate], reports: [gate] } as unknown as NewTicket['action'];
    await served.store.tickets.open(
      { ...ticket, id: `hostile-${n}`, digest: `sha256:${n}`, tool: text, reason: text, root: `/home/x/${text}`, action },
      now,
    );
  }
  await served.add(entries);
});

afterAll(async () => {
  await chrome?.close();
  await served?.close();
});

function entryOf(text: string, n: number, now: number, decision: 'deny' | 'pass'): LogRecord {
  const hook = report(text, {
    ...{ id: text, dialect: text, event: text, source: { file: `/home/x/${text}`, scope: 'user', line: 1 }, reason: text, decision, ms: 3 },
    ...(decision === 'pass' && { status: 'faulted', fault: { kind: 'exit', detail: text } }),
  } as Partial<ReturnType<typeof report>>);
  return {
    ...{ id: `hostile-${decision}-${n}`, at: now - n * 1_000, session: `hostile-${n}`, root: `/home/x/${text}`, kind: 'tool.before' },
    ...{ tool: text, decision, reason: decision === 'deny' ? text : null, ticket: null, masked: [text], ms: 4 },
    data: { tool: text, input: { command: text } },
    outcome: { hooks: [hook as unknown as Json], diagnostics: [], context: [text], notices: [text], quiet: false, unmatched: 1 },
    digests: { event: text, hooks: text },
    who: {
      ...{ host: text, hostVersion: text, agent: text, osUser: text, userId: text, machine: { id: text, name: text }, origin: text },
      project: { root: text, remote: text, commit: text },
    },
  };
}

function promptOf(text: string, n: number, now: number): LogRecord {
  return {
    ...entryOf(text, n, now - 60_000, 'pass'),
    id: `hostile-prompt-${n}`,
    kind: 'prompt.submit',
    tool: null,
    data: { prompt: text },
  };
}

/** Elements that no screen has of its own, or that the corpus would make. */
const FOREIGN = "document.querySelectorAll('img, iframe, object, embed, body script, body style, .hostile, [onerror], [onload]').length";
/** The one script of the page is in the body. */
const OWN_SCRIPTS = 1;
/** Invisible characters that would change how other text reads. */
const INVISIBLE = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u200B-\u200F\u202A-\u202E\u2066-\u2069\uFEFF\u00AD]/;

test.each([
  ['wide', 1440],
  ['phone', 390],
] as const)('%s: no node, no request, nothing cut off, and controls are visible', async (_name, width) => {
  const { page, context, complaints } = await openTab(chrome.browser, served.link(), { width, height: 844 });
  await page.locator('.row').first().waitFor();
  const screens: (readonly [address: string, shows: string])[] = [
    ['#/live', '.row'],
    ['#/sessions', '.tbl'],
    ['#/hooks', '.tbl'],
    ['#/log', '.panel'],
  ];
  for (const n of CORPUS.keys()) {
    screens.push([`#/decision/hostile-deny-${n}`, '.story'], [`#/live?entry=hostile-deny-${n}`, '.row']);
    screens.push([`#/approvals/hostile-${n}`, '.act'], [`#/sessions/hostile-${n}`, '.session-head']);
  }
  for (const text of CORPUS.slice(0, 6))
    screens.push(
      [`#/what-if?try=${encodeURIComponent(text)}`, '.planned, .notice'],
      [`#/live?text=${encodeURIComponent(text)}`, '.row, .empty'],
    );
  for (const [address, shows] of screens) {
    await page.evaluate(`location.hash = ${JSON.stringify(address)}`);
    await page.locator(shows).first().waitFor();
    const found = { foreign: await page.evaluate(FOREIGN), cut: await cutOff(page), hurt: await page.evaluate('window.isHurt') };
    expect({ address, ...found }).toEqual({ address, foreign: OWN_SCRIPTS, cut: [], hurt: undefined });
    expect(INVISIBLE.exec(await textOf(page.locator('main')))?.[0], address).toBeUndefined();
  }
  expect(complaints).toEqual([]);
  await context.close();
});
