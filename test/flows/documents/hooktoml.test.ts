/** The document of hooktoml: what its three kinds of actions can do on each modifying event, and what its conditions look at. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { profile } from '../../../src/agents/hooktoml/profile.ts';
import type { EventKind } from '../../../src/core/event/event.ts';
import { kindRule } from '../../../src/core/event/event.ts';
import { createWorkspace } from '../../support/workspace.ts';

const MODIFYING = Object.entries(profile.events).flatMap(([event, { run, kinds }]) => {
  const kind = kinds[0] as EventKind;
  const { key, type } = kindRule(kind).rewrites ?? { key: '', type: 'text' };
  return run === 'detach' ? [] : [{ event, kind, key, native: key === 'input' ? 'args' : key, type }];
});
const valueFor = (type: string, text: string) => (type === 'object' ? { cmd: text } : text);
const toml = (trigger: string, action: string, name = 'gate', more = '') => ({
  [`hooks/${name}/HOOK.toml`]: `[hook]\nname = "${name}"\nevent = "${trigger}"\n${more}\n${action}\n`,
});
const shell = (line: string) => `[hook.action.shell]\ncommand = ${JSON.stringify(line)}`;
const prints = (value: unknown) => shell(`echo '${JSON.stringify(value)}'`);

async function fire(files: Record<string, string>, kind: EventKind, data: object) {
  const hookline = await createWorkspace(files).open();
  return hookline.fire(kind as 'gateway.start', data);
}

function payload({ kind, key, type }: (typeof MODIFYING)[number]): object {
  return { ...(kind === 'tool.before' && { tool: 'shell' }), [key]: valueFor(type, 'old') };
}

test('there are eight modifying events', () => expect(MODIFYING).toHaveLength(8));

test.each(MODIFYING)('a shell action cancels $event by its answer and by exit code 2', async (row) => {
  const answer = await fire(toml(row.event, prints({ cancel: true, reason: 'not now' })), row.kind, payload(row));
  expect(answer).toMatchObject({ decision: 'deny', reason: 'not now' });
  const exit = await fire(toml(row.event, shell('echo blocked >&2; exit 2')), row.kind, payload(row));
  expect(exit).toMatchObject({ decision: 'deny', reason: 'blocked' });
});

test.each(MODIFYING)('a shell action changes $native of $event, and the next hook sees it', async (row) => {
  const files = {
    ...toml(row.event, prints({ [row.native]: valueFor(row.type, 'new') }), 'a-first', 'priority = 9'),
    ...toml(row.event, shell(`grep -q new && exit 0; echo unchanged >&2; exit 2`), 'b-second'),
  };
  expect(await fire(files, row.kind, payload(row))).toMatchObject({ decision: 'pass', rewrite: valueFor(row.type, 'new') });
});

test.each(MODIFYING)('an http action cancels and changes $event', async (row) => {
  for (const [reply, expected] of [
    [
      { cancel: true, reason: 'closed' },
      { decision: 'deny', reason: 'closed' },
    ],
    [{ [row.native]: valueFor(row.type, 'new') }, { decision: 'pass', rewrite: valueFor(row.type, 'new') }],
  ] as const) {
    const url = await answering(reply);
    expect(await fire(toml(row.event, `[hook.action.http]\nurl = "${url}"`), row.kind, payload(row))).toMatchObject(expected);
  }
});

test.each(MODIFYING)('prompt_inject works on $event if that has a prompt or a message, and is an error otherwise', async (row) => {
  const hookline = await createWorkspace(toml(row.event, '[hook.action.prompt_inject]\ncontent = "Be brief."')).open();
  const hasText = row.key === 'prompt' || row.key === 'content';
  expect((await hookline.list()).hooks).toHaveLength(hasText ? 1 : 0);
  if (!hasText) return expect(hookline.diagnostics).toMatchObject([{ severity: 'error', code: 'no-effect' }]);
  expect(await hookline.fire(row.kind as 'prompt.build', payload(row) as never)).toMatchObject({ rewrite: 'Be brief.\nold' });
});

test.each<[string, EventKind, object, boolean]>([
  ['before_tool_call', 'tool.before', { tool: 'shell', input: { a: { b: ['x', 'rm -rf /tmp'] } } }, true],
  ['before_tool_call', 'tool.before', { tool: 'shell', input: { cmd: 'ls' } }, false],
  ['before_tool_call', 'tool.before', { tool: 'rm -rf', input: { cmd: 'ls' } }, false],
  ['before_prompt_build', 'prompt.build', { prompt: 'say rm -rf' }, true],
  ['before_prompt_build', 'prompt.build', { prompt: 'say hello' }, false],
  ['on_message_received', 'message.received', { content: 'rm -rf' }, true],
  ['before_llm_call', 'llm.before', { input: [{ role: 'user', content: 'rm -rf' }] }, true],
  ['before_llm_call', 'llm.before', { input: [{ role: 'user', content: 'hi' }] }, false],
])('a pattern on %s looks at the text of %s in %j: %s', async (event, kind, data, fires) => {
  const files = toml(event, `${shell('exit 2')}\n[hook.conditions]\npattern = "rm -rf"`);
  expect((await fire(files, kind, data)).decision).toBe(fires ? 'deny' : 'pass');
});

test('channel and user can be given with every event, and conditions test them', async () => {
  const files = toml('before_tool_call', `${shell('exit 2')}\n[hook.conditions]\nchannels = ["telegram"]\nusers = ["admin"]`);
  const hookline = await createWorkspace(files).open();
  const decide = async (more: { channel?: string; user?: string }) =>
    (await hookline.fire('tool.before', { tool: 'shell', input: {}, ...more })).decision;
  expect(await decide({})).toBe('deny');
  expect(await decide({ channel: 'telegram', user: 'admin' })).toBe('deny');
  expect(await decide({ channel: 'discord', user: 'admin' })).toBe('pass');
  expect(await decide({ channel: 'telegram', user: 'bob' })).toBe('pass');
  expect(hookline.diagnostics.map(({ code }) => code)).toEqual(['condition-without-effect', 'condition-without-effect']);
});

async function answering(reply: unknown): Promise<string> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply)));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
}
