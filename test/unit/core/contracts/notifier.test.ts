/** The laws of notices: what leaves the house names the action and hides its secrets. */
import { expect, test } from 'vitest';
import { noticeOf } from '../../../../src/core/contracts/notifier.ts';
import type { TicketRecord } from '../../../../src/core/contracts/store.ts';

const SECRET = `sk-test-${'a1B2'.repeat(12)}`;

const ticket: TicketRecord = {
  id: 'abc-1',
  state: 'open',
  digest: 'sha256:1',
  kind: 'tool.before',
  tool: 'Bash',
  session: 's1',
  root: '/project',
  reason: `pushes with ${SECRET}`,
  openedAt: 1000,
  expiresAt: 2000,
  settledAt: null,
  by: null,
  note: null,
  via: null,
  edit: null,
  releasedAt: null,
  action: {
    event: {
      id: 'e1',
      kind: 'tool.before',
      at: '2026-01-01T00:00:00.000Z',
      session: { id: 's1', cwd: '/project' },
      data: { tool: 'Bash', input: { command: `deploy ${SECRET}`, password: 'hunter2' } },
    },
    heldBy: [
      {
        id: 'h',
        name: `curl -H "Authorization: Bearer ${SECRET}"`,
        dialect: 'd',
        event: 'E',
        handler: 'command',
        source: { file: '/project/hooks.yaml', line: 3, scope: 'project' },
        status: 'answered',
      },
    ],
    waiting: [],
    reports: [],
    sum: {},
  },
};

test('a notice shows the input, the reason and the hooks, and no secret in any of them', () => {
  const notice = noticeOf('ticket.opened', ticket, 1234);
  expect(notice).toMatchObject({
    id: 'abc-1:opened',
    type: 'ticket.opened',
    at: 1234,
    ticket: {
      id: 'abc-1',
      state: 'open',
      tool: 'Bash',
      input: { command: 'deploy [redacted]', password: '[redacted]' },
      masked: ['/input/command', '/input/password'],
      reason: 'pushes with [redacted]',
      heldBy: [{ file: '/project/hooks.yaml', line: 3 }],
    },
  });
  expect(JSON.stringify(notice)).not.toContain(SECRET);
  expect(JSON.stringify(notice)).not.toContain('hunter2');
});

test('what the person said and wants instead is masked as well', () => {
  const settled: TicketRecord = { ...ticket, state: 'approved', by: 'ann', note: `use ${SECRET}`, edit: { command: `x ${SECRET}` } };
  expect(noticeOf('ticket.settled', settled, 1).ticket).toMatchObject({
    by: 'ann',
    note: 'use [redacted]',
    edit: { command: 'x [redacted]' },
    masked: ['/input/command', '/input/password', '/edit/command'],
  });
});

test('the opening and the settling of a ticket are told under different ids, each always the same', () => {
  expect(noticeOf('ticket.opened', ticket, 1).id).toBe(noticeOf('ticket.opened', { ...ticket, state: 'denied' }, 2).id);
  expect(noticeOf('ticket.settled', ticket, 1).id).toBe('abc-1:settled');
});

test('an action without an input is shown by all it carries', () => {
  const event = { ...ticket.action.event, kind: 'stop.before', data: { reason: 'done' } } as const;
  const stop: TicketRecord = { ...ticket, kind: 'stop.before', tool: null, action: { ...ticket.action, event } };
  expect(noticeOf('ticket.opened', stop, 1).ticket.input).toEqual({ reason: 'done' });
});

test('a notice has the states that the hooks suspended the action with, and masks them', () => {
  const [holder] = ticket.action.heldBy;
  if (!holder) throw new Error('a holder was expected');
  const suspended = {
    ...ticket,
    action: { ...ticket.action, heldBy: [holder, { ...holder, name: 'b', state: { step: 2, password: 'hunter2' } }] },
  };
  const notice = noticeOf('ticket.opened', suspended, 1234).ticket;
  expect(notice.pending).toEqual([{ hook: 'b', state: { step: 2, password: '[redacted]' } }]);
  expect(notice.masked).toContain('/pending/0/state/password');
  expect(noticeOf('ticket.opened', ticket, 1234).ticket).not.toHaveProperty('pending');
});
