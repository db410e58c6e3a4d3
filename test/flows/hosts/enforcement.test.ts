/** A denied call that ran nevertheless shows: in the outcome, in the log, and to whoever reads stderr. */
import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Hookline } from '../../../src/index.ts';
import { answererFor, createWorkspace } from '../../support/workspace.ts';

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

describe('where nobody is asked about what ran', () => {
  test('it is looked up in the engine that refused, and in any other one', async () => {
    const workspace = createWorkspace();
    const store = `sqlite:${workspace.at('~/log.db')}`;
    const first = await workspace.open({ store });
    first.on('tool.before', () => ({ decision: 'deny', reason: 'off limits' }));
    await first.fire('tool.before', CALL, { session: 's' });
    const ran = { ...CALL, result: 'ok' };
    expect(codes(await first.fire('tool.after', ran, { session: 's' }))).toEqual(['denied-but-ran']);
    const other = await workspace.open({ store });
    expect(codes(await other.fire('tool.after', ran, { session: 's' }))).toEqual(['denied-but-ran']);
    expect((await other.log.list({ session: 's' })).map(({ kind }) => kind)).toEqual(['tool.before', 'tool.after', 'tool.after']);
  });

  test('the store is not opened in a session in which nothing was refused', async () => {
    const workspace = createWorkspace();
    const store = `sqlite:${workspace.at('~/log.db')}`;
    const hookline = await workspace.open({ store });
    await hookline.fire('tool.after', { ...CALL, result: 'ok' }, { session: 's' });
    expect(existsSync(workspace.at('~/log.db'))).toBe(false);
  });

  test('a store that can not be opened is said', async () => {
    const workspace = createWorkspace();
    const first = await workspace.open({ store: `sqlite:${workspace.at('~/log.db')}` });
    first.on('tool.before', () => ({ decision: 'hold', reason: 'wait' }));
    await first.fire('tool.before', CALL, { session: 's' });
    const other = await workspace.open({ store: `sqlite:${workspace.root}` });
    const outcome = await other.fire('tool.after', { ...CALL, result: 'ok' }, { session: 's' });
    expect(outcome).toMatchObject({ decision: 'pass', diagnostics: [{ code: 'log-failed', severity: 'error' }] });
  });

  test('that it could not be noted is said with the refusal', async () => {
    const workspace = createWorkspace();
    workspace.write({ '~/.local/state/hookline/refused': 'in the way' });
    const hookline = await workspace.open({ store: `sqlite:${workspace.at('~/log.db')}` });
    hookline.on('tool.before', () => ({ decision: 'deny', reason: 'no' }));
    expect(await hookline.fire('tool.before', CALL, { session: 's' })).toMatchObject({
      decision: 'deny',
      diagnostics: [{ code: 'denial-not-noted', severity: 'warning' }],
    });
  });
});

test('a host hears of it on stderr', async () => {
  const { first, second } = await denying();
  const call = { session_id: 's', cwd: '/tmp', turn_id: 't', tool_name: 'Bash', tool_input: CALL.input, tool_use_id: 'u1' };
  await answererFor(first)('codex', JSON.stringify({ ...call, hook_event_name: 'PreToolUse' }));
  const { stderr, exit } = await answererFor(await second())(
    'codex',
    JSON.stringify({ ...call, hook_event_name: 'PostToolUse', tool_response: 'ok' }),
  );
  expect({ exit, stderr }).toMatchObject({ exit: 0, stderr: expect.stringContaining('the agent reports that it ran') });
});
