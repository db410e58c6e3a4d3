import { expect, test } from 'vitest';
import { batchWrites } from '../../../src/server/response.ts';

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('what comes up in one turn is done at its end, in order, and what comes up then in the next', async () => {
  const done: string[] = [];
  const atTheEnd = batchWrites();
  atTheEnd(() => {
    done.push('first');
    atTheEnd(() => done.push('later'));
  });
  atTheEnd(() => done.push('second'));
  await Promise.resolve();
  expect(done).toEqual([]);
  await nextTurn();
  expect(done).toEqual(['first', 'second']);
  await nextTurn();
  expect(done).toEqual(['first', 'second', 'later']);
});
