import { expect, test } from 'vitest';
import { entryOf, fieldOf, toJson } from '../../../../src/core/values/document.ts';
import { parseJson } from '../../../../src/load/formats/json.ts';

test('comments, trailing commas and a byte order mark are fine', () => {
  const { root, diagnostics } = parseJson('f', '\ufeff// c\n{ "a": [1, 2,], /* x */ "b": { "c": null, }, }\n');
  expect(root && toJson(root)).toEqual({ a: [1, 2], b: { c: null } });
  expect(diagnostics).toEqual([]);
});

test('every value knows its line and column, whatever the line ends', () => {
  const { root } = parseJson('f', '{\r\n  "a": true,\r\n  "b": [\r\n    "x",\r\n    {"c": 1.5}\r\n  ]\r\n}');
  expect(entryOf(root, 'a')?.at).toEqual({ line: 2, column: 3 });
  expect(fieldOf(root, 'a')?.at).toEqual({ line: 2, column: 8 });
  const list = fieldOf(root, 'b');
  const items = list?.kind === 'list' ? list.items : [];
  expect(items.map(({ at }) => at)).toEqual([
    { line: 4, column: 5 },
    { line: 5, column: 5 },
  ]);
});

test('an empty file, or one with comments alone, has no data', () => {
  expect(parseJson('f', '')).toEqual({ file: 'f', diagnostics: [] });
  expect(parseJson('f', ' // nothing yet\n')).toMatchObject({ file: 'f', diagnostics: [] });
});

test('a duplicate key is a warning and the last one counts', () => {
  const { root, diagnostics } = parseJson('f', '{"a": 1, "b": 2,\n "a": 3}');
  expect(root && toJson(root)).toEqual({ a: 3, b: 2 });
  expect(diagnostics).toMatchObject([{ severity: 'warning', code: 'duplicate-key', file: 'f', line: 2, column: 2 }]);
});

test('`__proto__` is data', () => {
  const { root } = parseJson('f', '{"__proto__": {"x": 1}}');
  expect(root && Object.entries(toJson(root) as object)).toEqual([['__proto__', { x: 1 }]]);
});

test.each([
  ['{"a": oops}', 1, 7, 'oops'],
  ['{\n  "a" 1\n}', 2, 7, '`:`'],
  ['{\n  "a": 1\n  "b": 2\n}', 3, 3, '`,` or `}`'],
  ['{"a": [1, 2}', 1, 12, '`]`'],
  ['{"a": 1', 1, 8, '`}`'],
  ['{"a": "x\n}', 1, 7, 'closing quote'],
  ['{"a": "\\."}', 1, 7, 'escapes nothing'],
  ['{a: 1}', 1, 2, 'key'],
  ['{} x', 1, 4, 'after the end'],
  ['/* x', 1, 1, 'comment'],
  ['{"a": }', 1, 7, 'value'],
])('%j is one error, with a position and a reason', (text, line, column, part) => {
  const { root, diagnostics } = parseJson('f', text);
  expect(root).toBeUndefined();
  expect(diagnostics).toHaveLength(1);
  expect(diagnostics[0]).toMatchObject({ severity: 'error', code: 'invalid-json', file: 'f', line, column });
  expect(diagnostics[0]?.message).toContain(part);
});

test('nesting beyond 200 levels is an error, however deep', () => {
  expect(parseJson('f', `${'['.repeat(200)}${']'.repeat(200)}`).diagnostics).toEqual([]);
  for (const depth of [201, 400_000]) {
    expect(parseJson('f', '['.repeat(depth)).diagnostics).toMatchObject([{ severity: 'error', code: 'too-deep', line: 1, column: 201 }]);
  }
});

test('a number that JSON can not hold stays text', () => {
  const { root } = parseJson('f', '[1e999, -0.5]');
  expect(root && toJson(root)).toEqual(['1e999', -0.5]);
});

test.each<[string, string, object | undefined]>([
  ['plain JSON', '{"a": [1, [], {}], "b": {}, "c": [{}]}', undefined],
  ['a comma in a text', '["a,"]', undefined],
  ['a comment', '{\n  // mine\n  "a": 1,\n}', { what: 'a comment', at: { line: 2, column: 3 } }],
  ['a comma at the end of a map', '{"a": 1,\n}', { what: 'a comma after the last item', at: { line: 1, column: 8 } }],
  ['a comma at the end of a list', '[[1,]]', { what: 'a comma after the last item', at: { line: 1, column: 4 } }],
  ['a byte order mark', '\uFEFF{}', { what: 'a byte order mark', at: { line: 1, column: 1 } }],
])('%s: the first part that strict JSON does not have is kept with its place', (_, text, beyondJson) => {
  expect(parseJson('f', text).beyondJson).toEqual(beyondJson);
});
