import { expect, test } from 'vitest';
import { isRemotePath, readArguments } from '../../../../src/guard/effects/arguments.ts';

const SYNTAX = { valued: 'tS', long: ['recursive', 'reference=', 'force', 'target-directory='] };
const read = (line: string) => readArguments(line.split(' '), SYNTAX);

test('options stand anywhere before --, short ones in clusters', () => {
  const { operands, has } = read('x a -rf b -- -S c');
  expect(operands).toEqual(['a', 'b', '-S', 'c']);
  expect(has('r') && has('f')).toBe(true);
  expect(has('S')).toBe(false);
});

test('values are taken from the option or from the next word', () => {
  expect(read('x -t d a').operands).toEqual(['a']);
  expect(read('x -td a').values('t')).toEqual(['d']);
  expect(read('x -rt d a').values('t')).toEqual(['d']);
  expect(read('x --target-directory d a').values('target-directory')).toEqual(['d']);
  expect(read('x --target-directory=d a').operands).toEqual(['a']);
});

test('a long option may be shortened as long as it is clear; one that is not does nothing', () => {
  expect(read('x --rec a').has('recursive')).toBe(true);
  expect(read('x --forc a').has('force')).toBe(true);
  expect(read('x --re a').idle).toBe(true);
  expect(read('x --rec a').idle).toBe(false);
});

test('asked for help, a tool does nothing else', () => {
  expect(read('x -rf / --help').idle).toBe(true);
  expect(read('x --version').idle).toBe(true);
  expect(read('x -- --help').idle).toBe(false);
});

test('a path on another machine is told from one here', () => {
  for (const path of ['host:/x', 'me@host:x', 'host::module', 'rsync://host/x']) expect(isRemotePath(path)).toBe(true);
  for (const path of ['/x', './a:b', 'x', 'C:/x']) expect(isRemotePath(path)).toBe(false);
});
