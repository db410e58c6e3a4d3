import { expect, test } from 'vitest';
import { addUp } from '../../../../src/core/contracts/guard-settings.ts';

test('settings add up, in any order, and the stricter preset counts', () => {
  const one = { preset: 'strict', packs: ['a', 'b'] } as const;
  const other = { preset: 'standard', packs: ['b', 'c'] } as const;
  expect(addUp(one, other)).toEqual({ preset: 'strict', packs: ['a', 'b', 'c'], overrides: [] });
  expect(addUp(other, undefined, one).preset).toBe('strict');
  expect(addUp(one, { preset: 'paranoid' }).preset).toBe('paranoid');
  expect(addUp()).toEqual({ preset: 'standard', packs: [], overrides: [] });
});
