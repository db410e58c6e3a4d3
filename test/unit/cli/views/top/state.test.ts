import { expect, test } from 'vitest';
import { type OpenPage, press, type ScreenState, type Seen, START } from '../../../../../src/cli/views/top/state.ts';

const TICKETS = ['one', 'two', 'three'].map((id) => ({ key: id, target: { kind: 'ticket', id } as const }));
const SEEN: Seen = { rows: { waiting: TICKETS, sessions: [], decisions: [], hooks: [] }, lines: 100, height: 10 };
const ASKED: OpenPage = {
  ...{ target: { kind: 'ticket', id: 'two' }, page: () => '', scroll: 0, isRead: true },
  asks: { answer: 'approved', isShown: true },
};

function after(keys: readonly string[], from: ScreenState = START): ScreenState {
  return keys.reduce((state, key) => press(state, key, SEEN).state, from);
}

test('the first row stays the first one, and another choice stays on its row', () => {
  expect(after(['j']).chosen.waiting).toBe('two');
  expect(after(['j', 'k']).chosen.waiting).toBeNull();
  expect(after(['G']).chosen.waiting).toBe('three');
  expect(after(['j', 'j', 'j', 'j']).chosen.waiting).toBe('three');
  const gone = { ...SEEN, rows: { ...SEEN.rows, waiting: TICKETS.slice(0, 1) } };
  expect(press(after(['j']), 'return', gone).wish).toMatchObject({ kind: 'open', target: { id: 'one' } });
  expect(press(START, 'j', gone).state.chosen.waiting).toBeNull();
});

test('a key that settles opens the chosen action with a question, and settles nothing', () => {
  expect(press(after(['j']), 'a', SEEN).wish).toEqual({ kind: 'open', target: { kind: 'ticket', id: 'two' }, asks: 'approved' });
  expect(press(START, 'd', SEEN).wish).toEqual({ kind: 'open', target: { kind: 'ticket', id: 'one' }, asks: 'denied' });
  const elsewhere = press(after(['tab']), 'a', SEEN);
  expect([elsewhere.wish, elsewhere.state.message]).toEqual([undefined, expect.stringContaining('Choose a waiting action')]);
});

test('only ↵ settles, once the question was shown and the page was read', () => {
  const at = (open: OpenPage): ScreenState => ({ ...START, open });
  expect(press(at(ASKED), 'return', SEEN).wish).toEqual({ kind: 'settle', ticket: 'two', answer: 'approved' });
  for (const key of ['y', 'a', 'd', 'tab', 'q', 'escape', 'n', 'p', 'j', '/'])
    expect([key, press(at(ASKED), key, SEEN).wish]).toEqual([key, undefined]);
  expect(press(at({ ...ASKED, asks: { answer: 'approved', isShown: false } }), 'return', SEEN).wish).toBeUndefined();
  const unread = press(at({ ...ASKED, isRead: false }), 'return', SEEN);
  expect([unread.wish, unread.state.message]).toEqual([undefined, expect.stringContaining('Read it to its end')]);
  expect(after(['escape'], at(ASKED)).open).toMatchObject({ asks: null });
});

test('a page scrolls within its lines', () => {
  const open = { ...START, open: { ...ASKED, asks: null } };
  expect(after(['k'], open).open?.scroll).toBe(0);
  expect(after(['space'], open).open?.scroll).toBe(9);
  expect(after(['G', 'j'], open).open?.scroll).toBe(90);
  expect(press(open, 'end', { ...SEEN, lines: 3 }).state.open?.scroll).toBe(0);
});

test('every key is text while a filter is typed, but Ctrl-C quits', () => {
  const typed = after(['/', 'q', 'a', 'space', 'ä', 'pageup', 'x', 'backspace']);
  expect(typed.typed).toBe('qa ä');
  expect(press(typed, 'return', SEEN)).toMatchObject({ state: { filter: 'qa ä', typed: null }, wish: { kind: 'read' } });
  expect(press({ ...typed, filter: 'old' }, 'escape', SEEN)).toMatchObject({ state: { filter: '', typed: null } });
  expect(press(typed, 'ctrl+c', SEEN).wish).toEqual({ kind: 'quit' });
});

test('an unknown key, also one with the name of a property of objects, does nothing', () => {
  for (const key of ['toString', 'constructor', 'f5', 'ctrl+x']) expect(press(START, key, SEEN)).toEqual({ state: START });
});
