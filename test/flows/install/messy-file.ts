/** JSON files as people leave them: comments, odd space, trailing commas, line ends of two kinds, and entries of others. */
import fc from 'fast-check';

const foreign = fc.constantFrom(
  undefined,
  {},
  { PreToolUse: [] },
  { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'mine.sh' }] }] },
  { Other: [{ hooks: [{ type: 'command', command: 'hookline guard' }] }], Stop: [{ hooks: [] }] },
);

export const messyFile: fc.Arbitrary<string> = fc
  .record({
    step: fc.constantFrom('  ', '\t', '    ', ' '),
    eol: fc.constantFrom('\n', '\r\n'),
    remark: fc.constantFrom('', ' // why', ' /* because */', ' // spaces follow  '),
    bom: fc.boolean(),
    final: fc.boolean(),
    comma: fc.boolean(),
    form: fc.constantFrom('block', 'line', 'spaced line'),
    before: fc.jsonValue({ maxDepth: 2 }),
    hooks: foreign,
    after: fc.option(fc.jsonValue({ maxDepth: 2 }), { nil: undefined }),
  })
  .map(({ step, eol, remark, bom, final, comma, form, before, hooks, after }) => {
    const value = { before, ...(hooks && { hooks }), ...(after !== undefined && { after }) };
    const lines = JSON.stringify(value, null, step).split('\n');
    // A text has no line break in it, so all of this is outside of texts.
    const isLast = (index: number): boolean => /[^[{,]$/.test(lines[index] ?? '') && /^\s*[\]}]/.test(lines[index + 1] ?? '');
    const block = lines.map((line, index) => `${line}${comma && isLast(index) ? ',' : ''}${index === 0 ? '' : remark}`).join(eol);
    const text = form === 'block' ? block : form === 'line' ? JSON.stringify(value) : lines.map((line) => line.trim()).join(' ');
    return `${bom ? '\ufeff' : ''}${text}${final ? eol : ''}`;
  });
