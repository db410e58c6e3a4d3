import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Format } from '../../../../src/core/contracts/dialect.ts';
import { type Document, type Node, toJson } from '../../../../src/core/values/document.ts';
import { loadFormat } from '../../../../src/load/formats/index.ts';

const GOOD: Record<Format, string> = {
  frontmatter:
    '---\nname: gate\nhooks:\n  PreToolUse:\n    - matcher: "Shell|\\.x"\n      list: [a, {b: *c}]\n      &c d: |\n        text\n---\nBody\n',
  'loose-frontmatter': '---\nname: [\nhooks:\n  PreToolUse:\n    - matcher: "Shell"\nother: {\n---\nBody\n',
  json: '{\n  // c\n  "hooks": { "PreToolUse": [{ "matcher": "a\\u0041", "hooks": [1.5e3, true, null,] }] }\n}\n',
  program: '#!/bin/sh\nexit 0\n',
  'hook-program':
    "import { defineHook } from 'hookline/hook';\nexport default defineHook({ on: 'tool.before', match: { tool: /^B/i }, run(event) {} });\n",
  toml: '[hook]\nname = "gate"\n[[hook.list]]\na.b = { c = [1, 2.5, 1979-05-27], "d" = \'x\' }\ns = """\nmany"""\n',
};
const NOISE = [
  '\n',
  ' ',
  '\t',
  '\r',
  ':',
  '- ',
  '"',
  "'",
  '[',
  ']',
  '{',
  '}',
  '#',
  '=',
  ',',
  '.',
  '\\',
  '&a ',
  '*a',
  '!t ',
  '|',
  '---\n',
  '/*',
  '0',
  '\0',
  'é',
  '\ud800',
  '\u2028',
];

/** A good file with a few pieces cut, doubled or put in. */
const mutated = (text: string) =>
  fc
    .array(fc.tuple(fc.nat(text.length), fc.nat(12), fc.constantFrom('', '', ...NOISE)), { minLength: 1, maxLength: 6 })
    .map((edits) => edits.reduce((now, [from, length, put]) => now.slice(0, from) + put + now.slice(from + length), text));

function wellFormed(document: Document): void {
  expect(document.file).toBe('f');
  for (const { severity, message, line, column, file } of document.diagnostics) {
    expect(message).not.toBe('');
    expect(file).toBe('f');
    expect(line === undefined || (line >= 1 && (column ?? 0) >= 1)).toBe(true);
    if (severity === 'error') expect(document.root).toBeUndefined();
  }
  if (document.root) {
    JSON.stringify(toJson(document.root));
    expect(positions(document.root).every(({ line, column }) => line >= 1 && column >= 1)).toBe(true);
  }
}

function positions(node: Node): { line: number; column: number }[] {
  if (node.kind === 'list') return [node.at, ...node.items.flatMap(positions)];
  if (node.kind === 'map') return [node.at, ...node.entries.flatMap(({ at, value }) => [at, ...positions(value)])];
  return [node.at];
}

test.each(Object.keys(GOOD) as Format[])('%s: whatever the text, the answer is data or an error, never a throw', async (format) => {
  const parse = await loadFormat(format);
  wellFormed(await parse('f', GOOD[format]));
  const texts = fc.oneof(
    mutated(GOOD[format]),
    fc.string({ unit: 'binary' }).map((text) => (format === 'frontmatter' ? `---\n${text}\n---\n` : text)),
    fc.string({ unit: 'binary' }),
  );
  await fc.assert(
    fc.asyncProperty(texts, async (text) => wellFormed(await parse('f', text))),
    { numRuns: 1_500 },
  );
});

test.each([
  '[',
  '{',
  '{a:',
  '- ',
  'a: ',
  'a.',
  '"',
  "'",
  '\\',
  '#',
  ',',
  ']',
  '&a ',
  '*a ',
  ' ',
  '\n',
  '\r',
  'a=',
  '[[a]]\n',
  '[a.',
  '{"a":',
  '/*',
  '//',
  '=',
  '- a\n ',
  '? ',
])(
  'a file of nothing but %j ends in bounded time',
  async (piece) => {
    const text = piece.repeat(Math.ceil(60_000 / piece.length));
    for (const format of Object.keys(GOOD) as Format[]) {
      const parse = await loadFormat(format);
      wellFormed(await parse('f', format === 'frontmatter' ? `---\n${text}\n---\n` : text));
    }
  },
  20_000,
);

test('a file beyond 1 MiB is not parsed', async () => {
  for (const format of Object.keys(GOOD) as Format[]) {
    const { root, diagnostics } = await (await loadFormat(format))('f', ' '.repeat(1024 * 1024 + 1));
    expect(root).toBeUndefined();
    expect(diagnostics).toMatchObject([{ severity: 'error', code: 'file-too-large', file: 'f' }]);
  }
});
