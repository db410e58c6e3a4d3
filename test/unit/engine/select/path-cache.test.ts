import { expect, test } from 'vitest';
import { pathCache } from '../../../../src/engine/select/kind-index.ts';

const bounds = { entries: 3, weight: 100, nameLength: 5 };
const remembered = (name: string) => [undefined, name];

test('a value is found under its own path and no other', () => {
  const cache = pathCache<{ n: number }>(bounds);
  cache.set(['a', undefined], { n: 1 }, 1);
  cache.set([undefined, 'a'], { n: 2 }, 1);
  expect(cache.get(['a', undefined])).toEqual({ n: 1 });
  expect(cache.get([undefined, 'a'])).toEqual({ n: 2 });
  expect(cache.get(['a', 'a'])).toBeUndefined();
  expect(cache.get([undefined, undefined])).toBeUndefined();
});

test('the cache forgets everything rather than grow, by number and by weight', () => {
  const cache = pathCache(bounds);
  for (const name of ['a', 'b', 'c', 'd']) cache.set(remembered(name), {}, 1);
  expect(['a', 'b', 'c', 'd'].filter((name) => cache.get(remembered(name)))).toEqual(['d']);
  cache.set(remembered('e'), {}, 99);
  cache.set(remembered('f'), {}, 1);
  expect(['d', 'e', 'f'].filter((name) => cache.get(remembered(name)))).toEqual(['f']);
});

test('what is too long or too heavy is not remembered', () => {
  const cache = pathCache(bounds);
  cache.set(remembered('toolong'), {}, 1);
  cache.set(remembered('a'), {}, 101);
  expect(cache.get(remembered('toolong'))).toBeUndefined();
  expect(cache.get(remembered('a'))).toBeUndefined();
});
