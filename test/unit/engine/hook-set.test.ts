/** A set of hooks: its order, its digest, and what is left out of it. */
import { expect, test } from 'vitest';
import type { Hook } from '../../../src/core/contracts/hook.ts';
import { buildSet, excludeHooks, inSequence, sameLane, setDigest } from '../../../src/engine/hook-set.ts';
import { event, hook, smallDialect } from '../../flows/engine/small-engine.ts';

const DIALECTS = [smallDialect('a'), smallDialect('b', { order: 'declared' })];
const MANAGED = { source: { file: 'm', scope: 'managed' } } as const;
const make = (name: string, more: Partial<Hook> = {}): Hook => hook(name, () => undefined, more);
const names = (...hooks: Hook[]) => buildSet(hooks, DIALECTS).placed.map(({ hook: { name } }) => name);
const flaw = { by: 'x', diagnostic: { severity: 'error', code: 'c', message: 'm' } } as const;

test('lanes come in the order of the dialects, managed ones last, and equals as they were declared', () => {
  expect(names(make('b/1'), make('a/1'), make('a/2'), make('b/2'), make('a/3'))).toEqual(['a/1', 'a/2', 'a/3', 'b/1', 'b/2']);
  expect(names(make('a/m', MANAGED), make('b/1'), make('b/m', MANAGED), make('a/1'))).toEqual(['a/1', 'b/1', 'a/m', 'b/m']);
});

test('a higher priority comes first where the dialect has priorities, and counts for nothing elsewhere', () => {
  const both = (dialect: string) => [make(`${dialect}/low`, { priority: 1 }), make(`${dialect}/high`, { priority: 2 })];
  expect(names(...both('a'))).toEqual(['a/high', 'a/low']);
  expect(names(...both('b'))).toEqual(['b/low', 'b/high']);
  expect(names(make('a/m', { ...MANAGED, priority: 9 }), make('b/1'))).toEqual(['b/1', 'a/m']);
});

test('a hook of an event that its dialect does not have is not placed, and the order has no gaps', () => {
  const { placed } = buildSet([make('a/1'), make('a/2', { event: 'none' }), make('a/3')], DIALECTS);
  expect(placed.map(({ hook: { name }, order }) => [name, order])).toEqual([
    ['a/1', 0],
    ['a/3', 1],
  ]);
});

test('a flaw of the set stays, unless a function of the wanted name is there', () => {
  const missing = [flaw, { ...flaw, unless: 'a/gate' }];
  const count = (...hooks: Hook[]) => buildSet(hooks, DIALECTS, { required: new Set(['x']), missing }).missing.length;
  expect([count(), count(make('a/other')), count(make('a/gate'))]).toEqual([2, 2, 1]);
  const { run: _, ...file } = make('a/gate');
  expect(count(file)).toBe(2);
  expect(buildSet([], DIALECTS, { required: new Set(['x']), missing }).required).toEqual(new Set(['x']));
  expect(buildSet([], DIALECTS)).toMatchObject({ required: new Set(), missing: [], sequences: false });
});

test('a hook that wants its lane in sequence counts for its lane alone', () => {
  const set = buildSet([make('a/1', { sequence: true }), make('a/2'), make('b/1'), make('a/m', MANAGED)], DIALECTS);
  expect(set.sequences).toBe(true);
  expect(set.placed.map((one) => inSequence(set.placed, one))).toEqual([true, true, false, false]);
  const plain = buildSet([make('a/1')], DIALECTS);
  expect(plain.sequences).toBe(false);
  expect(plain.placed.map((one) => inSequence(plain.placed, one))).toEqual([false]);
});

test('a lane is a dialect, managed or not, judged or not', () => {
  const { placed } = buildSet([make('a/1'), make('a/2'), make('b/1'), make('a/m', MANAGED)], DIALECTS);
  const [first, ...others] = placed;
  expect(others.map((other) => first && sameLane(first, other))).toEqual([true, false, false]);
  expect(first && sameLane(first, { ...first, judged: true })).toBe(false);
});

test('hooks that a model answers come after all others, managed ones too, in the order that they would have', () => {
  const { run: _, ...file } = make('a/file');
  const asked = (name: string, more: Partial<Hook> = {}): Hook => ({ ...file, id: name, name, dialect: name.charAt(0), ...more });
  const judged = { handler: { type: 'model', config: {} } };
  const hooks = [
    asked('b/judge', judged),
    asked('a/m-judge', { ...judged, ...MANAGED }),
    asked('a/judge', judged),
    asked('b/1'),
    asked('a/m', MANAGED),
  ];
  const { placed } = buildSet(hooks, DIALECTS, undefined, ({ handler }) => handler.type === 'model');
  expect(placed.map(({ hook: { name } }) => name)).toEqual(['b/1', 'a/m', 'a/judge', 'b/judge', 'a/m-judge']);
  expect(placed.map(({ judged: is }) => is ?? false)).toEqual([false, false, true, true, true]);
  expect(buildSet([make('a/function', judged), make('a/2')], DIALECTS, undefined, () => true).placed[0]?.judged).toBeUndefined();
});

test('hooks of the named dialects are never selected, functions and other dialects are', () => {
  const { run: _, ...file } = make('a/file');
  const { run: __, ...other } = make('b/file');
  const set = buildSet([file, make('a/function'), other], DIALECTS);
  const selected = (...dialects: string[]) =>
    excludeHooks(set, dialects)
      .index.select(event('tool.before'))
      .map(({ hook: { name } }) => name);
  expect(selected('a')).toEqual(['a/function', 'b/file']);
  expect(selected('a', 'b')).toEqual(['a/function']);
  expect(selected()).toEqual(['a/file', 'a/function', 'b/file']);
  expect(excludeHooks(set, ['a']).placed).toBe(set.placed);
});

test('the digest of a set changes with every part of a hook and with the order, and is worked out once', () => {
  const digest = (...hooks: Hook[]) => setDigest(buildSet(hooks, DIALECTS), (text) => text);
  const changes: Partial<Hook>[] = [
    { event: 'watch' },
    { name: 'x' },
    { when: [{ facet: 'tool', test: { kind: 'oneOf', values: ['x'] }, missing: 'fails' }] },
    { handler: { type: 'command', config: {} } },
    { timeoutMs: 1 },
    { priority: 1 },
    { detach: true },
    { enabled: false },
    { source: { file: 'other', scope: 'project' } },
  ];
  const all = [digest(), digest(make('a/1')), ...changes.map((change) => digest(make('a/1', change))), digest(make('a/1'), make('a/2'))];
  expect(new Set(all).size).toBe(all.length);
  expect(digest(make('a/1'), make('a/2'))).not.toBe(digest(make('a/2'), make('a/1')));
  expect(digest(make('a/1', { id: 'other' }))).toBe(digest(make('a/1')));
  let times = 0;
  const set = buildSet([make('a/1')], DIALECTS);
  for (const _ of [1, 2]) expect(setDigest(set, () => String(times++))).toBe('sha256:0');
});
