import { expect, test } from 'vitest';
import { isExpired, readExpiry, sortByWaivers, type Waiver } from '../../../../src/core/contracts/waiver.ts';

const NOW = Date.parse('2030-06-15T12:00:00Z');
const waiver = (extra: Partial<Waiver> = {}): Waiver => ({
  hook: 'gate',
  rules: ['exec-remote'],
  reason: 'known',
  expires: '2030-12-31',
  ...extra,
});
const hook = { id: 'any:HOOK.toml#gate', name: 'gate', digest: () => 'sha256:now' };
const high = { rule: 'exec-remote', severity: 'high' };
const sort = (waivers: readonly Waiver[], findings = [high]) => sortByWaivers(findings, hook, waivers, NOW);

test('a finding is waived by the name, the id or the digest of its hook, and by its rule alone', () => {
  for (const named of ['gate', 'any:HOOK.toml#gate', 'sha256:now']) expect(sort([waiver({ hook: named })]).standing, named).toEqual([]);
  for (const other of [waiver({ hook: 'other' }), waiver({ rules: ['exec-decoded'] }), waiver({ hook: 'sha256:before' })])
    expect(sort([other])).toMatchObject({ standing: [high], waived: [] });
});

test('nothing catastrophic is ever waived, and the try is told', () => {
  const worst = { rule: 'exec-remote', severity: 'catastrophic' };
  expect(sort([waiver()], [worst])).toEqual({ standing: [worst], waived: [], expired: [], refused: [waiver()] });
});

test('a waiver that has expired does not hold, and is told', () => {
  const late = waiver({ expires: '2030-06-14' });
  expect(sort([late])).toEqual({ standing: [high], waived: [], expired: [late], refused: [] });
  expect(sort([late, waiver()]).standing).toEqual([]);
});

test('a day holds to its end', () => {
  expect(isExpired(waiver({ expires: '2030-06-15' }), NOW)).toBe(false);
  expect(isExpired(waiver({ expires: '2030-06-15T11:00:00Z' }), NOW)).toBe(true);
  expect(isExpired(waiver({ expires: '2030-06-15' }), Date.parse('2030-06-16T00:00:00Z'))).toBe(true);
  for (const text of ['', 'soon', '2030-13-01', '15.6.2030', '2030']) expect(readExpiry(text), text).toBeUndefined();
});

test('a waiver says what it waives and why', () => {
  expect(sort([waiver()]).waived).toEqual([{ finding: high, waiver: waiver() }]);
});

test('an expiry is a day or a time, written in full', () => {
  expect(readExpiry('2030-06-15')).toBe(Date.parse('2030-06-16T00:00:00Z'));
  expect(readExpiry('2030-06-15T11:00:00Z')).toBe(Date.parse('2030-06-15T11:00:00Z'));
  for (const text of [
    'x2030-06-15',
    '2030-6-15',
    '2030-06-5',
    '2030-06-15 11:00',
    '2030-06-15Z',
    '30-06-15',
    '+002030-06-15',
    '1 2030-06-15',
    '1 2030-06-15T11:00:00Z',
  ])
    expect([text, readExpiry(text)]).toEqual([text, undefined]);
});
