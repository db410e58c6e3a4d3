/** Settling from the page: the process that waits goes on. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { resolveHome } from '../../../src/load/find/home.ts';
import { openSecret } from '../../../src/people/secret.ts';
import { type Ended, hookline } from '../cli/program.ts';
import { sampleEntry } from '../views/sample-log.ts';
import { type Chrome, openBrowser, openTab, press, textOf } from './browser.ts';
import { sampleTickets } from './sample-day.ts';
import { type Served, serve } from './served.ts';

const HOOK =
  '---\nname: ask-first\ndescription: Deployments are approved by a person.\ntrigger: before_tool\nmatcher:\n  tool: Bash\n---\n';
/** Only a deployment to production wants a person, so an edit to another place passes. */
const ANSWER = `#!/bin/sh
if grep -q production; then echo '{"decision": "ask", "reason": "Deployments are approved by a person."}'; fi
`;

let chrome: Chrome;
let served: Served;

beforeAll(async () => {
  [chrome, served] = await Promise.all([openBrowser(), serve()]);
  const folder = path.join(served.root, '.agents/hooks/ask-first');
  mkdirSync(path.join(folder, 'scripts'), { recursive: true });
  writeFileSync(path.join(folder, 'HOOK.md'), HOOK);
  writeFileSync(path.join(folder, 'scripts/run.sh'), ANSWER, { mode: 0o755 });
});

afterAll(async () => {
  await chrome?.close();
  await served?.close();
});

/** A real process that fires an action and waits for its answer. */
function waiting(command: string): Promise<Ended> {
  const argv = ['fire', 'tool.before', '--tool', 'Bash', '--input', JSON.stringify({ command }), '--trust-all', '--wait', '600', '--json'];
  const workspace = { root: served.root, home: served.home } as Parameters<typeof hookline>[0];
  return hookline(workspace, [...argv, '--store', served.url]);
}

async function openTicket(page: Page, command: string): Promise<void> {
  await page.locator('.app').waitFor();
  await press(page, 'g', 'a');
  await page.locator('.tk', { hasText: command }).first().click();
  await page.locator('.det pre', { hasText: command }).waitFor();
}

test('an approved action goes on, and the page says so without a reload', async () => {
  const { page, context, complaints } = await openTab(chrome.browser, served.link());
  await page.locator('.app').waitFor();
  const process = waiting('deploy --to production one');
  await openTicket(page, 'production one');
  await page.getByRole('button', { name: 'Approve once' }).click();
  const { exit, stdout } = await process;
  expect(exit).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ decision: 'allow', approval: { state: 'approved' } });
  await page.locator('.tk-head', { hasText: 'It was approved' }).waitFor();
  // The act is an entry of its own, told as a sentence, with the way back to the ticket.
  await press(page, 'g', 'l');
  const act = page.locator('.row', { hasText: 'was approved by' });
  await act.waitFor();
  expect(await textOf(act.locator('.v'))).toBe('Approved');
  await act.click();
  await page.locator('.insp', { hasText: 'was approved by' }).waitFor();
  expect(await page.locator('.insp pre').count()).toBe(0);
  await page.keyboard.press('Enter');
  await page.locator('.verdict h2', { hasText: 'was approved by' }).waitFor();
  await page.getByRole('link', { name: 'How it was settled' }).click();
  await page.locator('.tk-head', { hasText: 'It was approved' }).waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test('an edited action goes on as it was edited, and the difference is shown first', async () => {
  const { page, context } = await openTab(chrome.browser, served.link());
  await page.locator('.app').waitFor();
  const process = waiting('deploy --to production two');
  await openTicket(page, 'production two');
  await page.keyboard.press('e');
  await page.locator('.box textarea').fill('deploy --to staging two');
  await page.keyboard.press('Escape');
  expect(await textOf(page.locator('.diff del'))).toContain('production');
  expect(await textOf(page.locator('.diff ins'))).toContain('staging');
  await page.getByRole('button', { name: 'Approve the edited action' }).click();
  const { exit, stdout } = await process;
  expect(exit).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ decision: 'allow', rewrite: { command: 'deploy --to staging two' } });
  await context.close();
});

test('by keyboard alone: a key asks once more, Escape takes it back, Enter settles, and the note arrives', async () => {
  const { page, context } = await openTab(chrome.browser, served.link());
  await page.locator('.app').waitFor();
  const process = waiting('deploy --to production three');
  await press(page, 'g', 'a');
  await page.locator('.det pre', { hasText: 'production three' }).waitFor();
  await page.keyboard.press('n');
  await page.keyboard.type('not on a Friday');
  // Escape leaves the field, and neither the ticket nor the note is lost.
  await page.keyboard.press('Escape');
  expect(await page.getByLabel('Note').inputValue()).toBe('not on a Friday');
  await page.keyboard.press('a');
  await page.locator('.act-asks', { hasText: 'Approve once?' }).waitFor();
  await page.keyboard.press('Escape');
  await page.locator('.act-asks').waitFor({ state: 'detached' });
  await page.keyboard.press('Enter');
  await page.keyboard.press('d');
  await page.locator('.act-asks', { hasText: 'Deny it?' }).waitFor();
  await page.keyboard.press('Enter');
  const { exit, stderr } = await process;
  expect(exit).toBe(2);
  expect(stderr).toContain('not on a Friday');
  await context.close();
});

test('on a phone: a denied command says why on its first screen, and a held one is approved with four taps', async () => {
  const reason = 'Denied by the guard: this action overwrites the remote branch, including commits of other people.';
  const hooks = ['repo-facts', 'ci-flags', 'style-context'].map((name) => ({ name, decision: 'pass', ms: 4 }) as const);
  await served.add([
    sampleEntry('phone', {
      ...{ at: Date.now(), command: 'git push --force origin main', decision: 'deny', reason },
      hooks: [...hooks, { name: 'guard', decision: 'deny', ms: 4 }],
    }),
  ]);
  const { page, context } = await openTab(chrome.browser, served.link(), { width: 390, height: 844 });
  await page.locator('.row', { hasText: 'git push --force' }).click();
  const why = page.locator('.verdict .sentence');
  await why.waitFor();
  expect(await textOf(why)).toContain('guard denied it: This action overwrites the remote branch');
  const box = await why.boundingBox();
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(844);
  const process = waiting('deploy --to production phone');
  await page.getByRole('link', { name: /^Approvals/ }).click();
  await page.locator('.tk', { hasText: 'production phone' }).click();
  await page.getByRole('button', { name: 'Approve once' }).click();
  expect((await process).exit).toBe(0);
  await context.close();
});

test('a page that can only look says why, and has no button that settles', async () => {
  const { page, context } = await openTab(chrome.browser, served.link('read'));
  await page.locator('.app').waitFor();
  const process = waiting('deploy --to production four');
  await openTicket(page, 'production four');
  await page.locator('.read-only', { hasText: 'An agent (process 4711)' }).waitFor();
  expect(await page.getByRole('button', { name: /Approve|Deny/ }).count()).toBe(0);
  await page.keyboard.press('a');
  expect(await page.locator('.act-asks').count()).toBe(0);
  const other = await openTab(chrome.browser, served.link());
  await openTicket(other.page, 'production four');
  await other.page.getByRole('button', { name: 'Deny' }).click();
  expect((await process).exit).toBe(2);
  // The page that only looks is told as well.
  await page.locator('.tk-head', { hasText: 'It was denied' }).waitFor();
  await context.close();
  await other.context.close();
});

test('what-if shows who would be asked and how the guard reads it, and runs nothing', async () => {
  const entries = (await served.views.catchUp()).head;
  const { page, context, complaints } = await openTab(chrome.browser, served.link());
  await page.locator('.app').waitFor();
  await page.evaluate(`location.hash = ${JSON.stringify(`#/what-if?root=${encodeURIComponent(served.root)}`)}`);
  await page.locator('#try').fill('git push --force origin production');
  await page.getByRole('button', { name: 'Look' }).click();
  await page.locator('.guard-word', { hasText: 'Denied' }).waitFor();
  await page.locator('.planned').getByRole('button', { name: '1 hook would not' }).click();
  // No person has trusted it yet, so it would not be asked.
  await page.locator('.planned li', { hasText: 'ask-first' }).waitFor();
  await page.locator('#try').fill('{ no JSON');
  await page.getByRole('button', { name: 'Look' }).click();
  await page.locator('.notice.fault', { hasText: 'no valid JSON' }).waitFor();
  expect((await served.views.catchUp()).head).toBe(entries);
  expect(complaints).toEqual([]);
  await context.close();
});

test('a held edit of a file shows the lines that it would change, and an edited input shows those of the edit', async () => {
  const now = Date.now();
  const [sample] = sampleTickets(now);
  if (!sample) throw new Error('There is no sample.');
  const input = { file_path: '/project/deploy.yaml', old_string: 'replicas: 2', new_string: 'replicas: 20' };
  const event = { ...sample.action.event, data: { tool: 'Edit', input } } as typeof sample.action.event;
  const ticket = { ...sample, id: 'ticket-edit', digest: 'sha256:ticket-edit', tool: 'Edit', action: { ...sample.action, event } };
  await served.store.tickets.open(ticket, now);
  const { page, context } = await openTab(chrome.browser, served.link());
  await page.locator('.app').waitFor();
  await page.evaluate("location.hash = '#/approvals/ticket-edit'");
  await page.locator('.file-diff').waitFor();
  expect(await page.locator('.file-diff .m').allTextContents()).toEqual(['− replicas: 2']);
  expect(await page.locator('.file-diff .p').allTextContents()).toEqual(['+ replicas: 20']);
  await page.keyboard.press('e');
  await page.locator('.box textarea').fill(JSON.stringify({ ...input, new_string: 'replicas: 3' }));
  await page.locator('.file-diff .p', { hasText: 'replicas: 3' }).waitFor();
  await context.close();
  const settling = { state: 'denied', at: Date.now(), by: 'mara', note: null, via: 'cli', edit: null };
  await served.store.tickets.settle(ticket.id, settling as unknown as Parameters<typeof served.store.tickets.settle>[1]);
});

test('with a passphrase set the page asks for it each time, a wrong one settles nothing, and the right one lets the process go on', async () => {
  const { stateFolder } = resolveHome({ home: served.home }, {});
  const secret = openSecret(stateFolder);
  secret.set('a long enough phrase');
  try {
    const { page, context } = await openTab(chrome.browser, served.link());
    await page.locator('.app').waitFor();
    const process = waiting('deploy --to production guarded');
    await openTicket(page, 'production guarded');
    const field = page.getByLabel('Passphrase');
    expect(await field.getAttribute('type')).toBe('password');
    const approve = page.getByRole('button', { name: 'Approve once' });
    await approve.click();
    await page.locator('.act-problem', { hasText: 'Enter the passphrase first.' }).waitFor();
    await field.fill('a wrong phrase');
    await approve.click();
    await page.locator('.act-problem', { hasText: 'The passphrase is wrong.' }).waitFor();
    expect(await field.inputValue()).toBe('');
    expect(await served.store.tickets.count({ state: 'open' }, Date.now())).toBe(1);
    await field.fill('a long enough phrase');
    await approve.click();
    const { exit, stdout } = await process;
    expect(exit).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ decision: 'allow', approval: { state: 'approved' } });
    await context.close();
  } finally {
    secret.remove();
  }
});
