import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Hook } from '../../../src/core/contracts/hook.ts';
import type { Snapshot } from '../../../src/trust/hook-digest.ts';
import { openKeptTexts } from '../../../src/trust/kept-texts.ts';
import { openTrust, type TrustEntry } from '../../../src/trust/trust-file.ts';

let state: string;
let file: string;
beforeEach(() => {
  state = join(mkdtempSync(join(tmpdir(), 'trust-')), 'state');
  file = join(state, 'hookline/trust.json');
});
afterEach(() => rmSync(join(state, '..'), { recursive: true, force: true }));

const entry = (digest: string, more: Partial<TrustEntry> = {}): TrustEntry => ({
  digest,
  name: 'gate',
  dialect: 'd',
  file: '/r/f',
  root: '/r',
  at: '2026-01-02T03:04:05Z',
  id: 'd:f#gate',
  by: 'ann',
  via: 'prompt',
  ...more,
});

const old = (digest: string): TrustEntry => {
  const { id: _, by: __, via: ___, ...rest } = entry(digest);
  return rest;
};

/** The hook that these entries are about, as far as trust looks at it. */
const hook = { id: 'd:f#gate', name: 'gate', dialect: 'd', source: { file: '/r/f', scope: 'project' } } as Hook;
const print = (digest: string, legacy = 'none') => ({ digest, legacy: () => legacy });
const snapshot = (definition: string, ...texts: string[]): Snapshot => ({
  ...print('x'),
  definition,
  files: texts.map((text, i) => ({ name: `f${i}`, hash: openKeptHash(text), text })),
});
const openKeptHash = (text: string): string => process.getBuiltinModule('node:crypto').hash('sha256', text);
const stateOf = (digest: string, root = '/r') => openTrust(state).stateOf(hook, print(digest), root);

test('nothing is trusted at first, and asking writes nothing', () => {
  const trust = openTrust(state);
  expect([trust.list(), trust.denied(), trust.isEmpty('/r'), trust.problem]).toEqual([[], [], true, undefined]);
  expect(stateOf('x')).toBe('untrusted');
  expect(() => statSync(state)).toThrow();
});

test('what was added is trusted by whoever opens it next, in a file for the user alone', () => {
  openTrust(state).add(entry('one'));
  const trust = openTrust(state);
  expect(trust.list()).toEqual([entry('one')]);
  expect([trust.isEmpty('/r'), trust.isEmpty('/other')]).toEqual([false, true]);
  expect([stateOf('one'), stateOf('two'), stateOf('one', '/other')]).toEqual(['trusted', 'modified', 'untrusted']);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(join(state, 'hookline')).mode & 0o777).toBe(0o700);
  expect(readdirSync(join(state, 'hookline'))).toEqual(['trust.json']);
});

test('a hook that has changed is modified; another name, file or project is just untrusted', () => {
  const trust = openTrust(state);
  trust.add(entry('one'));
  const ask = (change: Partial<Hook>) => trust.stateOf({ ...hook, ...change }, print('two'), '/r');
  expect([ask({}), ask({ name: 'x' }), ask({ dialect: 'x' }), ask({ source: { file: '/r/g', scope: 'project' } })]).toEqual([
    'modified',
    ...Array.from({ length: 3 }, () => 'untrusted'),
  ]);
});

test('a no is remembered for what the hook is now, and undone by a yes', () => {
  const trust = openTrust(state);
  trust.add(entry('one'));
  trust.deny(entry('one'));
  expect([stateOf('one'), stateOf('two')]).toEqual(['denied', 'untrusted']);
  expect(openTrust(state).denied()).toEqual([entry('one')]);
  trust.add(entry('one'));
  expect([stateOf('one'), openTrust(state).denied()]).toEqual(['trusted', []]);
  trust.deny(entry('two'));
  expect(trust.remove(() => true)).toHaveLength(2);
  expect([stateOf('one'), stateOf('two')]).toEqual(['untrusted', 'untrusted']);
});

test('a hook that is trusted again is not trusted as what it was before, unless another hook still is that', () => {
  const trust = openTrust(state);
  trust.add(entry('one'));
  expect(trust.add(entry('two'))).toMatchObject({ digest: 'two', previous: 'one' });
  expect([stateOf('one'), stateOf('two')]).toEqual(['modified', 'trusted']);
  expect(trust.add(entry('three'), undefined, new Set(['two', 'three']))).not.toHaveProperty('previous');
  expect([stateOf('two'), stateOf('three')]).toEqual(['trusted', 'trusted']);
});

test('what an older version wrote is read, and what it trusted stays trusted by its digest', () => {
  mkdirSync(join(state, 'hookline'), { recursive: true });
  writeFileSync(file, JSON.stringify({ trusted: [old('old')] }));
  const trust = openTrust(state);
  expect([trust.problem, trust.list()]).toEqual([undefined, [old('old')]]);
  expect(trust.stateOf(hook, print('new', 'old'), '/r')).toBe('trusted');
  expect(trust.stateOf(hook, print('new', 'other'), '/r')).toBe('modified');
  trust.add(entry('new'));
  expect(openTrust(state).list()).toEqual([entry('new', { previous: 'old' })]);
  expect(trust.stateOf(hook, print('other', 'new'), '/r')).toBe('modified');
});

test('two that are open at once do not undo each other, and see what the other did', () => {
  const [first, second] = [openTrust(state), openTrust(state)];
  const other = entry('two', { name: 'wall', id: 'd:f#wall' });
  first.add(entry('one'));
  second.add(other);
  second.add(other);
  expect(openTrust(state).list()).toEqual([entry('one'), other]);
  expect(first.list()).toHaveLength(1);
  first.refresh();
  expect(first.list()).toHaveLength(2);
});

test('removing answers with what was removed', () => {
  const trust = openTrust(state);
  const other = entry('two', { name: 'wall' });
  trust.add(entry('one'));
  trust.add(other);
  expect(trust.remove(({ digest }) => digest === 'one')).toEqual([entry('one')]);
  expect(openTrust(state).list()).toEqual([other]);
  expect(trust.remove(() => false)).toEqual([]);
});

test('what was trusted is kept by its content, for the user alone, and goes when nobody refers to it', () => {
  const texts = openKeptTexts(state);
  const trust = openTrust(state, texts);
  trust.add(entry('one'), snapshot('definition', 'shared', 'a'));
  const second = trust.add(entry('two', { name: 'wall' }), snapshot('other', 'shared'));
  const folder = join(state, 'hookline/trusted');
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(readdirSync(folder)).toHaveLength(4);
  for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  trust.remove(({ digest }) => digest === 'one');
  expect(readdirSync(folder).sort()).toEqual([openKeptHash('other'), openKeptHash('shared')].sort());
  expect(texts.read(second.kept?.definition ?? '')).toBe('other');
});

test('a kept text that was tampered with is no evidence', () => {
  const texts = openKeptTexts(state);
  const { definition } = texts.keep(snapshot('definition'));
  writeFileSync(join(state, 'hookline/trusted', definition), 'forged');
  expect(texts.read(definition)).toBeUndefined();
  expect(texts.read('../trust.json')).toBeUndefined();
  texts.keep(snapshot('definition'));
  expect(texts.read(definition)).toBe('definition');
});

test.each(['', 'oops', '[]', '{"trusted": [{"digest": 1}]}', '{"trusted": {}}', '{"trusted": [], "denied": 1}', '\0'])(
  'a broken file (%j) trusts nobody and says so; adding keeps it aside',
  (text) => {
    mkdirSync(join(state, 'hookline'), { recursive: true });
    writeFileSync(file, text);
    const trust = openTrust(state);
    expect(trust.list()).toEqual([]);
    expect(trust.problem).toMatchObject({ severity: 'error', code: 'broken-trust', file });
    trust.add(entry('one'));
    expect(trust.problem).toBeUndefined();
    expect(stateOf('one')).toBe('trusted');
    expect(readFileSync(`${file}.broken`, 'utf8')).toBe(text);
  },
);

test('a state folder that can not be written is an error that says so', () => {
  mkdirSync(join(state, '..'), { recursive: true });
  writeFileSync(state, 'a file in its place');
  expect(() => openTrust(state).add(entry('one'))).toThrowError(expect.objectContaining({ code: 'unreadable-source' }));
});
