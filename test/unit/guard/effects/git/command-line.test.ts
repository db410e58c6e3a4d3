import { expect, test } from 'vitest';
import { expandAlias, gitLine, splitWords } from '../../../../../src/guard/effects/git/command-line.ts';
import { UNKNOWN } from '../../../../../src/guard/shell/marks.ts';

const line = (text: string, env: Record<string, string> = {}) => {
  const argv = text.split(' ');
  return gitLine('git', argv, env);
};

test('global options and their values stand before the subcommand', () => {
  expect(line('git -C a --git-dir b --work-tree=c -c x.y=z --no-pager log -1')).toMatchObject({
    subcommand: 'log',
    args: ['-1'],
    settings: [{ key: 'x.y', value: 'z', via: '-c' }],
  });
});

test('a subcommand that has verbs is called with its verb', () => {
  expect(line('git stash drop -q')).toMatchObject({ subcommand: 'stash drop', args: ['-q'] });
  expect(line('git submodule --quiet foreach ls')).toMatchObject({ subcommand: 'submodule foreach', args: ['--quiet', 'ls'] });
  expect(line('git config set a.b c')).toMatchObject({ subcommand: 'config set', args: ['a.b', 'c'] });
});

test('a program of git is git', () => {
  expect(gitLine('git-reset', ['/usr/lib/git-core/git-reset', '--hard'], {})).toMatchObject({ subcommand: 'reset', args: ['--hard'] });
  expect(gitLine('gitk', ['gitk'], {})).toBeUndefined();
});

test('an unknown word before a subcommand is taken for an option, and for the subcommand if nothing else is one', () => {
  expect(line(`git ${UNKNOWN} reset --hard`)?.subcommand).toBe('reset');
  expect(line(`git ${UNKNOWN} --hard`)?.subcommand).toBe(UNKNOWN);
});

test('settings come from the environment as well', () => {
  const counted = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'Core.Pager', GIT_CONFIG_VALUE_0: 'x' };
  expect(line('git log', counted)?.settings).toEqual([{ key: 'core.pager', value: 'x', via: 'env' }]);
  expect(line('git log', { GIT_CONFIG_PARAMETERS: "'a.b=c d' 'e.f'='g'" })?.settings).toEqual([
    { key: 'a.b', value: 'c d', via: 'env' },
    { key: 'e.f', value: 'g', via: 'env' },
  ]);
  expect(line('git --config-env=a.b.c=V log', { V: 'w' })?.settings).toEqual([{ key: 'a.b.c', value: 'w', via: '--config-env' }]);
});

test('settings that cannot be read are named', () => {
  for (const env of [{ GIT_CONFIG_COUNT: '2' }, { GIT_CONFIG_COUNT: '-1' }])
    expect(line('git log', env)?.unreadable).toEqual(['GIT_CONFIG_COUNT']);
  expect(line('git log', { GIT_CONFIG_PARAMETERS: "'a" })?.unreadable).toEqual(['GIT_CONFIG_PARAMETERS']);
});

test('an alias stands for a command or for code, and never for a command that git has', () => {
  const expanded = (text: string) => {
    const found = line(text);
    return found && expandAlias(found);
  };
  expect(expanded('git -c alias.a=b -c alias.b=reset a --hard')?.argv?.slice(-2)).toEqual(['reset', '--hard']);
  expect(expanded('git -c alias.a=!ls a x;y')?.code).toBe("ls 'x;y'");
  expect(expanded('git -c alias.log=!ls log')).toBeUndefined();
  expect(expanded('git -c alias.a=b -c alias.b=a a')).toBeUndefined();
});

test('words of an alias are divided as git divides them', () => {
  expect(splitWords(`log  --format='%h %s' "a b"c d\\ e`)).toEqual(['log', '--format=%h %s', 'a bc', 'd e']);
  expect(splitWords('')).toEqual([]);
  expect(splitWords("''")).toEqual(['']);
});
