/** A ticket in another process: its hooks are known again by what they are, and an edit has the form of its event. */
import { expect, test } from 'vitest';
import type { Hook } from '../../../../src/core/contracts/hook.ts';
import type { HeldAction } from '../../../../src/core/contracts/store.ts';
import { NOBODY } from '../../../../src/core/decision/fold.ts';
import type { HookReport } from '../../../../src/core/decision/outcome.ts';
import { settledHere } from '../../../../src/engine/decide/hooks-here.ts';
import { fitEdit, foldStateOf } from '../../../../src/engine/decide/ticket.ts';
import type { HookSet } from '../../../../src/engine/hook-set.ts';

const made = { dialect: 'a', event: 'gate', name: 'one', source: { file: '/p/one.md', scope: 'project' } } as const;
const setOf = (...hooks: readonly Partial<Hook>[]): HookSet =>
  ({ placed: hooks.map((hook) => ({ hook: { ...made, ...hook } })) }) as unknown as HookSet;
const heldBy = (more: Partial<HookReport>): HookReport[] => [{ ...made, ...more } as HookReport];
const settled = (set: HookSet, id: string): string[] => [...settledHere(set, heldBy({ id }))];

test('a hook with the same id is the one that was settled', () => {
  expect(settled(setOf({ id: 'x' }, { id: 'y' }), 'y')).toEqual(['y']);
});

test('a hook with another id is known by its format, event, name and file', () => {
  expect(settled(setOf({ id: 'new' }, { id: 'other', name: 'two' }), 'old')).toEqual(['new']);
  for (const other of [{ dialect: 'b' }, { event: 'watch' }, { name: 'two' }, { source: { file: '/p/two.md', scope: 'project' } }] as const)
    expect(settled(setOf({ id: 'new', ...other }), 'old')).toEqual([]);
});

test('of two hooks that are alike, neither counts as settled', () => {
  expect(settled(setOf({ id: 'x' }, { id: 'y' }), 'old')).toEqual([]);
  expect(settled(setOf(), 'old')).toEqual([]);
});

test('an edit has the form of its event, or nothing is settled', () => {
  expect(fitEdit('tool.before', { command: 'ls' })).toEqual({ command: 'ls' });
  expect(fitEdit('prompt.submit', 'shorter')).toBe('shorter');
  const why = (kind: Parameters<typeof fitEdit>[0], edit: Parameters<typeof fitEdit>[1]): unknown => {
    try {
      return fitEdit(kind, edit);
    } catch (error) {
      return error;
    }
  };
  expect(why('tool.before', 'ls')).toMatchObject({
    code: 'bad-option',
    message: 'The edited input of tool.before must be a map.',
    hint: 'Nothing was settled.',
  });
  expect(why('prompt.submit', {})).toMatchObject({ message: 'The edited input of prompt.submit must be text.' });
  expect(why('session.start', {})).toMatchObject({ message: 'The event session.start has no input that can be replaced.' });
});

test('a text of an old ticket without a source has nobody as its source', () => {
  const from = { hook: 'h', name: 'h', dialect: 'a', scope: 'user' } as const;
  const sum = { contextStart: ['a', 'b'], contextEnd: ['c'], startSources: [from], endSources: [] };
  expect(foldStateOf({ sum } as unknown as HeldAction)).toMatchObject({ startSources: [from, NOBODY], endSources: [NOBODY] });
  expect(foldStateOf({ sum: {} } as unknown as HeldAction)).toMatchObject({ decision: { kind: 'pass' }, contextStart: [], contextEnd: [] });
});
