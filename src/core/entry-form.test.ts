import { expect, test } from 'vitest';
import { parseJson } from '../formats/json.ts';
import { fieldOf, toJson } from './document.ts';
import { type EntryForm, entriesOfForm } from './entry-form.ts';

const keysOf = (hooks: unknown, form: EntryForm): unknown => {
  const { root } = entriesOfForm(parseJson('f', JSON.stringify({ other: 1, hooks })), form);
  const found = fieldOf(root, 'hooks');
  return found && toJson(found);
};

test('groups under a PascalCase key are one form, everything else the other, and every entry is of exactly one', () => {
  const groups = { PreToolUse: [{ hooks: [] }], Stop: { hooks: [] }, Mixed: ['x', { hooks: [] }], One: { type: 'command', command: 'x' }, Text: 'x', hooks: {} };
  const rest = { preToolUse: [{ hooks: [] }], SessionEnd: ['x'], PreCompact: { name: 'x' }, SubagentStop: [], Setup: true };
  expect(keysOf({ ...groups, ...rest }, 'groups')).toEqual(groups);
  expect(keysOf({ ...groups, ...rest }, 'rest')).toEqual(rest);
});

test('what is no map of events is of the first form alone, so that it is complained about once', () => {
  expect(keysOf(['x'], 'groups')).toEqual(['x']);
  expect(keysOf(['x'], 'rest')).toBe(undefined);
});
