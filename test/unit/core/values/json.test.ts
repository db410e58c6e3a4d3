import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Json, serialise } from '../../../../src/core/values/json.ts';

/** Nested by hand: literals this deep can't be written, and parsing them is what is tested elsewhere. */
function nested(depth: number, inner: Json, wrap: (value: Json) => Json): Json {
  let value = inner;
  for (let i = 0; i < depth; i++) value = wrap(value);
  return value;
}

test('a value too deep for the stack is written whole', () => {
  const list = serialise(nested(100_000, 'rm -rf /', (value) => [value, 1]));
  expect(list.startsWith('[[[')).toBe(true);
  expect(list).toContain('"rm -rf /",1],1]');
  const map = serialise(nested(100_000, null, (value) => ({ 'a"': value, b: [] })));
  expect(map.startsWith('{"a\\"":{"a\\"":')).toBe(true);
  expect(map.endsWith('"b":[]},"b":[]}')).toBe(true);
});

test('both ways of writing agree', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
      const deep = serialise(nested(20_000, value as Json, (inner) => [inner]));
      expect(deep).toBe(`${'['.repeat(20_000)}${JSON.stringify(value)}${']'.repeat(20_000)}`);
    }),
    { numRuns: 30 },
  );
});
