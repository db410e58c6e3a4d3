import { expect, test } from 'vitest';
import { fieldOf, toJson } from '../../../../src/core/values/document.ts';
import { frontmatterBody, parseFrontmatter } from '../../../../src/load/formats/frontmatter.ts';

test('lines are those of the file', async () => {
  const { root } = await parseFrontmatter('f', '---\nname: x\nlist:\n  - a\n  - b: 1\n---\nBody: y\n');
  expect(root && toJson(root)).toEqual({ name: 'x', list: ['a', { b: 1 }] });
  expect(fieldOf(root, 'name')?.at).toEqual({ line: 2, column: 7 });
  expect(fieldOf(root, 'list')?.at).toEqual({ line: 4, column: 3 });
});

test('what is not plain is read by the library, at the same lines', async () => {
  const { root } = await parseFrontmatter('f', '---\nname: [x, y]\nlong: |\n  a\n  b\nlast: 1\n---\n');
  expect(root && toJson(root)).toEqual({ name: ['x', 'y'], long: 'a\nb\n', last: 1 });
  expect(fieldOf(root, 'last')?.at).toEqual({ line: 6, column: 7 });
});

test.each([
  ['# Title\n---\na: 1\n---\n', 'a rule further down'],
  ['\n---\na: 1\n---\n', 'a blank line first'],
  ['', 'an empty file'],
  ['----\na: 1\n---\n', 'a longer rule'],
  ['---\n---\n', 'nothing between the lines'],
  ['---\n# only a comment\n---\n', 'only a comment between the lines'],
  ['---\n \n---', 'only blanks between the lines'],
])('%j has no data and nothing to complain about (%s)', async (text) => {
  expect(await parseFrontmatter('f', text)).toEqual({ file: 'f', diagnostics: [] });
});

test('a byte order mark, CRLF and spaces after the dashes do not matter', async () => {
  const text = '\ufeff--- \r\nname: x\r\n---\t\r\nBody\r\n';
  const { root } = await parseFrontmatter('f', text);
  expect(root && toJson(root)).toEqual({ name: 'x' });
  expect(frontmatterBody(text)).toBe('Body\r\n');
});

test('the body is what follows, or all of it', () => {
  expect(frontmatterBody('---\na: 1\n---\n# T\n---\nx')).toBe('# T\n---\nx');
  expect(frontmatterBody('---\na: 1\n---')).toBe('');
  expect(frontmatterBody('---\na: 1\n--- # x\n---\nrest')).toBe('rest');
  expect(frontmatterBody('# T\n')).toBe('# T\n');
  expect(frontmatterBody('---\nnever closed')).toBe('---\nnever closed');
});

test.each(['---', '---\na: 1\n', '---\na: 1\n --- \n', '---\na: 1\n----\n'])(
  '%j is never closed: an error where it starts',
  async (text) => {
    const { root, diagnostics } = await parseFrontmatter('f', text);
    expect(root).toBeUndefined();
    expect(diagnostics).toMatchObject([{ severity: 'error', code: 'unclosed-frontmatter', file: 'f', line: 1, column: 1 }]);
  },
);

test('a long body is fine; a frontmatter beyond 128 KiB, a file beyond 1 MiB and a NUL byte are errors', async () => {
  const codes = async (text: string) => (await parseFrontmatter('f', text)).diagnostics.map(({ code }) => code);
  expect(await codes(`---\na: 1\n---\n${'x'.repeat(500_000)}`)).toEqual([]);
  expect(await codes(`---\n${'# x\n'.repeat(40_000)}---\n`)).toEqual(['file-too-large']);
  expect(await codes(`---\na: 1\n---\n${'x'.repeat(1_100_000)}`)).toEqual(['file-too-large']);
  expect(await codes('---\na: "\0"\n---\n')).toEqual(['not-text']);
});
