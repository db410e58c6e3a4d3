import { expect, test } from 'vitest';
import { type EntryForm, entriesOfForm } from '../../../../src/core/contracts/dialect.ts';
import { fieldOf, toJson } from '../../../../src/core/values/document.ts';
import { parseJson } from '../../../../src/load/formats/json.ts';

const keysOf = (hooks: unknown, form: EntryForm): unknown => {
  const document = entriesOfForm(parseJson('f', JSON.stringify({ other: 1, hooks })), form);
  const found = fieldOf(document?.root, 'hooks');
  return found && toJson(found);
};

test('groups under a PascalCase key are one form, everything else the other, and every entry is of exactly one', () => {
  const groups = {
    PreToolUse: [{ hooks: [] }],
    Stop: { hooks: [] },
    Mixed: ['x', { hooks: [] }],
    One: { type: 'command', command: 'x' },
    Text: 'x',
    hooks: {},
  };
  const rest = { preToolUse: [{ hooks: [] }], SessionEnd: ['x'], PreCompact: { name: 'x' }, SubagentStop: [], Setup: true };
  expect(keysOf({ ...groups, ...rest }, 'groups')).toEqual(groups);
  expect(keysOf({ ...groups, ...rest }, 'rest')).toEqual(rest);
});

test('what is no map of events is of the first form alone, so that it is complained about once', () => {
  expect(keysOf(['x'], 'groups')).toEqual(['x']);
  expect(keysOf(['x'], 'rest')).toBe(undefined);
});

test('a file without an entry of the second form is nothing to it; the first has its say about all the rest', () => {
  const document = parseJson('f', '{"hooks": {"Stop": [{"hooks": []}]}, "disableAllHooks": "x"}');
  expect(entriesOfForm(document, 'rest')).toBe(undefined);
  expect(entriesOfForm(parseJson('f', '{"hooks": {"stop": ["x"]}, "disableAllHooks": "x"}'), 'groups')?.root).toMatchObject({
    kind: 'map',
  });
  expect(entriesOfForm(parseJson('f', '{"other": 1}'), 'groups')).toBeDefined();
});
