/** The laws of depth: what a hook is told about the hooks above it is what is read back. */
import { expect, test } from 'vitest';
import { childNesting, MOST_DEPTH, NOT_NESTED, nestingVariables, readNesting, tooDeep } from '../../../../src/core/contracts/nesting.ts';

test('a process that no hook started is at depth 0', () => {
  expect(readNesting({})).toEqual({ depth: 0, hooks: [] });
});

test('what a hook is told is what the process reads', () => {
  const told = childNesting(childNesting(NOT_NESTED, 'aa'), 'bb');
  expect(nestingVariables(told)).toEqual({ HOOKLINE_DEPTH: '2', HOOKLINE_HOOKS: 'aa,bb' });
  expect(readNesting(nestingVariables(told))).toEqual({ depth: 2, hooks: ['aa', 'bb'] });
});

test.each(['', 'x', '-1', '1.5', '1e3', ' 2'])('a depth of %j is none', (depth) => {
  expect(readNesting({ HOOKLINE_DEPTH: depth })).toEqual({ depth: 0, hooks: [] });
});

test('what is no mark is left out', () => {
  expect(readNesting({ HOOKLINE_DEPTH: '1', HOOKLINE_HOOKS: 'aa,,../x,bb' })).toEqual({ depth: 1, hooks: ['aa', 'bb'] });
});

test('five hooks may be above each other, a sixth may not run', () => {
  expect(tooDeep({ depth: MOST_DEPTH, hooks: [] })).toBeUndefined();
  expect(tooDeep({ depth: MOST_DEPTH + 1, hooks: [] })).toMatchObject({
    fault: 'depth',
    detail: expect.stringContaining('5 hooks are above'),
  });
});

test('a depth without marks, marks without a depth, and a large depth are all heeded', () => {
  expect(readNesting({ HOOKLINE_DEPTH: '3' })).toEqual({ depth: 3, hooks: [] });
  expect(readNesting({ HOOKLINE_HOOKS: 'aa' })).toEqual({ depth: 0, hooks: ['aa'] });
  expect(readNesting({ HOOKLINE_DEPTH: '123456' }).depth).toBe(123_456);
  expect(readNesting({ HOOKLINE_DEPTH: '1234567' }).depth).toBe(0);
  expect(readNesting({})).toBe(NOT_NESTED);
});

test('a mark is hexadecimal from its first sign to its last', () => {
  expect(readNesting({ HOOKLINE_HOOKS: `xaa,aax,${'a'.repeat(64)},${'a'.repeat(65)}` }).hooks).toEqual(['a'.repeat(64)]);
});
