/** How often the follower of the log looks. */
import { expect, test } from 'vitest';
import { pauseAfter } from '../../../src/views/follower.ts';

test('a follower looks less often while agents make more entries than a person reads, and never rarer than once in a second', () => {
  expect([0, 1, 99].map(pauseAfter)).toEqual([200, 200, 200]);
  expect([100, 2000, 1e6].map(pauseAfter)).toEqual([1000, 1000, 1000]);
});
