/** What a page is told of the follower of the log. */
import { expect, test } from 'vitest';
import { HooklineError } from '../../../src/core/values/errors.ts';
import { watchFollower } from '../../../src/ui/following.ts';

const at = (pos: number, head: number) => ({ pos, head, missing: 0, rebuilds: 0 });

test('a failure is told at once with its reason, and is over with the next look that succeeds', () => {
  let now = 1_000;
  const watch = watchFollower(() => now);
  watch.failed(new HooklineError('store-unavailable', 'The disk is full.', { hint: 'Free some space.' }));
  now += 10;
  watch.failed(new Error('The disk is still full.'));
  expect(watch.look()).toMatchObject({ state: 'failing', since: 1_000 });
  expect(watch.look().says).toContain('The disk is still full.');
  watch.stepped(at(5, 5));
  expect(watch.look()).toMatchObject({ state: 'well', says: '' });
});

test('a follower that is far behind for a while is told of, one that catches up soon is not', () => {
  let now = 1_000;
  const watch = watchFollower(() => now);
  watch.stepped(at(0, 50_000));
  expect(watch.look().state).toBe('well');
  now += 5_000;
  watch.stepped(at(10_000, 50_000));
  expect(watch.look()).toMatchObject({ state: 'behind', since: 1_000 });
  expect(watch.look().says).toContain('10,000 of 50,000');
  watch.stepped(at(49_500, 50_000));
  expect(watch.look().state).toBe('well');
});

test('a follower that neither fails nor succeeds is told of', () => {
  let now = 1_000;
  const watch = watchFollower(() => now);
  watch.stepped(at(5, 5));
  now += 20_000;
  expect(watch.look()).toMatchObject({ state: 'silent', since: 1_000 });
});
