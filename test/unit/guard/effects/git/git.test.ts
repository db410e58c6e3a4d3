/** The reader's word against git's own deed: each command runs in a small repository of its own, and what is lost there must be told. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { git } from '../../../../../src/guard/effects/git/index.ts';
import { analyse } from '../../../../../src/guard/shell/analyse.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'git-effects-'));
const env = {
  PATH: process.env['PATH'] ?? '',
  HOME: folder,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CEILING_DIRECTORIES: folder,
  GIT_EDITOR: 'true',
};
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const effectsOf = (command: string) => analyse(`git ${command}`).commands.flatMap((seen) => git(seen, {}));

/** A repository with a changed file, a file git does not know, a stash, a tag and two branches. */
function repository(): string {
  const at = mkdtempSync(path.join(folder, 'r-'));
  const run = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: at, env, stdio: 'pipe' });
  run('init', '-q', '-b', 'trunk');
  writeFileSync(path.join(at, 'a.txt'), 'one');
  writeFileSync(path.join(at, 'b.txt'), 'one');
  run('add', '.');
  run('commit', '-qm', 'one');
  run('tag', 'v1');
  writeFileSync(path.join(at, 'b.txt'), 'aside');
  run('stash', '-q');
  run('switch', '-qc', 'topic');
  writeFileSync(path.join(at, 'b.txt'), 'two');
  run('commit', '-qam', 'two');
  run('switch', '-q', 'trunk');
  writeFileSync(path.join(at, 'a.txt'), 'changed');
  writeFileSync(path.join(at, 'new.txt'), 'new');
  return at;
}

function holdings(at: string): string {
  const refs = execFileSync('git', ['for-each-ref', '--format=%(refname)', 'refs/tags', 'refs/heads/topic'], {
    cwd: at,
    env,
    encoding: 'utf8',
  });
  const stash = spawnSync('git', ['stash', 'list'], { cwd: at, env, encoding: 'utf8' }).stdout.split('\n').length;
  const file = path.join(at, 'a.txt');
  return JSON.stringify([existsSync(file) && readFileSync(file, 'utf8'), existsSync(path.join(at, 'new.txt')), refs, stash]);
}

const losing = [
  'reset --hard',
  'reset --har',
  'reset --soft --hard',
  'checkout -- a.txt',
  'checkout HEAD a.txt',
  'checkout .',
  'checkout a.txt',
  'checkout -qf topic',
  'checkout --forc -b fresh',
  'switch --discard topic',
  'switch -f topic',
  'restore a.txt',
  'restore -SW .',
  'restore --staged --worktree a.txt',
  'clean -fd',
  'clean -n --no-dry-run -f',
  '-c clean.requireForce=false clean',
  'rm -f a.txt',
  'rm --cached --no-cached -f a.txt',
  'checkout-index -fa',
  'read-tree --reset -u HEAD',
  'branch -D topic',
  'branch --delete --forc topic',
  'tag -d v1',
  'tag --delet v1',
  'stash drop',
  'stash clear',
  'update-ref -d refs/tags/v1',
  '-c alias.gone=reset gone --hard',
];
const sparing = [
  'status',
  'reset --soft HEAD',
  'reset --hard --soft HEAD',
  'reset -- a.txt',
  'reset --hard -- a.txt',
  'reset --hard -h',
  'checkout -b fresh',
  'checkout -f --no-force',
  'checkout topic',
  'switch -f topic v1',
  'switch -c f',
  'restore --staged a.txt',
  'restore --no-staged a.txt',
  'restore --',
  'restore --source --worktree',
  'clean -fn',
  'clean',
  'rm -f --cached a.txt',
  'rm -f --dry-run a.txt',
  'rm a.txt',
  'stash list',
  'gc --auto',
  'commit --allow-empty -m reset\u00a0--hard',
];

const accused = (command: string) => effectsOf(command).filter(({ kind }) => kind === 'git.discard' || kind === 'git.delete');

describe('what git loses is told', () => {
  test.each(losing)('git %s', (command) => {
    const at = repository();
    const before = holdings(at);
    spawnSync('git', command.split(' '), { cwd: at, env, stdio: 'pipe' });
    expect(holdings(at)).not.toBe(before);
    expect(accused(command)).not.toEqual([]);
  });
});

describe('what git keeps is not accused', () => {
  test.each(sparing)('git %s', (command) => {
    const at = repository();
    const before = holdings(at);
    spawnSync('git', command.split(' '), { cwd: at, env, stdio: 'pipe' });
    expect(holdings(at)).toBe(before);
    expect(accused(command)).toEqual([]);
  });
});

test('a program that git starts and that starts git again is followed once', () => {
  const again = 'git x; '.repeat(20);
  const env = `GIT_EDITOR='${again}' GIT_PAGER='${again}' GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.x GIT_CONFIG_VALUE_0='!${again}'`;
  expect(analyse(`${env} git x`).commands.length).toBeLessThan(200);
});
