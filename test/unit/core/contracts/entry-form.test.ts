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

test.each([
  ['a handler without a type', { Stop: { command: 'x' } }],
  ['a handler without a command', { Stop: { type: 'command' } }],
  ['a handler whose type is a list', { Stop: { type: ['command'], command: 'x' } }],
  ['a list of handlers', { Stop: [{ type: 'command', command: 'x' }] }],
  ['a number', { Stop: 1 }],
  ['nothing', { Stop: null }],
  ['an empty map', { Stop: {} }],
  ['a text under a key that begins with a small letter', { stop: 'x' }],
  ['a group under a key with a capital letter further on', { preToolUse: { hooks: [] } }],
  ['a text where a second map of events could be', { hooks: 'x' }],
  ['a list where a second map of events could be', { hooks: [{ hooks: [] }] }],
])('%s is of the second form', (_, hooks) => {
  expect([keysOf(hooks, 'groups'), keysOf(hooks, 'rest')]).toEqual([{}, hooks]);
});

test.each([
  ['a handler', { Stop: { type: 'x', command: null } }],
  ['an empty text', { Stop: '' }],
  ['a group whose hooks are broken', { Stop: { hooks: 1 } }],
  ['a second map of events', { hooks: { a: 1 } }],
])('%s is of the first form', (_, hooks) => {
  expect([keysOf(hooks, 'groups'), keysOf(hooks, 'rest')]).toEqual([hooks, undefined]);
});

test('the rest of the file stays, in its place', () => {
  const document = parseJson('f', '{"a": 1, "hooks": {"stop": "x", "Stop": "x"}, "b": 2}');
  for (const [form, hooks] of [
    ['groups', { Stop: 'x' }],
    ['rest', { stop: 'x' }],
  ] as const) {
    const found = entriesOfForm(document, form);
    expect(found).toMatchObject({ file: 'f', diagnostics: [] });
    expect(found?.root && toJson(found.root)).toEqual({ a: 1, hooks, b: 2 });
  }
  for (const text of ['[]', '"x"', '', '{"hooks": "x"}']) {
    const other = parseJson('f', text);
    expect([entriesOfForm(other, 'groups'), entriesOfForm(other, 'rest')]).toEqual([other, undefined]);
  }
});
