/** A process reads the results of an earlier one only where they cannot be used to change what runs. */
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openMemory } from '../../../src/load/memory.ts';

let state: string;
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'memory-'));
});
afterEach(() => rmSync(state, { recursive: true, force: true }));

const program = (change = {}) => ({ build: 'one', folder: state, policy: join(state, 'no-policy.json'), ...change });
const folder = (): string => join(state, 'hookline', 'memory');

test('what was kept is read by the next process of the same build, and by no other', () => {
  openMemory(state, undefined, program())?.write('key', { a: [1] });
  expect(openMemory(state, undefined, program())?.read('key')).toEqual({ a: [1] });
  expect(openMemory(state, undefined, program())?.read('other key')).toBeUndefined();
  expect(openMemory(state, undefined, program({ build: 'two' }))?.read('key')).toBeUndefined();
});

test('nothing is remembered under a managed policy, given or of the machine', () => {
  expect(openMemory(state, '/a/policy.json', program())).toBeUndefined();
  writeFileSync(join(state, 'policy.json'), '{}');
  expect(openMemory(state, undefined, program({ policy: join(state, 'policy.json') }))).toBeUndefined();
});

test('nothing is remembered where the user could not change the program itself', () => {
  expect(openMemory(state, undefined, program({ folder: join(state, 'not-there') }))).toBeUndefined();
});

test('nothing is remembered by a bundle that does not know its own place', () => {
  expect(openMemory(state, undefined, program({ folder: undefined }))).toBeUndefined();
});

test('nothing is remembered by a program that was not built', () => {
  expect(openMemory(state, undefined, program({ build: undefined }))).toBeUndefined();
  expect(openMemory(state, undefined)).toBeUndefined();
});

test.each([0o770, 0o707, 0o750])('a folder that others may use (%o) is not read', (mode) => {
  openMemory(state, undefined, program())?.write('key', 'kept');
  chmodSync(folder(), mode);
  expect(openMemory(state, undefined, program())?.read('key')).toBeUndefined();
});

test('a state folder that others may write is not read, since they could put another folder there', () => {
  openMemory(state, undefined, program())?.write('key', 'kept');
  chmodSync(join(state, 'hookline'), 0o777);
  expect(openMemory(state, undefined, program())?.read('key')).toBeUndefined();
});

test('an entry that was cut short counts as none', () => {
  const memory = openMemory(state, undefined, program());
  memory?.write('key', { a: 1 });
  for (const name of readdirSync(folder())) writeFileSync(join(folder(), name), '{"a"');
  expect(memory?.read('key')).toBeUndefined();
});

test('a state folder that cannot be written fails nothing', () => {
  writeFileSync(join(state, 'hookline'), 'a file where the folder belongs');
  const memory = openMemory(state, undefined, program());
  expect(() => memory?.write('key', 1)).not.toThrow();
  expect(memory?.read('key')).toBeUndefined();
});

test('the folder does not grow without end', () => {
  mkdirSync(folder(), { recursive: true, mode: 0o700 });
  chmodSync(join(state, 'hookline'), 0o700);
  for (let at = 0; at < 512; at++) writeFileSync(join(folder(), `${at}.json`), '1');
  openMemory(state, undefined, program())?.write('key', 1);
  expect(readdirSync(folder())).toHaveLength(1);
});
