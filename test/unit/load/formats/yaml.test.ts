import { expect, test } from 'vitest';
import { type Document, entryOf, fieldOf, toJson } from '../../../../src/core/values/document.ts';
import { parseYaml } from '../../../../src/load/formats/yaml.ts';

const json = ({ root }: Document) => root && toJson(root);
const said = ({ diagnostics }: Document) => diagnostics.map(({ severity, code, line, column }) => [severity, code, line, column]);

test('a backslash that escapes nothing in double quotes is kept, with a warning where it stands', () => {
  const document = parseYaml('f', 'a:\n  pattern: "\\.(py|js)$ \\d" \n  q: "\\n\\s" # c\nlast: [1,\n 2]\n', 2);
  expect(json(document)).toEqual({ a: { pattern: '\\.(py|js)$ \\d', q: '\n\\s' }, last: [1, 2] });
  expect(said(document)).toEqual([
    ['warning', 'bad-escape', 3, 13],
    ['warning', 'bad-escape', 3, 24],
    ['warning', 'bad-escape', 4, 9],
  ]);
  expect(document.diagnostics[0]?.hint).toContain('single quotes');
  expect(entryOf(fieldOf(document.root, 'a'), 'q')?.at).toEqual({ line: 4, column: 3 });
  expect(fieldOf(document.root, 'last')?.at).toEqual({ line: 5, column: 7 });
});

test('positions after a kept backslash on the same line are right', () => {
  const { root } = parseYaml('f', '{a: "\\.\\.", b: "\\.", c: 1}', 1);
  expect(fieldOf(root, 'b')?.at).toEqual({ line: 1, column: 16 });
  expect(fieldOf(root, 'c')?.at).toEqual({ line: 1, column: 25 });
});

test.each([
  ['a: [1, {\n', 'unclosed brackets', 2],
  ['a: [x\nb: 1\n', 'a bracket left open', 2],
  ['a: b: c\n', 'a second colon', 1],
  ['a:\n  b: 1\n c: 2\n', 'odd indentation', 3],
  ['a: "x\n', 'an open quote', 2],
  ['a: 1\n\tb: 2\n', 'a tab', 2],
  ['a: @x\n', 'a reserved character', 1],
  ['a: 1\n...\nb: 2\n', 'two documents', 3],
])('%j is one error with a position (%s)', (source, _, line) => {
  const document = parseYaml('f', source, 1);
  expect(document.root).toBeUndefined();
  expect(document.diagnostics).toHaveLength(1);
  expect(document.diagnostics[0]).toMatchObject({ severity: 'error', code: 'invalid-yaml', file: 'f', line, column: expect.any(Number) });
  expect(document.diagnostics[0]?.message).toMatch(/\.$/);
  expect(document.diagnostics[0]?.hint).toBeTruthy();
});

test('a bracket left open is called by its name', () => {
  expect(parseYaml('f', 'a: [x\nb: 1\n', 1).diagnostics[0]?.message).toContain('not closed');
});

test('a duplicate key is a warning and the last one counts', () => {
  const document = parseYaml('f', 'a: [1]\nb: 2\na: 3\n', 1);
  expect(json(document)).toEqual({ a: 3, b: 2 });
  expect(said(document)).toEqual([['warning', 'duplicate-key', 3, 1]]);
});

test('an unknown tag is a warning and runs nothing', () => {
  const document = parseYaml('f', 'a: !!js/function "x"\nb: !include {c: 1}\nd: !!binary aGk=\n', 1);
  expect(json(document)).toEqual({ a: 'x', b: { c: 1 }, d: 'aGk=' });
  expect(said(document).map(([severity, code, line]) => [severity, code, line])).toEqual([
    ['warning', 'unknown-tag', 1],
    ['warning', 'unknown-tag', 2],
    ['warning', 'unknown-tag', 3],
  ]);
});

test('aliases stand for what they name, at their own place; merge keys are plain keys', () => {
  const document = parseYaml('f', 'a: &x {k: [1]}\nb: *x\n<<: *x\n', 1);
  expect(json(document)).toEqual({ a: { k: [1] }, b: { k: [1] }, '<<': { k: [1] } });
  expect(fieldOf(document.root, 'b')?.at).toEqual({ line: 2, column: 4 });
  expect(document.diagnostics).toEqual([]);
});

test('an alias that names nothing, or itself, is an error', () => {
  expect(said(parseYaml('f', 'a: *gone\n', 1))).toEqual([['error', 'unknown-alias', 1, 4]]);
  expect(said(parseYaml('f', 'a: &x\n  - *x\n', 1))).toEqual([['error', 'unknown-alias', 2, 5]]);
});

test('an alias bomb is refused, and at once', () => {
  const bomb = ['a0: &a0 [x, x]', ...Array.from({ length: 60 }, (_, i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}]`)].join('\n');
  const document = parseYaml('f', bomb, 1);
  expect(document.root).toBeUndefined();
  expect(said(document).map(([, code]) => code)).toEqual(['alias-bomb']);
  const tower = ['a0: &a0 [x]', ...Array.from({ length: 250 }, (_, i) => `a${i + 1}: &a${i + 1} [*a${i}]`)].join('\n');
  expect(said(parseYaml('f', tower, 1)).map(([, code]) => code)).toEqual(['alias-bomb']);
  const thin = ['- &a0 [x]', ...Array.from({ length: 120 }, (_, i) => `- &a${i + 1} [[*a${i}]]`)].join('\n');
  expect(said(parseYaml('f', thin, 1)).map(([, code]) => code)).toEqual(['too-deep']);
});

test('keys that are not text become text; dates, infinities and `__proto__` are data', () => {
  const document = parseYaml('f', '1: a\ntrue: b\n~: c\n? [x, 1]\n: d\nwhen: 2024-01-01\ninf: .inf\n__proto__: {x: 1}\n', 1);
  expect(Object.entries(json(document) as object)).toEqual([
    ['1', 'a'],
    ['true', 'b'],
    ['~', 'c'],
    ['["x",1]', 'd'],
    ['when', '2024-01-01'],
    ['inf', '.inf'],
    ['__proto__', { x: 1 }],
  ]);
  expect(said(document)).toEqual([['warning', 'complex-key', 4, 3]]);
  expect(({} as Record<string, unknown>)['x']).toBeUndefined();
});

test('nesting beyond 200 levels is an error', () => {
  expect(json(parseYaml('f', `${'['.repeat(199)}${']'.repeat(199)}`, 1))).toBeDefined();
  for (const depth of [202, 5_000, 60_000]) {
    const document = parseYaml('f', `${'['.repeat(depth)}${']'.repeat(depth)}`, 1);
    expect(document.root).toBeUndefined();
    expect(document.diagnostics).toMatchObject([{ severity: 'error', line: 1, column: expect.any(Number) }]);
  }
});
