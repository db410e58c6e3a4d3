import { expect, test } from 'vitest';
import type { Diagnostic } from '../../../src/core/values/diagnostic.ts';
import type { HookSource } from '../../../src/load/load-hooks.ts';
import { keepLastGood } from '../../../src/load/sources.ts';

const hook = (id: string, file: string, origin = file): HookSource => {
  const part = { id, name: id, source: { file, scope: 'project' } };
  return { hook: part as HookSource['hook'], trusted: false, origin };
};
const error = (file: string, code = 'invalid-yaml'): Diagnostic => ({ severity: 'error', code, file, message: 'x' });
const ids = ({ hooks }: { hooks: readonly HookSource[] }) => hooks.map(({ hook: { id } }) => id);

const [a, b, c, d] = [hook('a', 'A'), hook('b', 'B'), hook('c', 'C'), hook('d', 'D')];

test('a hook whose file is broken now stays, in its old place, with a warning that names it', () => {
  const next = keepLastGood([a, b, c, d], { hooks: [a, d], diagnostics: [error('B'), error('C')], files: ['A', 'B', 'C', 'D'] });
  expect(ids(next)).toEqual(['a', 'b', 'c', 'd']);
  expect(next.diagnostics.slice(2)).toMatchObject([
    { severity: 'warning', code: 'kept-last-good', file: 'B', message: expect.stringContaining('`b`') },
    { severity: 'warning', code: 'kept-last-good', file: 'C' },
  ]);
});

test('a hook that was first stays first', () => {
  expect(ids(keepLastGood([a, b], { hooks: [b, c], diagnostics: [error('A')], files: ['A', 'B', 'C'] }))).toEqual(['a', 'b', 'c']);
});

test('a hook that was removed from a good file, or with its file, is gone', () => {
  expect(ids(keepLastGood([a, b], { hooks: [a], diagnostics: [], files: ['A', 'B'] }))).toEqual(['a']);
  expect(ids(keepLastGood([a, b], { hooks: [a], diagnostics: [error('B')], files: ['A'] }))).toEqual(['a']);
  expect(ids(keepLastGood([a, b], { hooks: [a], diagnostics: [{ ...error('B'), severity: 'warning' }], files: ['A', 'B'] }))).toEqual([
    'a',
  ]);
});

test('the new version of a hook replaces the old one, broken neighbours or not', () => {
  const mended = hook('b', 'B');
  const next = keepLastGood([b, hook('b2', 'B')], { hooks: [mended], diagnostics: [error('B')], files: ['B'] });
  expect(next.hooks[0]).toBe(mended);
  expect(ids(next)).toEqual(['b', 'b2']);
});

test('hooks of a plugin stay if its manifest breaks, though the file they stand in is no longer read', () => {
  const inner = hook('p', 'hooks.json', 'plugin.json');
  expect(ids(keepLastGood([inner], { hooks: [], diagnostics: [error('plugin.json')], files: ['plugin.json'] }))).toEqual(['p']);
});

test('a hook that is one too many is not kept: nothing is wrong with its file', () => {
  expect(ids(keepLastGood([a, b], { hooks: [a], diagnostics: [error('B', 'too-many-hooks')], files: ['A', 'B'] }))).toEqual(['a']);
});
