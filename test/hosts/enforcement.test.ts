/** A denied call that ran nevertheless shows: in the outcome, in the log, and to whoever reads stderr. */
import { expect, test } from 'vitest';
import { createHostAnswerer } from '../../src/api/host-answer.ts';
import type { Hookline } from '../../src/index.ts';
import { createWorkspace } from '../workspace.ts';

const CALL = { tool: 'Bash', input: { command: 'rm -rf build' } };

async function denying(): Promise<{ first: Hookline; second: () => Promise<Hookline> }> {
  const workspace = createWorkspace();
  const store = `sqlite:${workspace.at('~/log.db')}`;
  const first = await workspace.open({ store });
  first.on('tool.before', () => ({ decision: 'deny', reason: 'off limits' }));
  const second = async () => {
    const other = await workspace.open({ store });
    // In the record: somebody is asked about what ran.
    other.on('tool.after', () => undefined);
    other.on('tool.error', () => undefined);
    return other;
  };
  return { first, second };
}

const codes = (outcome: { readonly diagnostics: readonly { readonly code: string }[] }): string[] =>
  outcome.diagnostics.map(({ code }) => code);

test('another process that hears of the run raises the alarm, by the id of the call', async () => {
  const { first, second } = await denying();
  await first.fire('tool.before', { ...CALL, toolUseId: 'u1' }, { session: 's' });
  const other = await second();
  expect(codes(await other.fire('tool.after', { ...CALL, toolUseId: 'u1', result: 'ok' }, { session: 's' }))).toEqual(['denied-but-ran']);
  expect(JSON.stringify((await other.log.list({ session: 's' })).at(-1)?.outcome)).toContain('denied-but-ran');
  expect(codes(await other.fire('tool.after', { ...CALL, toolUseId: 'u2', result: 'ok' }, { session: 's' }))).toEqual([]);
  expect(codes(await other.fire('tool.after', { ...CALL, toolUseId: 'u1', result: 'ok' }, { session: 'elsewhere' }))).toEqual([]);
});

test('without an id it is known by the tool and its input, secrets masked', async () => {
  const { first, second } = await denying();
  const input = { command: 'deploy', password: 'hunter2' };
  await first.fire('tool.before', { tool: 'Bash', input }, { session: 's' });
  const other = await second();
  expect(codes(await other.fire('tool.after', { tool: 'Bash', input, result: 'ok' }, { session: 's' }))).toEqual(['denied-but-ran']);
  expect(codes(await other.fire('tool.after', { tool: 'Bash', input: { command: 'ls' }, result: 'ok' }, { session: 's' }))).toEqual([]);
});

test('the latest judgement counts: what was let through later may run', async () => {
  const { first, second } = await denying();
  await first.fire('tool.before', CALL, { session: 's' });
  const other = await second();
  other.on('tool.before', () => ({ decision: 'allow' }));
  await other.fire('tool.before', CALL, { session: 's' });
  expect(codes(await other.fire('tool.after', { ...CALL, result: 'ok' }, { session: 's' }))).toEqual([]);
});

test('a refusal that an agent reports as an error of the tool is no run', async () => {
  const { first, second } = await denying();
  await first.fire('tool.before', CALL, { session: 's' });
  const other = await second();
  expect(codes(await other.fire('tool.error', { ...CALL, error: 'Blocked by hook: off limits' }, { session: 's' }))).toEqual([]);
  expect(codes(await other.fire('tool.error', { ...CALL, error: 'no such file' }, { session: 's' }))).toEqual(['denied-but-ran']);
});

test('where nobody is asked it is looked up only if the store is open anyway', async () => {
  const { first } = await denying();
  await first.fire('tool.before', CALL, { session: 's' });
  expect(codes(await first.fire('tool.after', { ...CALL, result: 'ok' }, { session: 's' }))).toEqual(['denied-but-ran']);
});

test('a host hears of it on stderr', async () => {
  const { first, second } = await denying();
  const call = { session_id: 's', cwd: '/tmp', turn_id: 't', tool_name: 'Bash', tool_input: CALL.input, tool_use_id: 'u1' };
  await createHostAnswerer(first)('codex', JSON.stringify({ ...call, hook_event_name: 'PreToolUse' }));
  const { stderr, exit } = await createHostAnswerer(await second())(
    'codex',
    JSON.stringify({ ...call, hook_event_name: 'PostToolUse', tool_response: 'ok' }),
  );
  expect({ exit, stderr }).toMatchObject({ exit: 0, stderr: expect.stringContaining('the agent reports that it ran') });
});
