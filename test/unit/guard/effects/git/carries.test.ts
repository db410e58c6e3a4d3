import { expect, test } from 'vitest';
import { gitCarries } from '../../../../../src/guard/effects/git/carries.ts';

const carried = (argv: readonly string[], env: Record<string, string> = {}) => gitCarries('git', argv, env);

test.each<[string, readonly string[], Record<string, string>?]>([
  ['an alias', ['git', '-c', 'alias.z=!CODE', 'z']],
  ['a command of rebase', ['git', 'rebase', '-x', 'CODE', 'trunk']],
  ['a command of rebase, shortened', ['git', 'rebase', '--exe=CODE']],
  ['a command for every submodule', ['git', 'submodule', '--quiet', 'foreach', '--recursive', 'CODE']],
  ['a filter', ['git', 'filter-branch', '--index-filter', 'CODE', 'HEAD']],
  ['a tool for differences', ['git', 'difftool', '-x', 'CODE']],
  ['a program for the other side', ['git', 'fetch', '--upload-pack', 'CODE', 'x']],
  ['an address', ['git', 'clone', 'ext::CODE']],
  ['a setting for one command', ['git', '-c', 'core.gitProxy=CODE', 'fetch']],
  ['a stored setting', ['git', 'config', '--global', 'core.pager', 'CODE']],
  ['a stored alias', ['git', 'config', 'alias.up', '!CODE']],
  ['a setting of a clone', ['git', 'clone', '-c', 'filter.a.smudge=CODE', 'x']],
  ['a variable', ['git', 'fetch'], { GIT_PROXY_COMMAND: 'CODE' }],
  ['a setting in the environment', ['git', 'log'], { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'core.pager', GIT_CONFIG_VALUE_0: 'CODE' }],
])('%s is code', (_, argv, env) => {
  expect(carried(argv, env)?.code).toEqual(['CODE']);
});

test('what is run in place of ssh is called as ssh is', () => {
  expect(carried(['git', 'fetch'], { GIT_SSH_COMMAND: 'ssh -v\nCODE' })?.code).toEqual(['ssh -v host true', 'CODE host true']);
});

test('commands are carried word by word', () => {
  expect(carried(['git', 'bisect', 'run', 'make', '-j', 'test'])?.argvs).toEqual([['make', '-j', 'test']]);
  expect(carried(['git', 'submodule', 'foreach', 'git', 'clean', '-f'])?.argvs).toEqual([['git', 'clean', '-f']]);
  expect(carried(['git', 'config', 'alias.wipe', 'reset --hard'])?.argvs).toEqual([['git', 'reset', '--hard']]);
});

test('plain commands carry nothing', () => {
  expect(carried(['git', 'commit', '-m', 'x --exec y'])).toBeUndefined();
  expect(carried(['git', '-c', 'user.name=!x', 'log'])).toBeUndefined();
  expect(carried(['git', 'config', '--get', 'core.pager'])).toBeUndefined();
  expect(gitCarries('echo', ['echo', '-c', 'alias.z=!ls'], {})).toBeUndefined();
});
