import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toJson } from '../../../../src/core/values/document.ts';
import { parsePlainYaml } from '../../../../src/load/formats/plain-yaml.ts';
import { parseYaml } from '../../../../src/load/formats/yaml.ts';

/** Plain, nearly plain and not plain at all, apart by two spaces. */
const VALUES = [
  String.raw`x  some text  "quoted"  'single'  "es\ncape"  "say \"hi\" \\ there"  "open\"  'it''s'  12  -3  -0  007  1.5  1e3  0x1f  +4  0o7`,
  `true  False  null  ~  ~/x  yes  a: b  a:  a:b  x # c  x#c  # c  #c  [1, 2]  {a: 1}  &a x  *a  !t x  |  >-  @x  %d  é ü  🎉 party  1_000  ""  ''`,
  String.raw`"a" b  "a" # c  "a"#c  'open  - x  ?  : x  .inf  .5  ...  ---  =  2024-01-01  ./run.sh  $X  \.py$  "\.py$"  , x  ] x  12 monkeys`,
].flatMap((row) => row.split('  '));

const line = fc
  .record({
    indent: fc.constantFrom(0, 0, 0, 1, 2, 2, 2, 3, 4, 4, 6),
    dash: fc.constantFrom('', '', '', '- ', '- ', '-', '-  ', '- - '),
    key: fc.constantFrom('', 'a:', 'b:', 'name:', 'x-y:', 'true:', '1:', '__proto__:', 'a.b:', 'a :', '"q":', '? k', '<<:', 'k:'),
    gap: fc.constantFrom('', ' ', ' ', ' ', '  ', '\t'),
    value: fc.constantFrom('', '', '', 'x\u00a0', '\u00a0', 'x\u0085y', ...VALUES),
    tail: fc.constantFrom('', '', '', '', ' ', '   ', ' # c', '\r', '\t'),
  })
  .map(({ indent, dash, key, gap, value, tail }) => ' '.repeat(indent) + dash + key + gap + value + tail);

const nearlyPlain = fc
  .tuple(
    fc.array(fc.oneof({ weight: 9, arbitrary: line }, fc.constantFrom('', '  ', '# c', '    # c', '...', '---')), { maxLength: 9 }),
    fc.constantFrom('\n', '\n', '\r\n'),
  )
  .map(([lines, end]) => lines.join(end) + end);

/** A tree written out as plain YAML, so that deep and valid structures turn up often. */
const { tree } = fc.letrec<{ tree: string[]; map: string[]; list: string[]; scalar: string[] }>((tie) => ({
  scalar: fc.constantFrom('x', '"y z"', "'q'", '7', 'true', 'null', 'a # c', '', '# c').map((text) => [` ${text}`]),
  map: fc
    .tuple(
      fc.uniqueArray(fc.constantFrom('a', 'b', 'c-d', 'e_f', 'G'), { minLength: 1, maxLength: 4 }),
      fc.infiniteStream(tie('tree')),
      fc.constantFrom(1, 2, 3),
    )
    .map(([keys, values, step]) => keys.flatMap((key) => join(`${key}:`, values.next().value, step))),
  list: fc
    .tuple(fc.array(tie('tree'), { minLength: 1, maxLength: 3 }), fc.constantFrom(1, 2))
    .map(([items, step]) =>
      items.flatMap((item) => (item.length === 1 && item[0]?.startsWith(' ') ? [`-${item[0]}`] : compact(item, step))),
    ),
  tree: fc.oneof({ maxDepth: 4, withCrossShrink: true }, tie('scalar'), tie('map'), tie('list')),
}));

function join(head: string, body: readonly string[], step: number): string[] {
  if (body.length === 1 && body[0]?.startsWith(' ')) return [head + body[0]];
  return [head, ...body.map((text) => ' '.repeat(step) + text)];
}

function compact(item: readonly string[], step: number): string[] {
  return item.map((text, index) => (index === 0 ? `-${' '.repeat(step)}` : ' '.repeat(step + 1)) + text);
}

function agree(source: string): boolean {
  const plain = parsePlainYaml(source, 2);
  if (plain === undefined) return false;
  const { root, diagnostics } = parseYaml('f', source, 2);
  expect(diagnostics).toEqual([]);
  expect(plain.root).toEqual(root);
  return true;
}

test('what the plain reader accepts, the YAML library reads the same, at the same positions', () => {
  fc.assert(
    fc.property(nearlyPlain, (source) => void agree(source)),
    { numRuns: 20_000 },
  );
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 30 }), (source) => void agree(source)),
    { numRuns: 3_000 },
  );
});

test('plain structures are accepted, not handed on', () => {
  let accepted = 0;
  fc.assert(
    fc.property(tree, (lines) => {
      if (agree(`${lines.join('\n')}\n`)) accepted++;
    }),
    { numRuns: 3_000 },
  );
  expect(accepted).toBeGreaterThan(600);
});

test('the frontmatter of a hook is plain', () => {
  const source = [
    'name: gate # its folder',
    'description: "Guards: deploys"',
    'trigger: before_tool',
    'timeout: 5000',
    'async: false',
    'metadata:',
    "  tool: 'Shell|Write'",
    '  empty:',
    'hooks:',
    '  PreToolUse:',
    '    - matcher: Shell',
    '      hooks:',
    '      - type: command',
    '        command: echo "x: y" > log',
    '',
  ].join('\r\n');
  const fixed = source.replace('echo "x: y" > log', 'echo "x" > log');
  expect(parsePlainYaml(source, 2)).toBeUndefined();
  const root = parsePlainYaml(fixed, 2)?.root;
  expect(agree(fixed)).toBe(true);
  expect(root && toJson(root)).toEqual({
    name: 'gate',
    description: 'Guards: deploys',
    trigger: 'before_tool',
    timeout: 5000,
    async: false,
    metadata: { tool: 'Shell|Write', empty: null },
    hooks: { PreToolUse: [{ matcher: 'Shell', hooks: [{ type: 'command', command: 'echo "x" > log' }] }] },
  });
});

test.each([
  ['a: &x 1', 'anchors'],
  ['a: *x', 'aliases'],
  ['a: !t 1', 'tags'],
  ['a: [1]', 'flow collections'],
  ['a: |\n  x', 'block scalars'],
  ['a: x\n  y', 'scalars over several lines'],
  ['a:\tx', 'tabs'],
  ['a: "\\n"', 'escapes'],
  ['a: 1\na: 2', 'duplicate keys'],
  ['a:\n   b: 1\n  c: 2', 'odd indentation'],
  ['a: 1\n---\nb: 2', 'documents'],
  ['1: x', 'keys that are not text'],
])('%j is left to the library: %s', (source) => {
  expect(parsePlainYaml(source, 1)).toBeUndefined();
});

test('a long line of spaces costs no more than its length', () => {
  const started = performance.now();
  parsePlainYaml(`a: ${' '.repeat(120_000)}x${' '.repeat(120_000)}# c\n`, 1);
  parsePlainYaml(`${' '.repeat(120_000)}x\n`, 1);
  expect(performance.now() - started).toBeLessThan(15_000);
});
