import { expect, test } from 'vitest';
import { classifyPath } from '../../../../../src/guard/effects/files/path.ts';
import { UNKNOWN } from '../../../../../src/guard/shell/marks.ts';

const HERE = { cwd: '/srv/shop/app', root: '/srv/shop/app', home: '/home/ada' };
const classes = (text: string, cwd = '', knownFolders: Parameters<typeof classifyPath>[2] = {}) =>
  classifyPath(text, cwd, knownFolders).classes;

const MEANT: readonly (readonly [text: string, name: string, cwd?: string])[] = [
  ['/', 'root'],
  ['//', 'root'],
  ['/*', 'root'],
  ['/.[!.]*', 'root'],
  ['/usr/..', 'root'],
  ['C:\\', 'root'],
  ['*', 'root', '/'],
  ['/etc', 'system'],
  ['/ETC/', 'system'],
  ['/e?c', 'system'],
  ['/usr/*', 'system'],
  ['/tmp/../boot', 'system'],
  ['./*', 'system', '/opt'],
  ['C:/Windows', 'system'],
  ['/usr/share/doc', 'in-system'],
  ['~', 'home'],
  ['~/', 'home'],
  ['~/.*', 'home'],
  ['/Users/bob', 'home'],
  ['.', 'home', '~'],
  ['/root', 'home'],
  ['~/..', 'system'],
  ['/tmp', 'temp-root'],
  ['/private/tmp/*', 'temp-root'],
  ['/tmp/x', 'temp'],
  ['.', 'project-root'],
  ['*', 'project-root'],
  ['a/..', 'project-root'],
  ['dist', 'project'],
  ['*', 'project', 'dist'],
  ['..', 'parent'],
  ['../../..', 'parent'],
  ['../x', 'outside'],
  ['/data/x', 'outside'],
  ['~/x', 'outside'],
  ['.git', 'git-dir'],
  ['sub/.git/*', 'git-dir'],
  ['/dev/sda1', 'device'],
  ['/dev/sd*', 'device'],
  ['/dev/nvme0n1p2', 'device'],
  ['/dev/vg0/root', 'device'],
  [UNKNOWN, 'dynamic'],
  [`${UNKNOWN}/x`, 'dynamic'],
  ['x', 'dynamic', UNKNOWN],
  [`${UNKNOWN}/`, 'dynamic-root'],
  [`${UNKNOWN}/*`, 'dynamic-root'],
  [`~/${UNKNOWN}`, 'dynamic-root'],
  ['*', 'dynamic-root', UNKNOWN],
];

test.each(MEANT.map(([text, name, cwd = '']) => ({ text, name, cwd })))('$text is $name (from $cwd)', ({ text, name, cwd }) => {
  expect(classes(text, cwd)).toContain(name);
});

test.each<readonly [string, string]>([
  ['/dev/nvme0cXn1', 'device'],
  ['/dev/null', 'device'],
  ['/dev/shm/x', 'device'],
  ['dev/sda', 'device'],
  [`/tmp/${UNKNOWN}`, 'dynamic-root'],
  [`out/${UNKNOWN}`, 'dynamic-root'],
  [`${UNKNOWN}/out`, 'dynamic-root'],
  ['/data/x', 'system'],
  ['x.git', 'git-dir'],
  ['/tmp/x/*', 'temp-root'],
  ['dist/*', 'project-root'],
  ['/etcetera', 'system'],
])('%j is not %s', (text, name) => {
  expect(classes(text)).not.toContain(name);
});

test('where the project and the home are is taken from what the caller knows', () => {
  expect(classes('/srv/shop/app', '', HERE)).toContain('project-root');
  expect(classes('/srv/shop/app/out', '', HERE)).toContain('project');
  expect(classes('/srv/shop', '', HERE)).toContain('parent');
  expect(classes('..', '', HERE)).toContain('parent');
  expect(classes('../../../home/ada', '', HERE)).toContain('home');
  expect(classes('~/../../srv/shop/app', '', HERE)).toContain('project-root');
  expect(classes('out', '', { ...HERE, cwd: '/data' })).toEqual(['outside']);
});

test('names that rules list are found in every home, at any depth, and behind a pattern that means them', () => {
  for (const path of ['~/.bashrc', '/home/bob/.bashrc', '/Users/bob/.BASHRC', '~/.bash?c', '/home/*/.bashrc'])
    expect(classes(path)).toContain('startup');
  expect(classes('~/.bashrc.d')).not.toContain('startup');
  expect(classes('~/*')).not.toContain('startup');
  expect(classes('a/b/.git/hooks/pre-commit')).toContain('git-internals');
  expect(classes('src/a')).toContain('sources');
  expect(classes('other/src/a')).not.toContain('sources');
});

test('a path no system takes has no class', () => {
  expect(classes('/'.repeat(5000))).toEqual([]);
  expect(classes('')).toEqual([]);
  expect(classes(`~/${'a'.repeat(300)}/.bashrc`)).not.toContain('startup');
});
