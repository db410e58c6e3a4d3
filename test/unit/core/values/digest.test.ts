import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson, digestOf, digestOfFrozen, unchanging } from '../../../../src/core/values/digest.ts';

/** Keys in any order, at any depth. */
const shuffled = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(shuffled);
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, item]) => [key, shuffled(item)]),
  );
};

test('equal JSON has one text, whatever the order of its keys, and the text is that JSON', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = canonicalJson(value);
      expect(canonicalJson(shuffled(value))).toBe(text);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test('any text is written as JSON writes it', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => canonicalJson(text) === JSON.stringify(text)));
  for (const text of ['\ud800', 'a\udfff', '\u2028', '\x7f', '"', '\\', '\n', '漢'])
    expect(canonicalJson([text])).toBe(JSON.stringify([text]));
});

test('what JSON has no word for is left out, or null in a list', () => {
  expect(canonicalJson({ b: undefined, a: [undefined, Number.NaN, () => 1], c: -0 })).toBe('{"a":[null,null,null],"c":0}');
  expect(canonicalJson(undefined)).toBe('null');
});

test('a function in an object is left out, as JSON does it', () => {
  expect(canonicalJson({ run: () => 1 })).toBe('{}');
  expect(canonicalJson({ a: 1, run: () => 1, z: true })).toBe('{"a":1,"z":true}');
});

test('a key is written the same way however many keys there were before', () => {
  const odd = 'a "key"';
  for (let i = 0; i < 2_100; i++) expect(canonicalJson({ [`${odd} ${i}`]: 1 })).toBe(`{"a \\"key\\" ${i}":1}`);
  expect(canonicalJson({ [odd]: 1 })).toBe(canonicalJson({ [odd]: 1 }));
});

test('a digest names its algorithm and hashes the canonical text', () => {
  expect(digestOf({ b: 1, a: [2] }, (text) => `<${text}>`)).toBe('sha256:<{"a":[2],"b":1}>');
});

test('an unchanging object cannot be changed, and is written as before', () => {
  const who = { name: 'ann', machine: { id: 'm', tags: ['a'] } };
  const text = canonicalJson({ by: who });
  const kept = unchanging(who);
  expect(kept).toBe(who);
  expect(canonicalJson({ by: kept })).toBe(text);
  for (const change of [() => (who.name = 'eve'), () => (who.machine.id = 'x'), () => who.machine.tags.push('b')])
    expect(change).toThrow(TypeError);
  expect(canonicalJson({ by: unchanging(kept) })).toBe(text);
});

test('a frozen value has the same digest as any other, and so has a value that contains it', () => {
  const hash = (text: string) => text;
  const input = Object.freeze({ command: 'ls', at: Object.freeze([1]) });
  const data = Object.freeze({ tool: 'Bash', input });
  for (const value of [input, data]) expect(digestOfFrozen(value, hash)).toBe(digestOf(structuredClone(value), hash));
  expect(canonicalJson({ data, also: input })).toBe(canonicalJson(structuredClone({ data, also: input })));
  const later = { command: 'ls' };
  digestOfFrozen(later, hash);
  later.command = 'rm';
  expect(canonicalJson({ later })).toBe('{"later":{"command":"rm"}}');
});
