/** Channels and schedules in a living agent: what enters by them, in which session, and what leaves. */
import { utimesSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { cron, heartbeat, httpChannel, terminalChannel, watchDocuments } from '../../../src/agent.ts';
import { createScene } from '../../support/agents.ts';
import { POLL } from '../../support/patience.ts';
import { createWorkspace } from '../../support/workspace.ts';
import { manualTimers } from './schedule/manual-timers.ts';

const MINUTE = 60_000;

test('a program speaks to the agent over HTTP, and the hooks see its channel and user', async () => {
  const http = httpChannel();
  const { agent, payloads } = await createScene({ steps: ['Hello Ann.'], channels: [http] });
  await agent.start();
  const headers = { authorization: `Bearer ${http.token}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ text: 'Hello.', session: 's-1', user: 'ann' });
  const response = await fetch(`${http.address?.url}/v1/messages`, { method: 'POST', headers, body });
  expect(await response.json()).toMatchObject({ session: 's-1', status: 'done', text: 'Hello Ann.', messages: ['Hello Ann.'] });
  expect(payloads('message.received')).toMatchObject([{ channel: 'http', user: 'ann', content: 'Hello.' }]);
  expect(payloads('message.sent')).toMatchObject([{ channel: 'http', content: 'Hello Ann.' }]);
  await agent.stop();
  await http.closed;
});

test('a message that a hook rewrites leaves the terminal channel as it was rewritten', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const terminal = terminalChannel({ input, output });
  const { agent } = await createScene({
    ...{ steps: ['The password is tulip.'], channels: [terminal] },
    hooks: (hookline) => void hookline.on('message.sending', () => ({ rewrite: '(redacted)' })),
  });
  await agent.start();
  input.end('What is it?\n');
  await terminal.closed;
  expect(String(output.read())).toBe('(redacted)\n');
});

test('a heartbeat runs in the main session and is silent if it has nothing to say, and cron runs in a fresh session', async () => {
  const timers = manualTimers('2026-01-01T08:50:00Z');
  const sent: string[] = [];
  const channel = { name: 'room', start() {}, stop() {}, send: ({ text }: { text: string }) => void sent.push(text) };
  const { agent, events } = await createScene({
    ...{ steps: ['HEARTBEAT_OK', 'The report.', 'Something is wrong.'], channels: [channel] },
    schedule: [
      heartbeat({ every: '5m', text: 'Look around.', channel: 'room', timers }),
      cron([{ name: 'report', at: '56 8 * * *', text: 'Write the report.', channel: 'room' }], { timeZone: 'UTC', timers }),
    ],
  });
  await agent.start();
  const turns = () => events.flatMap((event) => (event.type === 'turn' ? [event.turn] : []));
  timers.pass(5 * MINUTE);
  await expect.poll(() => turns().length, POLL).toBe(1);
  expect(sent).toEqual([]);
  timers.pass(MINUTE);
  await expect.poll(() => turns().length, POLL).toBe(2);
  timers.pass(4 * MINUTE);
  await expect.poll(() => turns().length, POLL).toBe(3);
  expect(sent).toEqual(['The report.', 'Something is wrong.']);
  const [first, second, third] = turns().map(({ session }) => session);
  expect([first, third]).toEqual(['main', 'main']);
  expect(second).toMatch(/^cron-report-/);
  await agent.stop();
  expect(timers.waiting).toBe(0);
});

test('a document that changes fires docs.sync, and its text joins the next turn once', async () => {
  const workspace = createWorkspace({ 'plan.md': 'one' });
  const timers = manualTimers();
  const { agent, fired, payloads, script } = await createScene({
    ...{ workspace, steps: ['a', 'b', 'c'] },
    schedule: [watchDocuments(['plan.md'], { root: workspace.root, every: '1s', timers })],
  });
  await agent.send('First.');
  workspace.write({ 'plan.md': 'Ship on Monday.' });
  utimesSync(workspace.at('plan.md'), 1_700_000_000, 1_700_000_000);
  timers.pass(5000);
  await expect.poll(() => fired(), POLL).toContain('docs.sync');
  expect(payloads('docs.sync')).toMatchObject([{ content: 'Ship on Monday.', metadata: { path: 'plan.md' } }]);
  await agent.send('Second.');
  await agent.send('Third.');
  const mentions = script.prompts.map((prompt) => prompt.split('Ship on Monday.').length - 1);
  expect([mentions[0], mentions[1]]).toEqual([0, 1]);
  expect(mentions[2]).toBeLessThanOrEqual(1);
});

test('a model that is only named is opened by the registry, and a turn says what is missing', async () => {
  const { agent } = await createScene({ model: 'mistral:large' });
  const turn = await agent.send('Hello.');
  expect(turn.status).toBe('failed');
  expect(turn.reason).toContain('`@ai-sdk/mistral`');
});
