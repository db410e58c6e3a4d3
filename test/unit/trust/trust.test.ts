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

test('a broken file, and a broken entry in it, says what follows and what to do', () => {
  mkdirSync(join(state, 'hookline'), { recursive: true });
  writeFileSync(file, 'oops');
  const { problem } = openTrust(state);
  expect(problem?.message).toMatch(/no project hook is trusted/);
  expect(problem?.hint).toMatch(/hookline trust add/);
});

const KEPT = { definition: 'h', files: [{ name: 'f', hash: 'h' }] };
test.each([
  ...(['digest', 'name', 'dialect', 'file', 'root', 'at'] as const).flatMap((key) => [{ [key]: 1 }, { [key]: undefined }]),
  { kept: 'x' },
  { kept: null },
  { kept: [] },
  { kept: { ...KEPT, definition: 1 } },
  { kept: { ...KEPT, files: {} } },
  { kept: { ...KEPT, files: ['f'] } },
  { kept: { ...KEPT, files: [null] } },
  { kept: { ...KEPT, files: [{ name: 'f' }] } },
  { kept: { ...KEPT, files: [{ hash: 'h' }] } },
  { kept: { ...KEPT, files: [...KEPT.files, { name: 1, hash: 'h' }] } },
])('an entry that is none (%j) breaks the file, so that no half of it counts', (change) => {
  mkdirSync(join(state, 'hookline'), { recursive: true });
  for (const lists of [
    { trusted: [entry('one'), { ...entry('two'), ...change }] },
    { trusted: [], denied: [{ ...entry('two'), ...change }] },
  ]) {
    writeFileSync(file, JSON.stringify(lists));
    expect([openTrust(state).problem?.code, openTrust(state).list(), openTrust(state).denied()]).toEqual(['broken-trust', [], []]);
  }
});

test('an entry with kept texts, or with none, is read', () => {
  mkdirSync(join(state, 'hookline'), { recursive: true });
  const entries = [entry('one', { kept: KEPT }), entry('two', { kept: { ...KEPT, files: [] } })];
  writeFileSync(file, JSON.stringify({ trusted: entries }));
  expect(openTrust(state).list()).toEqual(entries);
});

test('a file that cannot be read trusts nobody and says so', () => {
  mkdirSync(file, { recursive: true });
  const trust = openTrust(state);
  expect([trust.list(), trust.denied()]).toEqual([[], []]);
  expect(trust.problem).toMatchObject({ severity: 'error', file });
});

test('a no counts for its project and its digest alone', () => {
  const trust = openTrust(state);
  trust.add(entry('one', { root: '/other' }));
  trust.add(entry('two', { name: 'wall', id: 'd:f#wall' }));
  trust.deny(entry('one'));
  expect([stateOf('one'), stateOf('one', '/other'), stateOf('two')]).toEqual(['denied', 'trusted', 'trusted']);
  trust.deny(entry('one', { root: '/third' }));
  trust.deny(entry('one', { root: '/third' }));
  expect(
    openTrust(state)
      .denied()
      .map(({ root }) => root),
  ).toEqual(['/r', '/third']);
  expect([trust.isEmpty('/third'), trust.isEmpty('/fourth')]).toEqual([false, true]);
  trust.add(entry('one', { root: '/third' }));
  expect(openTrust(state).denied()).toEqual([entry('one')]);
});

test('a hook of another project is never replaced, and one of the same digest never twice in the list', () => {
  const trust = openTrust(state);
  trust.add(entry('one', { root: '/other' }));
  expect(trust.add(entry('two'))).not.toHaveProperty('previous');
  expect(trust.add(entry('two'))).not.toHaveProperty('previous');
  expect(
    openTrust(state)
      .list()
      .map(({ digest, root }) => [digest, root]),
  ).toEqual([
    ['one', '/other'],
    ['two', '/r'],
  ]);
});

test('of several hooks of one name the one with the same id is meant, else the newest without an id, else the newest', () => {
  const trust = openTrust(state);
  const present = new Set(['a', 'b', 'c']);
  trust.add(entry('a', { id: 'first' }), undefined, present);
  trust.add(entry('b', { id: 'd:f#gate' }), undefined, present);
  trust.add(entry('c', { id: 'third' }), undefined, present);
  expect(trust.lastOf(hook, '/r')?.digest).toBe('b');
  expect(trust.lastOf({ ...hook, id: 'other' }, '/r')?.digest).toBe('c');
  expect(trust.lastOf(hook, '/other')).toBeUndefined();
  mkdirSync(join(state, 'hookline'), { recursive: true });
  writeFileSync(file, JSON.stringify({ trusted: [old('x'), old('y'), entry('z', { id: 'third' })] }));
  trust.refresh();
  expect(trust.lastOf(hook, '/r')?.digest).toBe('y');
});

test('an entry without an id replaces none, and only an entry of an older version counts by the older digest', () => {
  const trust = openTrust(state);
  trust.add(entry('one'));
  expect(trust.add(old('two'))).not.toHaveProperty('previous');
  expect(trust.list()).toHaveLength(2);
  expect(trust.stateOf(hook, print('new', 'one'), '/r')).toBe('modified');
  expect(trust.stateOf(hook, print('new', 'two'), '/r')).toBe('trusted');
  expect(trust.stateOf(hook, print('new', 'two'), '/other')).toBe('untrusted');
});

test('whoever adds, denies or removes sees what another process did first', () => {
  const [first, second, third, fourth] = [1, 2, 3, 4].map(() => openTrust(state));
  first?.add(entry('one'));
  second?.deny(entry('two', { name: 'wall' }));
  expect([openTrust(state).list().length, openTrust(state).denied().length]).toEqual([1, 1]);
  expect(third?.remove(({ digest }) => digest === 'two')).toEqual([entry('two', { name: 'wall' })]);
  fourth?.refresh();
  expect([fourth?.list(), fourth?.denied()]).toEqual([[entry('one')], []]);
});

test('a file that is deleted while it is open trusts nobody, once it is looked at again', () => {
  const trust = openTrust(state);
  trust.add(entry('one'));
  rmSync(file);
  trust.refresh();
  expect([trust.list(), trust.problem]).toEqual([[], undefined]);
});

test('without a change the file is neither read again nor written', () => {
  const trust = openTrust(state);
  trust.add(entry('one'));
  const before = statSync(file).ino;
  expect(trust.remove(() => false)).toEqual([]);
  expect(statSync(file).ino).toBe(before);
  const list = trust.list();
  trust.refresh();
  expect(trust.list()).toBe(list);
  const opened = openTrust(state);
  const read = opened.list();
  opened.refresh();
  expect(opened.list()).toBe(read);
});

test('the file is made to be read by people too, and has no list of refusals without one', () => {
  openTrust(state).add(entry('one'));
  expect(readFileSync(file, 'utf8')).toBe(`${JSON.stringify({ trusted: [entry('one')] }, null, 2)}\n`);
});

test('a text is kept only if there is a place for it', () => {
  expect(openTrust(state).add(entry('one'), snapshot('definition'))).not.toHaveProperty('kept');
  expect(openTrust(state, openKeptTexts(state)).add(entry('two'))).not.toHaveProperty('kept');
  expect(openTrust(state, openKeptTexts(state)).add(entry('three'), snapshot('definition', 'a'))).toMatchObject({
    kept: { definition: openKeptHash('definition'), files: [{ name: 'f0', hash: openKeptHash('a') }] },
  });
});

test('a text that is kept already is not written again, and one without a text is only named', () => {
  const texts = openKeptTexts(state);
  const { definition } = texts.keep(snapshot('definition'));
  const kept = join(state, 'hookline/trusted', definition);
  const before = statSync(kept).ino;
  const again = texts.keep({ ...snapshot('definition'), files: [{ name: 'large', hash: 'h' }] });
  expect(again.files).toEqual([{ name: 'large', hash: 'h' }]);
  expect(statSync(kept).ino).toBe(before);
  expect(readdirSync(join(state, 'hookline/trusted'))).toEqual([definition]);
});

test('only the hash of a text is the name of one', () => {
  const texts = openKeptTexts(state);
  const { definition } = texts.keep(snapshot('definition'));
  for (const name of ['', 'x', `x${definition}`, `${definition}x`, `../trusted/${definition}`, definition.toUpperCase(), '0'.repeat(64)])
    expect(texts.read(name), name).toBeUndefined();
});

test('to forget texts of which none was kept is no error', () => {
  expect(() => openKeptTexts(state).sweep([])).not.toThrow();
});

test('a file that cannot be written leaves nothing behind, and says which folder to make writable', () => {
  const folder = join(state, 'hookline/trusted');
  const taken = join(folder, openKeptHash('definition'));
  mkdirSync(join(taken, 'in the way'), { recursive: true });
  const keep = (): unknown => openKeptTexts(state).keep(snapshot('definition'));
  expect(keep).toThrowError(
    expect.objectContaining({
      code: 'unreadable-source',
      message: expect.stringContaining(taken),
      hint: expect.stringContaining(folder),
      cause: expect.anything(),
    }),
  );
  expect(readdirSync(folder)).toEqual([openKeptHash('definition')]);
});
