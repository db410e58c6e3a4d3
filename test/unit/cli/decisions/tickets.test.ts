import { expect, test } from 'vitest';
import { ANN } from '../../../../src/api/testing/sample-records.ts';
import { lostText, renderSettled, renderTicket, renderTickets, type TicketPage } from '../../../../src/cli/decisions/print-tickets.ts';
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

/** All tickets on one page. */
function pageOf(tickets: readonly TicketRecord[], states: boolean): TicketPage {
  return { tickets, hasNext: false, all: tickets.length, open: tickets.filter(({ state }) => state === 'open').length, states };
}

test('a page tells how many tickets there are, and how to see the next ones', () => {
  const page = { ...pageOf([ticket()], false), all: 250, open: 250 };
  const shown = renderTickets({ ...page, hasNext: true }, NOW, style);
  expect(shown).toContain('250 actions wait for a person');
  expect(shown).toContain('1 of 250. Next page: `--after mwiec5not0ub6kfyat-1`. `--json` lists all of them.');
  expect(renderTickets(page, NOW, style)).toContain('1 of 250. `--json` lists');
  expect(renderTickets(pageOf([ticket()], false), NOW, style)).not.toContain('--json');
  expect(renderTickets({ ...page, tickets: [] }, NOW, style)).toContain('There are no more tickets');
});

test('the table shows what waits, why, who holds it and where, its age and the time left, and no secret', () => {
  const shown = renderTickets(pageOf([ticket()], false), NOW, style);
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
  expect(renderTickets(pageOf([], false), NOW, style)).toContain('No action is held');
});

test('the less time is left, the louder', () => {
  const loud = createStyle({ colour: true, columns: 110 });
  const left = (ms: number): string => renderTickets(pageOf([ticket({ expiresAt: NOW + ms })], false), NOW, loud);
  expect(left(5 * 60_000)).toContain('\x1b[31m5 min');
  expect(left(30 * 60_000)).toContain('\x1b[33m30 min');
  expect(left(5 * HOUR)).toContain('\x1b[32m5 h');
});

test('lines keep to the width of the terminal, and nothing in a ticket can repaint it', () => {
  const nasty = '\x1b[2J\x1b]0;owned\x07\r\u202eok ';
  const bad = ticket({ reason: nasty.repeat(30), tool: nasty, note: nasty, by: nasty, state: 'denied' }, { [nasty]: nasty.repeat(30) });
  for (const columns of [40, 110]) {
    const narrow = createStyle({ colour: false, columns });
    const table = renderTickets(pageOf([bad], true), NOW, narrow);
    for (const text of [table, renderTicket(bad, NOW, '', narrow), renderSettled(bad, NOW, narrow)])
      expect(text).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]/);
  }
  for (const line of renderTickets(pageOf([ticket({ reason: 'because '.repeat(60) })], false), NOW, style).split('\n'))
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

const flat = (text: string): string => text.replaceAll(/\s+/g, ' ');

test('a ticket says whose action it is, in the table and alone, and for whom an approval counts', () => {
  const held = ticket({ who: { ...ANN, agent: 'reviewer', project: { ...ANN.project, commit: 'abcdef0123456789'.repeat(2) } } });
  for (const text of [renderTickets(pageOf([held], false), NOW, style), renderTicket(held, NOW, '', style)]) {
    expect(flat(text)).toContain('ann on laptop');
    expect(flat(text)).toContain('an-agent 1.2, reviewer');
  }
  const shown = flat(renderTicket(held, NOW, '', style));
  for (const part of [
    'user 1000, machine machine-1',
    'https://example.com/x.git at abcdef012345',
    'It counts for ann on laptop alone',
    '`--anyone`',
  ])
    expect(shown).toContain(part);
});

test('a settled ticket names the account beside the name that was given, and says if it counts for anyone', () => {
  const settled = ticket({ state: 'approved', by: 'the boss', via: 'cli', settledAt: NOW, settledBy: ANN, anyone: true });
  expect(flat(renderTicket(settled, NOW, '', style))).toContain('by the boss (ann on laptop, cli)');
  for (const text of [renderTicket(settled, NOW, '', style), renderSettled(settled, NOW, style)])
    expect(flat(text)).toContain('for everyone who works on this store');
  const { anyone: _, ...own } = settled;
  expect(flat(renderSettled(own, NOW, style))).not.toContain('everyone');
});

test('a denial says how long it holds, and a ticket that ended with it says no more', () => {
  const denied = ticket({ state: 'denied', by: 'ana' });
  for (const text of [renderSettled(denied, NOW, style), renderTicket(denied, NOW, '', style), lostText(denied, NOW).hint])
    expect(flat(text)).toContain('denied again until');
  const over = { ...denied, expiresAt: NOW };
  for (const text of [renderSettled(over, NOW, style), renderTicket(over, NOW, '', style), lostText(over, NOW).hint])
    expect(flat(text)).not.toContain('denied again until');
});

test('whoever approved in the last moment is told so, and not that a later call passes', () => {
  const shown = flat(renderSettled(ticket({ state: 'approved', by: 'ana', expiresAt: NOW - 1 }), NOW, style));
  expect(shown).toContain('last moment');
  expect(shown).not.toContain('next identical call passes');
});

test('nothing that an agent says of itself can repaint the terminal', () => {
  const nasty = '\x1b[2J\r\u202eok';
  const bad = ticket({
    who: { ...ANN, osUser: nasty, agent: nasty, machine: { id: nasty, name: nasty }, project: { root: '/', remote: nasty } },
    settledBy: { ...ANN, osUser: nasty },
  });
  for (const text of [renderTickets(pageOf([bad], true), NOW, style), renderTicket(bad, NOW, '', style)])
    expect(text).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]/);
});
