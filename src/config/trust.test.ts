import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTrust } from './trust.ts';

let state: string;
let file: string;
beforeEach(() => {
  state = join(mkdtempSync(join(tmpdir(), 'trust-')), 'state');
  file = join(state, 'hookline/trust.json');
});
afterEach(() => rmSync(join(state, '..'), { recursive: true, force: true }));

const entry = (digest: string, root = '/r') => ({
  digest,
  name: 'gate',
  dialect: 'd',
  file: `${root}/f`,
  root,
  at: '2026-01-02T03:04:05Z',
});

test('nothing is trusted at first, and asking writes nothing', () => {
  const trust = openTrust(state);
  expect([trust.list(), trust.isEmpty(), trust.has('x'), trust.problem]).toEqual([[], true, false, undefined]);
  expect(() => statSync(state)).toThrow();
});

test('what was added is trusted by whoever opens it next, in a file for the user alone', () => {
  openTrust(state).add(entry('one'));
  const trust = openTrust(state);
  expect(trust.list()).toEqual([entry('one')]);
  expect([trust.isEmpty(), trust.has('one'), trust.has('two')]).toEqual([false, true, false]);
  expect([trust.has('one', '/r'), trust.has('one', '/other')]).toEqual([true, false]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(join(state, 'hookline')).mode & 0o777).toBe(0o700);
  expect(readdirSync(join(state, 'hookline'))).toEqual(['trust.json']);
});

test('adding twice keeps one; two that are open at once do not undo each other', () => {
  const [first, second] = [openTrust(state), openTrust(state)];
  first.add(entry('one'));
  second.add(entry('two'));
  second.add(entry('two'));
  expect(
    openTrust(state)
      .list()
      .map(({ digest }) => digest)
      .sort(),
  ).toEqual(['one', 'two']);
});

test('removing answers with what was removed', () => {
  const trust = openTrust(state);
  trust.add(entry('one'));
  trust.add(entry('two'));
  expect(trust.remove(({ digest }) => digest === 'one')).toEqual([entry('one')]);
  expect(trust.has('one')).toBe(false);
  expect(openTrust(state).list()).toEqual([entry('two')]);
  expect(trust.remove(() => false)).toEqual([]);
});

test.each(['', 'oops', '[]', '{"trusted": [{"digest": 1}]}', '{"trusted": {}}', '\0'])(
  'a broken file (%j) trusts nobody and says so; adding keeps it aside',
  (text) => {
    mkdirSync(join(state, 'hookline'), { recursive: true });
    writeFileSync(file, text);
    const trust = openTrust(state);
    expect(trust.list()).toEqual([]);
    expect(trust.problem).toMatchObject({ severity: 'error', code: 'broken-trust', file });
    trust.add(entry('one'));
    expect(trust.problem).toBeUndefined();
    expect(openTrust(state).has('one')).toBe(true);
    expect(readFileSync(`${file}.broken`, 'utf8')).toBe(text);
  },
);

test('a state folder that can not be written is an error that says so', () => {
  mkdirSync(join(state, '..'), { recursive: true });
  writeFileSync(state, 'a file in its place');
  expect(() => openTrust(state).add(entry('one'))).toThrowError(expect.objectContaining({ code: 'unreadable-source' }));
});
