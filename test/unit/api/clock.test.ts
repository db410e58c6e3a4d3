import { expect, test } from 'vitest';
import { createClock, createIds } from '../../../src/api/clock.ts';

test('the ticks of the clock go on from the slow clock to the fast one, and never back', () => {
  const clock = createClock();
  const first = clock.tick;
  const ticks = Array.from({ length: 200 }, () => clock.tick());
  expect(clock.tick).not.toBe(first);
  expect(ticks).toEqual(ticks.toSorted((a, b) => a - b));
  const wall = process.uptime() * 1000;
  expect(Math.abs(clock.tick() - wall)).toBeLessThan(1000);
});

test('ids of a process count on without a gap, also where their digits come from a table', () => {
  const newId = createIds();
  const ids = Array.from({ length: 12_345 }, newId);
  const prefix = ids[0]?.replace(/-0$/, '');
  expect(prefix).toMatch(/^[a-z0-9]{10,}$/);
  expect(ids).toEqual(Array.from({ length: 12_345 }, (_, i) => `${prefix}-${i}`));
});
