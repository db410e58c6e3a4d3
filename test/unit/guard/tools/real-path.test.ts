import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { candidatesOf, resolveLinks } from '../../../../src/guard/tools/real-path.ts';

const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'real-path-')));
afterAll(() => rmSync(base, { recursive: true, force: true }));
const at = (name: string): string => path.join(base, name);
mkdirSync(at('project/deep'), { recursive: true });
mkdirSync(at('home/.ssh'), { recursive: true });
writeFileSync(at('home/.ssh/id'), '');
symlinkSync(at('home/.ssh'), at('project/keys'));
symlinkSync('../home/.ssh/new', at('project/dangling'));
symlinkSync('loop', at('project/loop'));
symlinkSync('project', at('alias'));

const folders = { cwd: at('project'), home: at('home'), root: at('project') };
const pathsOf = (given: string, foldsCase = false) => candidatesOf(given, folders, foldsCase)?.map((candidate) => candidate.path);

test('a plain path is judged once, seen from where the session works', () => {
  expect(pathsOf('src/x.ts')).toEqual([at('project/src/x.ts')]);
  expect(pathsOf(at('project/src/../y'))).toEqual([at('project/y')]);
  expect(pathsOf('~/notes')).toEqual([at('home/notes')]);
  expect(pathsOf(`file://${at('project/x')}`)).toEqual([at('project/x')]);
});

test('a link is judged as it is written and where it leads, also if nothing is there yet', () => {
  expect(pathsOf('keys/id')).toEqual([at('project/keys/id'), at('home/.ssh/id')]);
  expect(pathsOf('keys/not/there/yet')).toEqual([at('project/keys/not/there/yet'), at('home/.ssh/not/there/yet')]);
  expect(pathsOf('dangling')).toEqual([at('project/dangling'), at('home/.ssh/new')]);
});

test('what is behind `..` depends on the link before it, as it does for the system', () => {
  expect(pathsOf('keys/../secrets')).toEqual([at('project/secrets'), at('home/secrets')]);
});

test('links that lead in a circle end', () => {
  expect(resolveLinks(at('project/loop/x'))).toBe(at('project/loop/x'));
});

test('a project behind a link is the same project', () => {
  const found = candidatesOf('x', { cwd: at('alias'), home: at('home'), root: at('alias') }, false);
  expect(found).toEqual([
    { path: at('alias/x'), knownFolders: { cwd: at('alias'), home: at('home'), root: at('alias') } },
    { path: at('project/x'), knownFolders: { cwd: at('project'), home: at('home'), root: at('project') } },
  ]);
});

test('where case does not count, the folded path is judged too, and the folders with it', () => {
  expect(pathsOf('.GIT/Hooks', true)).toEqual([at('project/.GIT/Hooks'), at('project/.git/hooks').toLowerCase()]);
  expect(candidatesOf('X', { ...folders, home: '/Users/Me' }, true)?.at(-1)?.knownFolders.home).toBe('/users/me');
});

test('what no system accepts as a path is none', () => {
  for (const given of ['', 'a\0b', 'x'.repeat(5000), 'file://elsewhere/x']) expect(pathsOf(given), given.slice(0, 20)).toBeUndefined();
});
