import fc from 'fast-check';
import { stringify } from 'smol-toml';
import { expect, test } from 'vitest';
import { entryOf, fieldOf, type Node, toJson } from '../../../../src/core/values/document.ts';
import { parseToml } from '../../../../src/load/formats/toml.ts';

const at = (node: Node | undefined, ...path: string[]) => path.reduce<Node | undefined>(fieldOf, node)?.at;

test('tables, dotted keys and inline tables know their lines', () => {
  const text = [
    '# a hook',
    '[hook]',
    'name = "gate" # "[not.a.table]"',
    "event = 'before_tool_call'",
    '',
    '[hook.action.shell]',
    'command = """',
    'x = 1',
    '[no] \\""" still"""',
    'timeout_secs = 5',
    '[hook.conditions]',
    'users = ["a", # c',
    '  "b"]',
    'deep.er = { x = 1, "y.z" = [true, { w = 2 }] }',
  ].join('\r\n');
  const { root, diagnostics } = parseToml('f', text);
  expect(diagnostics).toEqual([]);
  expect(root && toJson(root)).toEqual({
    hook: {
      name: 'gate',
      event: 'before_tool_call',
      action: { shell: { command: 'x = 1\r\n[no] """ still', timeout_secs: 5 } },
      conditions: { users: ['a', 'b'], deep: { er: { x: 1, 'y.z': [true, { w: 2 }] } } },
    },
  });
  expect(entryOf(root, 'hook')?.at).toEqual({ line: 2, column: 2 });
  expect(at(root, 'hook')).toEqual({ line: 2, column: 1 });
  expect(at(root, 'hook', 'name')).toEqual({ line: 3, column: 8 });
  expect(entryOf(fieldOf(fieldOf(root, 'hook'), 'action'), 'shell')?.at).toEqual({ line: 6, column: 14 });
  expect(at(root, 'hook', 'action', 'shell', 'timeout_secs')).toEqual({ line: 10, column: 16 });
  const users = fieldOf(fieldOf(fieldOf(root, 'hook'), 'conditions'), 'users');
  expect(users?.kind === 'list' && users.items[1]?.at).toEqual({ line: 13, column: 3 });
  expect(at(root, 'hook', 'conditions', 'deep', 'er', 'y.z')).toEqual({ line: 14, column: 28 });
});

test('lists of tables keep their places apart', () => {
  const { root } = parseToml('f', '[[a]]\nx = 1\n[a.sub]\ny = 2\n[[a]]\nx = 3\n[a.sub]\ny = 4\n');
  const list = fieldOf(root, 'a');
  const [, second] = list?.kind === 'list' ? list.items : [];
  expect(second && toJson(second)).toEqual({ x: 3, sub: { y: 4 } });
  expect(at(second, 'x')).toEqual({ line: 6, column: 5 });
  expect(at(second, 'sub', 'y')).toEqual({ line: 8, column: 5 });
});

test('keys stand in the order written, numbers and escapes included', () => {
  const { root } = parseToml('f', 'b = 1\n10 = 2\n"\\u0061" = 3\n\'q"\' = 4\n__proto__ = 5\n');
  expect(root?.kind === 'map' && root.entries.map(({ key, at: place }) => [key, place.line])).toEqual([
    ['b', 1],
    ['10', 2],
    ['a', 3],
    ['q"', 4],
    ['__proto__', 5],
  ]);
});

test('dates stay text, large integers are numbers, infinities are text', () => {
  const { root } = parseToml('f', 'd = 1979-05-27\nt = 07:32:00\nz = 1979-05-27 07:32:00Z\nn = 9007199254740993\ni = -inf\n');
  expect(root && toJson(root)).toEqual({
    d: '1979-05-27',
    t: '07:32:00.000',
    z: '1979-05-27T07:32:00.000Z',
    n: 9007199254740992,
    i: '-inf',
  });
});

test('an empty file has no data', () => {
  expect(parseToml('f', '\ufeff# nothing\n')).toEqual({ file: 'f', diagnostics: [] });
});

test.each([
  ['a = \n', 1],
  ['[a\nb = 1', 1],
  ['a = 1\na = 2\n', 2],
  ['a = 1\nb = "\\.py$"\n', 2],
  ['a = 1 b = 2\n', 1],
])('%j is one error with a position', (text, line) => {
  const { root, diagnostics } = parseToml('f', text);
  expect(root).toBeUndefined();
  expect(diagnostics).toHaveLength(1);
  expect(diagnostics[0]).toMatchObject({ severity: 'error', code: 'invalid-toml', file: 'f', line, column: expect.any(Number) });
  expect(diagnostics[0]?.message).not.toContain('\n');
});

test('nesting beyond 200 levels is an error, in brackets and in dotted keys', () => {
  expect(parseToml('f', `a = ${'['.repeat(9_000)}`).diagnostics).toMatchObject([{ severity: 'error', line: 1 }]);
  expect(parseToml('f', `${'a.'.repeat(20_000)}b = 1`).diagnostics).toMatchObject([{ severity: 'error', code: 'too-deep', line: 1 }]);
  expect(parseToml('f', `a = ${'['.repeat(150)}${']'.repeat(150)}`).diagnostics).toEqual([]);
});

test('the text at an entry’s place is its key, and at a scalar’s place its value', () => {
  const key = fc.constantFrom('a', 'b-c', 'd e', 'x.y', '1', '"', '', 'é', '__proto__');
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom<unknown>('text', 'a\nb', '[x]', '# no', 'k = 1', '"\\', 12, -1.5, true),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(key, tie('value'), { maxKeys: 4 }),
    ),
  }));
  fc.assert(
    fc.property(fc.dictionary(key, value, { minKeys: 1, maxKeys: 5 }), (table) => {
      const text = stringify(table);
      const { root, diagnostics } = parseToml('f', text);
      expect(diagnostics).toEqual([]);
      const lines = text.split('\n');
      const rest = ({ line, column }: { line: number; column: number }) => lines[line - 1]?.slice(column - 1) ?? '';
      const check = (node: Node): void => {
        if (node.kind === 'scalar' && typeof node.value !== 'string')
          expect(rest(node.at)).toMatch(new RegExp(`^${String(node.value).replace('.', '[.]')}`));
        if (node.kind === 'scalar' && typeof node.value === 'string') expect(rest(node.at)).toMatch(/^["']/);
        if (node.kind === 'list') node.items.forEach(check);
        if (node.kind !== 'map') return;
        for (const entry of node.entries) {
          expect(rest(entry.at)).toMatch(/^["'\w]/);
          if (/^[\w-]+$/.test(entry.key)) expect(rest(entry.at).replace(/^["']/, '').startsWith(entry.key)).toBe(true);
          check(entry.value);
        }
      };
      if (root) check(root);
    }),
    { numRuns: 500 },
  );
});
