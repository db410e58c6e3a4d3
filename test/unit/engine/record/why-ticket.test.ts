/** What the log tells of people: who settled a ticket, how, and what became of the approval. */
import { describe, expect, test } from 'vitest';
import type { TicketRecord } from '../../../../src/core/contracts/store.ts';
import { explainEntry } from '../../../../src/engine/record/why.ts';
import { entry, held, settled, ticket, told } from './entries.ts';

test('a person is named with when, from where and in which words; the approval with what became of it', () => {
  const approved: TicketRecord = { ...ticket, ...settled, state: 'approved' };
  const text = told(held, approved);
  expect(text).toContain('ana approved ticket t1 at 2026-01-31T13:00:00.000Z on the command line, saying "fine".');
  expect(text).toContain('The next identical call passes once, until 2026-02-01T12:00:00.000Z');
  expect(told(held, { ...approved, releasedAt: Date.UTC(2026, 0, 31, 14) })).toContain(
    'was used at 2026-01-31T14:00:00.000Z and does not count again',
  );
  const edited = told(held, { ...approved, edit: { command: 'deploy --dry-run --token hunter2hunter2' } });
  expect(edited).toContain('deploy --dry-run');
  expect(edited).not.toContain('hunter2');
});

test('each end of a ticket is told as what it is: expiry is no denial', () => {
  expect(told(held, ticket)).toContain('hookline approvals show t1');
  expect(told(held, { ...ticket, ...settled, state: 'denied' })).toContain('ana denied ticket t1');
  expect(told(held, { ...ticket, ...settled, state: 'withdrawn' })).toContain('ana withdrew ticket t1');
  const expired = told(held, { ...ticket, state: 'expired' });
  expect(expired).toContain('No person settled it in time, and no person denied it');
  expect(expired).toContain('for a new ticket');
  expect(told(held)).toContain('Its ticket t1 is no longer in this store.');
});

describe('the person who settled a ticket', () => {
  const denied: TicketRecord = { ...ticket, ...settled, state: 'denied' };

  test('is named with the way that was used, as far as it is known', () => {
    const first = (more: Partial<TicketRecord>) =>
      explainEntry(held, { ...denied, ...more }).find((text) => text.includes('denied ticket'));
    const start = 'ana denied ticket t1 at 2026-01-31T13:00:00.000Z';
    expect(first({})).toBe(`${start} on the command line, saying "fine".`);
    expect(first({ via: 'api', note: '' })).toBe(`${start} in a program.`);
    expect(first({ via: 'slack', note: null })).toBe(`${start} by way of slack.`);
    expect(first({ via: 'toString', note: null })).toBe(`${start} by way of toString.`);
    expect(first({ via: null, note: null, by: null, settledAt: null })).toBe('Somebody denied ticket t1.');
  });

  test('does not make the log tell a secret of the note', () => {
    expect(told(held, { ...denied, note: 'use --token hunter2hunter2' })).not.toContain('hunter2');
  });

  test('is told of the use of an approval in the words of the entry: the held one, or the one it released', () => {
    const used: TicketRecord = { ...denied, state: 'approved', releasedAt: Date.UTC(2026, 0, 31, 14) };
    expect(told(held, used)).toContain('The approval was used at 2026-01-31T14:00:00.000Z');
    expect(told(entry({ ticket: 't1' }), used)).toContain('That approval was used for this at 2026-01-31T14:00:00.000Z');
    expect(told(held, used)).not.toContain('It was approved with another input');
  });

  test('is not looked for where there was no ticket', () => {
    expect(explainEntry(entry({}), ticket).join()).not.toContain('Ticket t1 is still open');
    expect(told(held, ticket)).toContain('Ticket t1 is still open, until 2026-02-01T12:00:00.000Z. No person has settled it yet.');
  });
});
