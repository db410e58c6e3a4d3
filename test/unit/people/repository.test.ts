/** The remote and the commit of a project are read from its files. No process is started, and no file can make the reader wait or fail. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { projectOf } from '../../../src/people/repository.ts';

const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'hookline-repository-')));
afterAll(() => rmSync(base, { recursive: true, force: true }));

const COMMIT = '0123456789abcdef0123456789abcdef01234567';
let count = 0;

/** Writes files below a new folder and returns it. */
function folder(files: Readonly<Record<string, string>> = {}): string {
  const root = path.join(base, `p${count++}`);
  mkdirSync(root);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), text);
  }
  return root;
}

const withConfig = (config: string): string => folder({ '.git/HEAD': COMMIT, '.git/config': config });
const remoteOf = (url: string): string | undefined => projectOf(withConfig(`[remote "origin"]\n\turl = ${url}\n`)).remote;

describe('a repository that git made', () => {
  const repository = path.join(base, 'made');
  const git = (at: string, ...words: string[]): string =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', '-c', 'protocol.file.allow=always', ...words], {
      cwd: at,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  const commitIn = (at: string): string => git(at, 'rev-parse', 'HEAD');
  beforeAll(() => {
    mkdirSync(repository);
    git(repository, 'init', '-q', '-b', 'main/line');
    git(repository, 'commit', '-q', '--allow-empty', '-m', 'one');
    git(repository, 'remote', 'add', 'fork', 'https://example.com/fork.git');
    git(repository, 'remote', 'add', 'origin', 'https://ann:t0ken@example.com/team/project.git');
  });
  const remote = 'https://example.com/team/project.git';

  test('is read on a branch, in a subfolder, with packed refs, and detached', () => {
    const commit = commitIn(repository);
    expect(projectOf(repository)).toEqual({ root: repository, remote, commit });
    const below = path.join(repository, 'packages', 'one');
    mkdirSync(below, { recursive: true });
    expect(projectOf(below)).toEqual({ root: below, remote, commit });
    git(repository, 'pack-refs', '--all');
    expect(projectOf(repository)).toEqual({ root: repository, remote, commit });
    git(repository, 'checkout', '-q', '--detach');
    expect(projectOf(repository)).toEqual({ root: repository, remote, commit });
  });

  test('is read from a worktree, which has a commit of its own', () => {
    const tree = path.join(base, 'tree');
    git(repository, 'worktree', 'add', '-q', '-b', 'side', tree);
    git(tree, 'commit', '-q', '--allow-empty', '-m', 'two');
    expect(projectOf(tree)).toEqual({ root: tree, remote, commit: commitIn(tree) });
    expect(commitIn(tree)).not.toBe(commitIn(repository));
  });

  test('is read from a submodule, which has a remote of its own', () => {
    const outer = path.join(base, 'outer');
    mkdirSync(outer);
    git(outer, 'init', '-q');
    git(outer, 'submodule', 'add', '-q', repository, 'inner');
    const inner = path.join(outer, 'inner');
    git(inner, 'remote', 'set-url', 'origin', 'git@example.com:team/inner.git');
    expect(projectOf(inner)).toEqual({ root: inner, remote: 'example.com:team/inner.git', commit: commitIn(inner) });
  });

  test('with the longer hashes is read too', () => {
    const long = path.join(base, 'long');
    mkdirSync(long);
    git(long, 'init', '-q', '--object-format=sha256');
    git(long, 'commit', '-q', '--allow-empty', '-m', 'one');
    expect(projectOf(long)).toEqual({ root: long, commit: commitIn(long) });
    expect(commitIn(long)).toHaveLength(64);
  });

  test('without a commit has none', () => {
    const young = path.join(base, 'young');
    mkdirSync(young);
    git(young, 'init', '-q');
    expect(projectOf(young)).toEqual({ root: young });
  });
});

describe('no user information is kept of a remote', () => {
  test.each([
    ['https://ann:s3cret@example.com/x.git', 'https://example.com/x.git'],
    ['https://s3cret@example.com/x.git', 'https://example.com/x.git'],
    ['https://ann:s3c@ret@example.com/x.git', 'https://example.com/x.git'],
    ['https://ann:s3c/ret@example.com/x.git', 'https://example.com/x.git'],
    ['https://example.com/x.git?private_token=s3cret#s3cret', 'https://example.com/x.git'],
    ['https://example.com:8443/x.git', 'https://example.com:8443/x.git'],
    ['ssh://git@example.com:22/x.git', 'ssh://example.com:22/x.git'],
    ['git@example.com:team/x.git', 'example.com:team/x.git'],
    ['ann:s3c@ret@example.com:team/x.git', 'example.com:team/x.git'],
    ['git@example.com:team/@scope/x.git', 'example.com:team/@scope/x.git'],
    ['/srv/git/x.git', '/srv/git/x.git'],
    ['../x.git', '../x.git'],
    ['"https://s3cret@example.com/x y.git" # mine', 'https://example.com/x%20y.git'],
    ['https://example.com/x.git ; a note', 'https://example.com/x.git'],
  ])('%s', (url, expected) => {
    expect(remoteOf(url)).toBe(expected);
  });

  test('nor a token in its path, nor more than a line, nor a long text', () => {
    expect(remoteOf('https://example.com/ghp_abcdefghijklmnopqrstuvwxyz0123456789/x.git')).not.toContain('ghp_abc');
    expect(remoteOf(`git@example.com:${'x'.repeat(10_000)}`)?.length).toBeLessThan(600);
  });
});

describe('the configuration', () => {
  test.each<[string, string, string | undefined]>([
    ['the first remote counts if none is the origin', '[remote "b"]\nurl = /b\n[remote "a"]\nurl = /a\n', '/b'],
    ['the origin counts wherever it is', '[remote "a"]\nurl = /a\n[remote "origin"]\nurl = /o\n', '/o'],
    ['the first address of a remote counts', '[remote "origin"]\nurl = /one\nurl = /two\n', '/one'],
    ['an address to push to is another one', '[remote "origin"]\npushurl = /push\nurl = /o\n', '/o'],
    ['names of sections and keys have no case', '[REMOTE "origin"]\n  URL=/o\n', '/o'],
    ['a value may stand beside its section', '[remote "origin"] url = /o\n', '/o'],
    ['a value may go on in the next line', '[remote "origin"]\nurl = /o\\\nne\n', '/one'],
    ['lines may end as on Windows', '[remote "origin"]\r\n\turl = /o\r\n', '/o'],
    ['a rewriting rule is no remote', '[url "https://s3cret@example.com/"]\ninsteadOf = x\nurl = /no\n', undefined],
    ['an included file is not read', '[include]\npath = /etc/passwd\n[includeIf "gitdir:/"]\npath = x\n', undefined],
    ['a comment is no value', '# [remote "origin"]\n#url = /no\n', undefined],
    ['an empty address is none', '[remote "origin"]\nurl =\n', undefined],
    ['what is no configuration is passed over', '\u0000\n[[[\n]]\n[remote "\n= = =\n', undefined],
  ])('%s', (_, config, remote) => {
    expect(projectOf(withConfig(config)).remote).toBe(remote);
  });
});

describe('files of any kind', () => {
  test('without a repository there is only the root', () => {
    const root = folder();
    expect(projectOf(root)).toEqual({ root });
    expect(projectOf('/no/such/folder')).toEqual({ root: '/no/such/folder' });
  });

  test.each<[string, Readonly<Record<string, string>>]>([
    ['a head that leads out of the repository', { '.git/HEAD': 'ref: refs/../../secret', secret: COMMIT }],
    ['a head that leads to itself', { '.git/HEAD': 'ref: refs/heads/a', '.git/refs/heads/a': 'ref: refs/heads/a' }],
    ['a head that is no commit', { '.git/HEAD': 'hello' }],
    ['a branch that is no commit', { '.git/HEAD': 'ref: refs/heads/a', '.git/refs/heads/a': 'x' }],
    ['a packed branch that is no commit', { '.git/HEAD': 'ref: refs/heads/a', '.git/packed-refs': 'x refs/heads/a\n' }],
  ])('%s has no commit', (_, files) => {
    const root = folder(files);
    expect(projectOf(root)).toEqual({ root });
  });

  test('a branch may stand for another one', () => {
    const root = folder({ '.git/HEAD': 'ref: refs/heads/a', '.git/refs/heads/a': 'ref: refs/heads/b', '.git/refs/heads/b': `${COMMIT}\n` });
    expect(projectOf(root).commit).toBe(COMMIT);
  });

  test('a folder without a head is no repository, and the one above it counts', () => {
    const root = folder({ '.git/HEAD': COMMIT, 'below/.git/config': '[remote "origin"]\nurl = /no\n' });
    expect(projectOf(path.join(root, 'below'))).toEqual({ root: path.join(root, 'below'), commit: COMMIT });
  });

  test.runIf(process.platform !== 'win32')('a pipe, a folder, a device and a file that is too long in its place are passed over', () => {
    const root = folder({ '.git/HEAD': 'ref: refs/heads/a', '.git/refs/heads/a/b': '' });
    execFileSync('mkfifo', [path.join(root, '.git/config')]);
    symlinkSync('/dev/zero', path.join(root, '.git/packed-refs'));
    expect(projectOf(root)).toEqual({ root });
    const long = folder({ '.git/HEAD': COMMIT, '.git/config': `[remote "origin"]\nurl = /o\n${'#'.repeat(17 * 1024 * 1024)}` });
    expect(projectOf(long)).toEqual({ root: long, commit: COMMIT });
  });

  test.runIf(process.getuid?.() !== 0 && process.platform !== 'win32')('a file that cannot be read is passed over', () => {
    const root = withConfig('[remote "origin"]\nurl = /o\n');
    chmodSync(path.join(root, '.git/config'), 0);
    expect(projectOf(root)).toEqual({ root, commit: COMMIT });
  });

  test('no process is started', () => {
    expect(readFileSync(path.join(import.meta.dirname, '../../../src/people/repository.ts'), 'utf8')).not.toContain('child_process');
  });
});
