/** What a caller says of one call: who acts, where and for whom, and the variables of its command hooks. It grants nothing. */
import { expect, test } from 'vitest';
import type { FireContext } from '../../../src/index.ts';
import { createWorkspace } from '../../support/workspace.ts';

const tool = { tool: 'Bash', input: { command: 'ls' } };
const said = { agent: 'deployer', channel: 'slack', user: 'ann', depth: 2 };

test('fills the payload where it says nothing, and the payload wins', async () => {
  const hookline = await createWorkspace().open({ agent: 'main' });
  const seen: unknown[] = [];
  hookline.on('tool.before', ({ data }) => void seen.push(data));
  await hookline.fire('tool.before', tool, said);
  await hookline.fire('tool.before', { ...tool, user: 'bob', agent: 'own' }, said);
  await hookline.fire({ as: 'claude-code', event: 'PreToolUse', payload: { tool_name: 'Bash', tool_input: tool.input } }, said);
  await hookline.fire('tool.before', tool, {});
  expect(seen).toEqual([
    { ...tool, ...said },
    { ...tool, ...said, user: 'bob', agent: 'own' },
    { ...tool, ...said },
    { ...tool, agent: 'main' },
  ]);
});

test('matches hooks that are limited to a channel', async () => {
  const hookline = await createWorkspace().open();
  hookline.on('message.sending', () => ({ decision: 'deny', reason: 'Not here.' }), { match: '^slack$' });
  expect((await hookline.fire('message.sending', { content: 'hi' }, { channel: 'slack' })).decision).toBe('deny');
  expect((await hookline.fire('message.sending', { content: 'hi' }, { channel: 'mail' })).decision).toBe('pass');
});

test('a user identifies no one: an approval for one user is not used by another, and the log names the account', async () => {
  const hookline = await createWorkspace().open({ log: { record: 'all' } });
  hookline.on('tool.before', () => ({ decision: 'hold', reason: 'Wait.' }));
  const held = await hookline.fire('tool.before', tool, { user: 'ann' });
  if (held.decision !== 'hold') throw new Error(held.decision);
  expect((await hookline.approvals.get(held.ticket.id))?.by).toBe(null);
  await hookline.approvals.approve(held.ticket.id, { by: 'boss' });
  expect((await hookline.fire('tool.before', tool, { user: 'bob' })).decision).toBe('hold');
  expect((await hookline.fire('tool.before', tool, { user: 'ann' })).decision).toBe('allow');
  const entries = (await hookline.log.list({})).filter(({ kind }) => kind === 'tool.before');
  expect(entries.map(({ who }) => JSON.stringify(who ?? null).includes('"ann"'))).toEqual(entries.map(() => false));
});

test('variables reach the command hooks of this call alone, as far as the policy lets hooks see them', async () => {
  const hook = { type: 'command', command: 'printf "%s" "$DEPLOY_TARGET" >&2; exit 2' };
  const workspace = createWorkspace({ '.claude/settings.json': JSON.stringify({ hooks: { PreToolUse: [{ hooks: [hook] }] } }) });
  const reason = async (names: string[], context: FireContext) => {
    const hookline = await workspace.open({ environment: { policy: 'allow', names } });
    return (await hookline.fire('tool.before', tool, context)).reason;
  };
  const env = { DEPLOY_TARGET: 'staging' };
  expect(await reason(['DEPLOY_TARGET'], { env })).toBe('staging');
  expect(await reason(['DEPLOY_TARGET'], {})).not.toBe('staging');
  expect(await reason([], { env })).not.toBe('staging');
  const hookline = await workspace.open();
  await expect(hookline.fire('tool.before', tool, { env: { A: 1 as never } })).rejects.toMatchObject({ code: 'bad-option' });
});
