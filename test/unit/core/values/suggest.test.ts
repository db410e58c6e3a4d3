/** A misspelt name is answered with the closest known one, and with none if all are far away. */
import { expect, test } from 'vitest';
import { suggest } from '../../../../src/core/values/suggest.ts';

test.each([
  ['PreToolUs', 'PreToolUse'],
  ['pre_tool_use', 'PreToolUse'],
  ['pre-tool.use ', 'PreToolUse'],
  ['PostTolUse', 'PostToolUse'],
  ['Sotp', 'Stop'],
  ['Step', 'Stop'],
  ['top', 'Stop'],
  ['xStop', 'Stop'],
])('%s means %s', (name, meant) => {
  expect(suggest(name, ['PostToolUse', 'PreToolUse', 'Stop', 'Notification'])).toBe(meant);
});

test.each(['', 'Xyzzy', 'Tool', 'StopAndGo'])('%j means none of them', (name) => {
  expect(suggest(name, ['PreToolUse', 'Stop'])).toBeUndefined();
});

test('without known names there is no suggestion', () => {
  expect(suggest('Stop', [])).toBeUndefined();
});

test('of two that are equally close, the first counts; a closer one counts more wherever it stands', () => {
  expect(suggest('ab1', ['ab2', 'ab3'])).toBe('ab2');
  expect(suggest('abc', ['abx', 'abc'])).toBe('abc');
  expect(suggest('abc', ['abc', 'abx'])).toBe('abc');
});

test('a short name may differ by two letters, a long one by a third of its letters', () => {
  expect([suggest('abcd', ['abxy']), suggest('abcd', ['axyz'])]).toEqual(['abxy', undefined]);
  expect([suggest('a'.repeat(12), [`${'a'.repeat(8)}bbbb`]), suggest('a'.repeat(12), [`${'a'.repeat(7)}bbbbb`])]).toEqual([
    `${'a'.repeat(8)}bbbb`,
    undefined,
  ]);
  expect([suggest('abcd', ['abcdef']), suggest('abcd', ['abcdefg'])]).toEqual(['abcdef', undefined]);
});

test('of an endless name only the beginning counts', () => {
  expect(suggest(`${'a'.repeat(80)}${'b'.repeat(1_000)}`, ['a'.repeat(80)])).toBe('a'.repeat(80));
});
