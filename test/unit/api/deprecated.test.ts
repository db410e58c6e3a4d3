/** Old names of options work and are reported; names that are pinned work without a word. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type AuditEntry, createHookline, type HooklineOptions, type LogEntry } from '../../../src/index.ts';

const base = mkdtempSync(path.join(tmpdir(), 'hookline-names-'));
afterAll(() => rmSync(base, { recursive: true, force: true }));

async function open(options: HooklineOptions) {
  return createHookline({ root: base, home: base, ...options });
}

test.each([
  ['audit.record', 'log.record', { audit: { record: 'all' } }],
  ['audit.onFailure', 'log.onFailure', { audit: { onFailure: 'deny' } }],
  ['audit.keepDays', 'log.keepDays', { audit: { keepDays: 3 } }],
  ['canAnswer', 'approvals.canSettle', { canAnswer: false }],
  ['canSettle', 'approvals.canSettle', { canSettle: false }],
  ['ticketLifeMs', 'approvals.ticketLifeMs', { ticketLifeMs: 1000 }],
  ['notify', 'approvals.notify', { notify: [] }],
  ['onNotifyFailure', 'approvals.onNotifyFailure', { onNotifyFailure: () => {} }],
  ['stopCap', 'limits.stopCap', { stopCap: 2 }],
  ['maxHooks', 'limits.maxHooks', { maxHooks: 2 }],
  ['worker', 'background.worker', { worker: 'add' }],
  ['onDetachedEnd', 'background.onEnd', { onDetachedEnd: () => {} }],
  ['background', 'background.run', { background: { start: () => {}, drain: async () => [] } }],
] as const)('%s is reported as %s', async (old, name, options) => {
  const hookline = await open(options);
  const [notice, ...more] = hookline.diagnostics;
  expect(more).toEqual([]);
  expect(notice).toMatchObject({ severity: 'warning', code: 'deprecated', hint: `Write \`${name}\`.` });
  expect(notice?.message).toContain(`\`${old}\``);
  await hookline.close();
});

test.each([{ log: { record: 'all' } }, { audit: { record: 'all' } }] as const)('%j records every event', async (options) => {
  const hookline = await open({ store: 'memory:', ...options });
  await hookline.fire('tool.before', { tool: 'Bash', input: {} });
  const entries: readonly AuditEntry[] = await hookline.log.list();
  const [entry]: readonly LogEntry[] = entries;
  expect(entry).toMatchObject({ kind: 'tool.before', decision: 'pass' });
  await hookline.close();
});

test('the new name counts where both are given', async () => {
  const hookline = await open({ store: 'memory:', log: { record: 'off' }, audit: { record: 'all' } });
  await hookline.fire('tool.before', { tool: 'Bash', input: {} });
  expect(await hookline.log.list()).toEqual([]);
  await hookline.close();
});

test('the new names are not reported, and count where both are given', async () => {
  const options = { limits: { stopCap: 0, maxHooks: 9 }, approvals: { canSettle: true, ticketLifeMs: 5 }, background: { onEnd: () => {} } };
  const grouped = await open(options);
  expect(grouped.diagnostics).toEqual([]);
  await grouped.close();
  const both = await open({ approvals: { canSettle: false }, canSettle: true, limits: { stopCap: 1 }, stopCap: 0 });
  both.on('tool.before', () => ({ decision: 'ask', reason: 'sure?' }));
  both.on('stop.before', () => ({ decision: 'deny', reason: 'Go on.' }));
  expect(await both.fire('tool.before', { tool: 'Bash', input: {} })).toMatchObject({ decision: 'deny' });
  expect(await both.fire('stop.before', {})).toMatchObject({ decision: 'deny', continue: 'Go on.' });
  await both.close();
  await expect(open({ limits: { stopCap: -1 } })).rejects.toThrow(/`limits.stopCap` must be a whole number/);
  await expect(open({ ticketLifeMs: 0.5 })).rejects.toThrow(/`approvals.ticketLifeMs` must be a whole number/);
});

test.each([{ approvals: { canSettle: false } }, { canSettle: false }, { canAnswer: false }])(
  'with %j no firing waits for a person',
  async (options) => {
    const hookline = await open(options);
    hookline.on('tool.before', () => ({ decision: 'ask', reason: 'sure?' }));
    expect(await hookline.fire('tool.before', { tool: 'Bash', input: {} })).toMatchObject({ decision: 'deny' });
    await hookline.close();
  },
);

test('`only` and `as` are pinned: they work for good, without a word', async () => {
  for (const options of [{ only: ['arawn'] }, { dialects: ['arawn'] }]) {
    const hookline = await open(options);
    expect(hookline.diagnostics).toEqual([]);
    hookline.on('tool.before', () => ({ decision: 'deny', reason: 'no' }));
    const payload = { tool_name: 'Bash', tool_input: { command: 'ls' } };
    for (const named of [{ as: 'claude-agent' }, { dialect: 'claude-agent' }])
      expect(await hookline.fire({ ...named, event: 'PreToolUse', payload })).toMatchObject({ kind: 'tool.before', decision: 'deny' });
    await hookline.close();
  }
  await expect(open({ dialects: ['nope'] })).rejects.toMatchObject({ code: 'unknown-dialect' });
  await expect(open({ only: ['nope'] })).rejects.toMatchObject({ code: 'unknown-dialect' });
});
