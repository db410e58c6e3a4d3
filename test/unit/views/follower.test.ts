/** How often the follower of the log looks. */
import { expect, test } from 'vitest';
import { pauseAfter, pieceOf } from '../../../src/views/follower.ts';

test('a follower looks less often while agents make more entries than a person reads, and never rarer than once in a second', () => {
  expect([0, 1, 99].map(pauseAfter)).toEqual([200, 200, 200]);
  expect([100, 2000, 1e6].map(pauseAfter)).toEqual([1000, 1000, 1000]);
});

test('a follower that is nearly up to date reads little at once, and one that is far behind reads whole batches', () => {
  expect(pieceOf({ pos: 1000, head: 3000 }, 1000)).toBeLessThanOrEqual(100);
  expect(pieceOf({ pos: 1000, head: 100_000 }, 1000)).toBe(1000);
  expect(pieceOf({ pos: 1000, head: 3000 }, 10)).toBe(10);
});
