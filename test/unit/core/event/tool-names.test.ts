import { expect, test } from 'vitest';
import { aliasesOf, TOOL_ROWS } from '../../../../src/core/event/tool-names.ts';

test('a name belongs to one row, so a tool is never taken for two', () => {
  const names = TOOL_ROWS.flatMap(({ names: row }) => row);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test.each([
  ['TabRead', 'Read'],
  ['TabWrite', 'Write'],
  ['patch', 'Edit'],
  ['list', 'LS'],
  ['todowrite', 'TodoWrite'],
])('a matcher for %s also fires for %s', (own, other) => {
  expect(aliasesOf(own)).toContain(other);
  expect(aliasesOf(other)).toContain(own);
});
