import { expect, test } from 'vitest';
import { lostText, renderSettled, renderTicket, renderTickets } from '../../../../src/cli/decisions/print-tickets.ts';
import { createStyle } from '../../../../src/cli/print/style.ts';
import { widthOf } from '../../../../src/cli/print/text.ts';
import type { TicketRecord } from '../../../../src/core/contracts/store.ts';

const style = createStyle({ colour: false, columns: 110 });
const NOW = Date.UTC(2026, 0, 31, 12);
const HOUR = 3_600_000;
const gate = {
  id: 'agenthooks:gate',
  name: 'gate',
  dialect: 'agenthooks',
  event: 'before_tool',
  handler: 'command',
  source: { file: '.agents/hooks/gate/HOOK.md', line: 2, scope: 'project' },
  status: 'answered',
  decision: 'ask',
  reason: 'deploys need eyes',
} as const;

function ticket(
  parts: Partial<TicketRecord> = {},
  input: Record<string, string> = { command: 'deploy --token hunter2hunter2' },
): TicketRecord {
  return {
    id: 'mwiec5not0ub6kfyat-1',
    state: 'open',
    digest: 'sha256:d',
    kind: 'tool.before',
    tool: 'Bash',
    session: 's1',
    root: '/app',
    reason: 'deploys need eyes',
    openedAt: NOW - 5 * 60_000,
    expiresAt: NOW + 2 * HOUR,
    settledAt: null,
    by: null,
    note: null,
    via: null,
    edit: null,
    releasedAt: null,
    action: {
      event: { id: 'o1', kind: 'tool.before', at: '', session: { id: 's1', cwd: '/app/sub' }, data: { tool: 'Bash', input } },
      heldBy: [gate],
      waiting: ['agenthooks:later'],
      reports: [gate, { ...gate, id: 'other', name: 'other', decision: 'pass' }],
      sum: {},
    },
    ...parts,
  };
}

test('the table shows what waits, why, who holds it and where, its age and the time left, and no secret', () => {
  const shown = renderTickets([ticket()], false, NOW, style);
  for (const part of [
    'mwiec5not0ub6kfyat-1',
    '2 h',
    '5 min',
    'Bash  {"command":"deploy --token [redacted]"}',
    'deploys need eyes',
    'gate .agents/hooks/gate/HOOK.md:2',
    '/app',
  ])
    expect(shown).toContain(part);
  expect(shown).not.toContain('hunter2');
  expect(renderTickets([], false, NOW, style)).toContain('No action is held');
});

test('the less time is left, the louder', () => {
  const loud = createStyle({ colour: true, columns: 110 });
  const left = (ms: number): string => renderTickets([ticket({ expiresAt: NOW + ms })], false, NOW, loud);
  expect(left(5 * 60_000)).toContain('\x1b[31m5 min');
  expect(left(30 * 60_000)).toContain('\x1b[33m30 min');
  expect(left(5 * HOUR)).toContain('\x1b[32m5 h');
});

test('lines keep to the width of the terminal, and nothing in a ticket can repaint it', () => {
  const nasty = '\x1b[2J\x1b]0;owned\x07\r\u202eok ';
  const bad = ticket({ reason: nasty.repeat(30), tool: nasty, note: nasty, by: nasty, state: 'denied' }, { [nasty]: nasty.repeat(30) });
  for (const columns of [40, 110]) {
    const narrow = createStyle({ colour: false, columns });
    const table = renderTickets([bad], true, NOW, narrow);
    for (const text of [table, renderTicket(bad, NOW, '', narrow), renderSettled(bad, NOW, narrow)])
      expect(text).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]/);
  }
  for (const line of renderTickets([ticket({ reason: 'because '.repeat(60) })], false, NOW, style).split('\n'))
    expect(widthOf(line)).toBeLessThanOrEqual(110);
});

test('one ticket is shown with everything a person needs to decide, and what to type next', () => {
  const shown = renderTicket(ticket(), NOW, ' --store sqlite:x.db', style);
  for (const part of [
    '2 h left',
    '"command": "deploy --token [redacted]"',
    'wants a person to be asked: deploys need eyes',
    '.agents/hooks/gate/HOOK.md:2',
    'other  agenthooks',
    'releases exactly this, once: Bash with the input above, in /app/sub',
    '1 hook that had not run yet',
    'hookline approvals approve mwiec5not0ub6kfyat-1 --store sqlite:x.db',
  ])
    expect(shown.replaceAll(/\s*\n\s*/g, ' ')).toContain(part);
  expect(shown).not.toContain('hunter2');
});

test('whoever comes late is told who was first; expiry is told as expiry', () => {
  const late = lostText(ticket({ state: 'denied', by: 'ana', via: 'cli', settledAt: NOW - 60_000 }), NOW);
  expect(late.message).toMatch(/was already denied by ana \(cli\) at .*, 1 min ago/);
  const expired = lostText(ticket({ state: 'expired', expiresAt: NOW - 1 }), NOW);
  expect(expired.message).toMatch(/expired at .* without a decision/);
  expect(expired.message).not.toMatch(/deni/);
});

test('an approval says what follows from it', () => {
  const approved = { state: 'approved', by: 'ana' } as const;
  expect(renderSettled(ticket(approved), NOW, style)).toContain('The next identical call passes, once, until');
  const edited = renderSettled(ticket({ ...approved, edit: { command: 'x' } }), NOW, style);
  expect(edited.replaceAll(/\s+/g, ' ')).toContain('All hooks judge that input again');
});
