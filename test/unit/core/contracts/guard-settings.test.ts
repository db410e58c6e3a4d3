import { expect, test } from 'vitest';
import { addUp, endOf, isPresetName } from '../../../../src/core/contracts/guard-settings.ts';

test('settings add up, in any order, and the stricter preset counts', () => {
  const one = { preset: 'strict', packs: ['a', 'b'] } as const;
  const other = { preset: 'standard', packs: ['b', 'c'] } as const;
  const none = { overrides: [], protect: {}, rules: [], ruleFiles: [], broken: [] };
  expect(addUp(one, other)).toEqual({ preset: 'strict', packs: ['a', 'b', 'c'], ...none });
  expect(addUp(other, undefined, one).preset).toBe('strict');
  expect(addUp(one, { preset: 'paranoid' }).preset).toBe('paranoid');
  expect(addUp()).toEqual({ preset: 'standard', packs: [], ...none });
});

test('overrides of all settings count, and a preset is one of three words', () => {
  const override = { rule: 'r', reason: 'known', expires: '2030-01-01' };
  expect(addUp({ overrides: [override] }, {}, { overrides: [override] }).overrides).toEqual([override, override]);
  expect(['standard', 'strict', 'paranoid'].every(isPresetName)).toBe(true);
  for (const value of ['', 'lax', undefined, null, 1]) expect(isPresetName(value)).toBe(false);
});

test('an override ends with its day in UTC, or at its time', () => {
  const end = (expires: string): number | undefined => endOf({ expires });
  expect(end('2030-06-15')).toBe(Date.parse('2030-06-16T00:00:00Z'));
  expect(end('2030-06-15T10:00:00Z')).toBe(Date.parse('2030-06-15T10:00:00Z'));
  expect(end('2030-06-15T10:00:00.5+02:00')).toBe(Date.parse('2030-06-15T08:00:00.5Z'));
});

test.each([
  '',
  'soon',
  '2030',
  '2030-13-01',
  '2030-06-15T10:00:00',
  'x2030-06-15',
  '2030-06-15x',
  '2030-06-15T10:00:00Zx',
  '30-06-15',
  '2030-6-15',
  '2030-06-5',
  '15.6.2030',
  '2030-06-15TZ',
])('an override whose date is %j has no end that counts', (expires) => {
  expect(endOf({ expires })).toBeUndefined();
});
