import fc from 'fast-check';
import { expect, test } from 'vitest';
import { asJson, isObject, type Json, serialise, setOwn, textOf } from '../../../../src/core/values/json.ts';

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

test('a field without a value is left out at any depth', () => {
  const value = nested(20_000, { a: undefined, b: 1, c: [true, null], d: {} }, (inner) => [inner]);
  expect(serialise(value)).toBe(`${'['.repeat(20_000)}{"b":1,"c":[true,null],"d":{}}${']'.repeat(20_000)}`);
});

test('an object is a map of fields: neither null nor a list', () => {
  expect([{}, { a: 1 }, [], null, undefined, 'a', 1, () => 1].map(isObject)).toEqual([
    true,
    true,
    ...Array.from({ length: 6 }, () => false),
  ]);
});

test('only a string is a text', () => {
  expect(['', 'a', 1, null, undefined, ['a']].map(textOf)).toEqual(['', 'a', ...Array.from({ length: 4 }, () => undefined)]);
});

test('a value becomes the JSON that it would be sent as, and undefined if there is none', () => {
  const cyclic: Record<string, unknown> = {};
  cyclic['self'] = cyclic;
  expect(asJson({ at: new Date(0), none: undefined, list: [undefined] })).toStrictEqual({ at: '1970-01-01T00:00:00.000Z', list: [null] });
  expect([asJson(undefined), asJson(() => 1), asJson(Symbol('x')), asJson(cyclic), asJson(1n)]).toEqual(
    Array.from({ length: 5 }, () => undefined),
  );
  expect(asJson(null)).toBeNull();
});

test('a key named __proto__ is data, and changes no object', () => {
  const target: Record<string, Json> = {};
  setOwn(target, '__proto__', { polluted: true });
  setOwn(target, 'a', 1);
  setOwn(target, 'a', 2);
  expect(JSON.stringify(target)).toBe('{"__proto__":{"polluted":true},"a":2}');
  expect(Object.getPrototypeOf(target)).toBe(Object.prototype);
  target['a'] = 3;
  Reflect.deleteProperty(target, '__proto__');
  expect(JSON.stringify(target)).toBe('{"a":3}');
});
