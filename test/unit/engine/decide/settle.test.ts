/** The stop cap counts per session, and the words of a settled ticket say who settled it and how. */
import { expect, test } from 'vitest';
import type { TicketRecord } from '../../../../src/core/contracts/store.ts';
import { approvalOf, deniedReason, sentence, settledBefore } from '../../../../src/engine/decide/hold.ts';
import { createStopCap } from '../../../../src/engine/decide/settle.ts';

test('each session has its count, and a higher whole number of the caller is believed', () => {
  const cap = createStopCap();
  expect(cap.count('a', undefined)).toBe(0);
  cap.sentBack('a', 2, 'Go on.');
  expect([cap.count('a', undefined), cap.count('b', undefined)]).toEqual([3, 0]);
  expect([7, 3, 2, 7.5, '7', null, Number.NaN, -1].map((told) => cap.count('a', told))).toEqual([7, 3, 3, 3, 3, 3, 3, 3]);
  cap.reset('b');
  expect(cap.count('a', undefined)).toBe(3);
  cap.reset('a');
  expect(cap.count('a', undefined)).toBe(0);
});

test('a new prompt begins the count anew; the feedback that comes back as a prompt does not', () => {
  const cap = createStopCap();
  cap.sentBack('a', 0, 'Run the tests.');
  cap.sentBack('a', 1, 'Run the linter.');
  for (const own of ['Run the tests.', ' Run the linter.\n']) cap.prompted('a', own);
  expect(cap.count('a', undefined)).toBe(2);
  cap.prompted('a', 'Something else.');
  expect(cap.count('a', undefined)).toBe(0);
});

test('the oldest of ten thousand sessions is forgotten, and only for a new one', () => {
  const cap = createStopCap();
  for (let i = 0; i < 10_000; i++) cap.sentBack(`s${i}`, 0, 'Go on.');
  cap.sentBack('s9999', 1, 'Go on.');
  expect([cap.count('s0', undefined), cap.count('s9999', undefined)]).toEqual([1, 2]);
  cap.sentBack('new', 0, 'Go on.');
  expect([cap.count('s0', undefined), cap.count('s1', undefined), cap.count('new', undefined)]).toEqual([0, 1, 1]);
});

const ticket = (more: Partial<TicketRecord>): TicketRecord =>
  ({ id: 't', state: 'denied', by: null, note: null, settledAt: 1000, expiresAt: 2000, releasedAt: null, ...more }) as TicketRecord;

test('a sentence names the person and the note, as far as there are any', () => {
  expect(
    [{}, { by: 'ann' }, { note: 'why' }, { by: 'ann', note: 'why' }, { note: '' }].map((more) => sentence('Denied', ticket(more))),
  ).toEqual(['Denied.', 'Denied by ann.', 'Denied: why', 'Denied by ann: why', 'Denied.']);
});

test('denied, withdrawn and expired are three things, and only an expiry names no person', () => {
  const reasons = (['denied', 'withdrawn', 'expired'] as const).map((state) => deniedReason(ticket({ state, by: 'ann' })));
  expect(new Set(reasons).size).toBe(3);
  expect(reasons.map((reason) => reason.includes('ann'))).toEqual([true, true, false]);
  expect(reasons[2]).toContain('expired');
});

test('an approval has the time at which it was settled, or else expired', () => {
  expect(approvalOf(ticket({ state: 'approved', by: 'ann', note: 'n' }))).toEqual({
    ...{ ticket: 't', state: 'approved', by: 'ann', note: 'n', at: '1970-01-01T00:00:01.000Z' },
  });
  expect(approvalOf(ticket({ settledAt: null })).at).toBe('1970-01-01T00:00:02.000Z');
});

test('a ticket that was settled before says how, by whom, and whether it was used', () => {
  const said = (more: Partial<TicketRecord>) => settledBefore(ticket(more));
  expect(said({ state: 'withdrawn' })).toMatchObject({ code: 'ticket-settled', hint: 'Fire the event again for a new ticket.' });
  expect(said({})).toMatchObject({ code: 'ticket-settled', hint: 'The same action is denied again until its ticket expires.' });
  const messages = [{}, { by: 'ann' }, { state: 'approved' }, { state: 'approved', releasedAt: 1 }, { releasedAt: 1 }] as const;
  expect(messages.map((more) => said(more).message)).toEqual([
    'Ticket t was already denied.',
    'Ticket t was already denied by ann.',
    'Ticket t was already approved.',
    'Ticket t was already approved and used.',
    'Ticket t was already denied.',
  ]);
});
