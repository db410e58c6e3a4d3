/** A wait ends with everything that was under way when it began, and with nothing else. */
import { expect, test } from 'vitest';
import { UnderWay } from '../../../src/api/under-way.ts';

function pending() {
  let [resolve, reject]: [() => void, (why: Error) => void] = [() => {}, () => {}];
  const work = new Promise<void>((...ends) => {
    [resolve, reject] = ends;
  });
  return { work, resolve, reject };
}

/** Whether a wait has ended, once everything that can happen now has happened. */
async function hasEnded(wait: Promise<void>): Promise<boolean> {
  let ended = false;
  void wait.then(() => {
    ended = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  return ended;
}

test('a wait for nothing ends at once', async () => {
  const underWay = new UnderWay();
  expect(await hasEnded(underWay.ended())).toBe(true);
  underWay.add(Promise.resolve());
  await new Promise((resolve) => setImmediate(resolve));
  expect(await hasEnded(underWay.ended())).toBe(true);
});

test('a wait ends with the last of the work, whichever way each part ends and in whatever order', async () => {
  const underWay = new UnderWay();
  const parts = [pending(), pending(), pending()];
  for (const { work } of parts) underWay.add(work);
  const wait = underWay.ended();
  parts[2]?.resolve();
  parts[0]?.reject(new Error('no room'));
  expect(await hasEnded(wait)).toBe(false);
  parts[1]?.resolve();
  expect(await hasEnded(wait)).toBe(true);
});

test('work that begins after a wait did is not waited for, but by the next wait, which also waits for the older work', async () => {
  const underWay = new UnderWay();
  const [old, young] = [pending(), pending()];
  underWay.add(old.work);
  const first = underWay.ended();
  underWay.add(young.work);
  const second = underWay.ended();
  young.resolve();
  expect(await hasEnded(second)).toBe(false);
  old.resolve();
  expect(await hasEnded(first)).toBe(true);
  expect(await hasEnded(second)).toBe(true);
  const late = pending();
  underWay.add(late.work);
  const third = underWay.ended();
  expect(await hasEnded(third)).toBe(false);
  late.resolve();
  expect(await hasEnded(third)).toBe(true);
});

test('work that waits for older work does not wait for itself', async () => {
  const underWay = new UnderWay();
  const old = pending();
  underWay.add(old.work);
  const order: string[] = [];
  void old.work.then(() => order.push('old'));
  underWay.add(underWay.ended().then(() => order.push('late')));
  const all = underWay.ended();
  old.resolve();
  await all;
  expect(order).toEqual(['old', 'late']);
});
