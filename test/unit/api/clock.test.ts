import { expect, test } from 'vitest';
import { createClock } from '../../../src/api/clock.ts';

test('the ticks of the clock go on from the slow clock to the fast one, and never back', () => {
  const clock = createClock();
  const first = clock.tick;
  const ticks = Array.from({ length: 200 }, () => clock.tick());
  expect(clock.tick).not.toBe(first);
  expect(ticks).toEqual(ticks.toSorted((a, b) => a - b));
  const wall = process.uptime() * 1000;
  expect(Math.abs(clock.tick() - wall)).toBeLessThan(1000);
});
