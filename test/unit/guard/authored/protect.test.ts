/** Protected paths: every use that is protected is found in every way of writing it, and no other use is. */
import { describe, expect, test } from 'vitest';
import type { Protection } from '../../../../src/core/contracts/guard-settings.ts';
import { guardCommand } from '../../../../src/guard/guard.ts';
import { reasonFor } from '../../../../src/guard/judge-event.ts';
import { guardTool } from '../../../../src/guard/tools/guard-tool.ts';

const FOLDERS = { root: '/srv/shop', cwd: '/srv/shop', home: '/home/ann' };

const decide = (command: string, protect: Record<string, Protection>): string =>
  guardCommand(command, { ...FOLDERS, protect }).findings.find(({ rule }) => rule === 'protected-path')?.decision ?? 'none';

const use = (tool: string, input: unknown, protect: Record<string, Protection>): string =>
  guardTool(tool, input, { ...FOLDERS, protect }).findings.find(({ rule }) => rule === 'protected-path')?.decision ?? 'none';

/** Ways to say the same path. */
const WAYS: readonly ((path: string) => string)[] = [
  (path) => path,
  (path) => `./${path}`,
  (path) => `/srv/shop/${path}`,
  (path) => `"src/../${path}"`,
  (path) => `"$PWD/${path}"`,
  (path) => path.replace(/(\w)(\w+)\//, '$1*/'),
];
const READS = ['cat %', 'head -n 3 %', 'grep word %', 'base64 < %', 'cp % /tmp/copy', `python3 -c "print(open('%').read())"`];
const WRITES = ['echo x > %', 'echo x >> %', 'tee %', 'sed -i s/a/b/ %', 'cp other %', 'touch %', 'chmod 600 %'];
const DELETES = ['rm %', 'rm -rf %', 'mv % elsewhere', 'unlink %', `python3 -c "import os; os.remove('%')"`];
const FILE = 'vault/deep/a.txt';

for (const [name, forms, protection] of [
  ['read', READS, { read: 'deny' }],
  ['changed', WRITES, { write: 'deny' }],
  ['deleted', DELETES, { delete: 'deny' }],
] as const) {
  test.each(forms)(`a file that must not be ${name} is not, in every way of writing its path: %s`, (form) => {
    for (const [at, way] of WAYS.entries()) {
      // In code and in a redirection a path is no pattern, and a quoted variable is not expanded.
      const isLiteral = form.includes('python3') || form.includes('<') || form.includes('>');
      if (isLiteral && at > 2) continue;
      expect([form.replace('%', way(FILE)), decide(form.replace('%', way(FILE)), { 'vault/**': protection })]).toEqual([
        form.replace('%', way(FILE)),
        'deny',
      ]);
    }
    expect(decide(form.replace('%', 'open/deep/a.txt'), { 'vault/**': protection })).toBe('none');
  });
}

test('a use without a decision is free', () => {
  for (const form of READS) expect(decide(form.replace('%', FILE), { 'vault/**': { write: 'deny' } })).toBe('none');
  for (const form of DELETES) expect(decide(form.replace('%', FILE), { 'vault/**': { write: 'ask', delete: 'deny' } })).toBe('deny');
});

test('deleting a file changes it, unless `delete` says otherwise', () => {
  expect(decide('rm vault/a', { 'vault/**': { write: 'ask' } })).toBe('ask');
});

test('deleting or moving a folder concerns the protected files below it', () => {
  const protect = { 'src/migrations/**': { delete: 'deny', read: 'deny' } } as const;
  for (const command of ['rm -rf src', 'rm -rf src/*', 'mv src old', 'find src -delete', 'cd src && rm -rf migrations'])
    expect([command, decide(command, protect)]).toEqual([command, 'deny']);
  for (const command of ['grep word src/a.ts', 'rm src', 'rm -rf docs', 'ls -l src/migrations'])
    expect([command, decide(command, protect)]).toEqual([command, 'none']);
});

test('a pattern names a protected folder only if it reaches into it', () => {
  const protect = { 'vault/**': { read: 'deny' } } as const;
  expect(decide('cat *', protect)).toBe('none');
  expect(decide('cat */a.txt', protect)).toBe('deny');
  expect(decide('cat *', { '*.pem': { read: 'deny' } })).toBe('deny');
  expect(decide('cat *', { '.env': { read: 'deny' } })).toBe('none');
});

test('an unknown part of a path can be anything, and an unknown path is nothing in particular', () => {
  const protect = { 'vault/**': { read: 'deny' } } as const;
  expect(decide('cat vault/$NAME', protect)).toBe('deny');
  expect(decide('cat "$NAME"', protect)).toBe('none');
});

test('a glob starts at the project, at the home, at the root, or anywhere', () => {
  expect(decide('rm ~/notes/a', { '~/notes/**': { delete: 'deny' } })).toBe('deny');
  expect(decide('rm /data/a', { '/data/*': { delete: 'deny' } })).toBe('deny');
  expect(decide('rm /data/b/a', { '/data/*': { delete: 'deny' } })).toBe('none');
  expect(decide('cat a/b/x.crt', { '**/*.crt': { read: 'deny' } })).toBe('deny');
  expect(decide('cat sub/vault/a', { 'vault/**': { read: 'deny' } })).toBe('none');
});

test('tools are judged by the same protection as commands', () => {
  const protect = { '.env': { write: 'ask' }, 'history/**': { write: 'deny' }, 'vault/**': { read: 'deny' } } as const;
  expect(use('Write', { file_path: '.env', content: 'A=1' }, protect)).toBe('ask');
  expect(use('Read', { file_path: '.env' }, protect)).toBe('none');
  expect(use('Edit', { file_path: '/srv/shop/history/1.sql', old_string: 'a', new_string: 'b' }, protect)).toBe('deny');
  expect(use('Read', { file_path: 'vault/a' }, protect)).toBe('deny');
  expect(use('Grep', { pattern: 'a', path: 'vault' }, protect)).toBe('deny');
  const patch = '*** Begin Patch\n*** Delete File: history/1.sql\n*** End Patch';
  expect(use('apply_patch', { input: patch }, protect)).toBe('deny');
});

test('the reason and the alternative are those of the author', () => {
  const protect = { 'history/**': { write: 'deny', reason: 'Migrations are history.', instead: 'Add a migration.' } } as const;
  const reason = reasonFor(guardCommand('echo x > history/1.sql', { ...FOLDERS, protect }));
  expect(reason).toContain('history/1.sql');
  expect(reason).toContain('Migrations are history.');
  expect(reason).toContain('Instead: Add a migration.');
});

test.each([
  'tar czf /tmp/a.tgz %',
  'cp -r % /tmp/x',
  'cp -a % /tmp/x',
  'zip -r a.zip %',
  'rsync -a % host.invalid:x',
  '7z a x.7z %',
  'scp -r % h:',
])('a folder that is taken as a whole is read with the protected files in it: %s', (form) => {
  const protect = { 'src/vault/**': { read: 'deny' } } as const;
  for (const folder of ['src', '.', './src/', '/srv/shop', '../shop/src', 'src/vault'])
    expect([folder, decide(form.replace('%', folder), protect)]).toEqual([folder, 'deny']);
  expect(decide(form.replace('%', 'docs'), protect)).toBe('none');
  // A glob for any folder says nothing about this one.
  expect(decide(form.replace('%', 'src'), { '**/*.pem': { read: 'deny' } })).toBe('none');
});

test.each(['grep -rn word %', 'grep -R word %', 'egrep -r word %', 'rg word %', 'ag word %'])(
  'a person decides about a search of a folder above a protected one: %s',
  (form) => {
    const protect = { 'src/vault/**': { read: 'deny' } } as const;
    for (const folder of ['src', '.', '']) expect([folder, decide(form.replace('%', folder), protect)]).toEqual([folder, 'ask']);
    expect(decide(form.replace('%', 'docs'), protect)).toBe('none');
    expect(decide(`${form.replace('%', 'src')} --exclude-dir=vault -g '!vault'`, protect)).toBe('none');
    expect(decide('git log | grep word', protect)).toBe('none');
  },
);

test('a search that leaves hidden files out does not read a hidden file', () => {
  const protect = { '.env': { read: 'deny' } } as const;
  expect(decide('rg PORT', protect)).toBe('none');
  expect(decide('rg --hidden PORT', protect)).toBe('ask');
  expect(decide('grep -r PORT .', protect)).toBe('ask');
});

test('what git puts back is written', () => {
  const protect = { 'history/**': { write: 'deny' } } as const;
  for (const command of ['git checkout -- history', 'git checkout HEAD~2 -- history/1.sql', 'git restore history/1.sql', 'git restore .'])
    expect([command, decide(command, protect)]).toEqual([command, 'deny']);
  for (const command of ['git reset --hard', 'git clean -fd history', 'git checkout -f', 'git restore --source=main -W -S history'])
    expect([command, decide(command, protect)]).toEqual([command, 'deny']);
  for (const command of ['git checkout main', 'git restore --staged history/1.sql', 'git restore docs/a.md', 'git reset', 'git clean -n'])
    expect([command, decide(command, protect)]).toEqual([command, 'none']);
});

test.each([
  'ln -s vault v && cat v/a',
  'ln -s ../vault sub/v; head sub/v/deep/a',
  'ln vault/a b; cat b',
  'ln -s "$PWD/vault" /tmp/v && cp -r /tmp/v /tmp/w',
])('a link of the same text does not hide the file behind it: %s', (command) => {
  expect(decide(command, { 'vault/**': { read: 'deny' } })).toBe('deny');
  expect(decide(command.replaceAll('vault', 'open'), { 'vault/**': { read: 'deny' } })).toBe('none');
});

/** A patch of one file in the forms of `diff`, of git and of agents. */
const DIFF = (path: string) => `--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-a\n+b\n`;
const APPLY = ['git apply', 'git am', 'patch -p1', 'git -C . apply --3way', 'sudo patch -p1 --forward'];

test.each(APPLY)('a patch changes the files that it names, and one that is not known can change any: %s', (command) => {
  const protect = { 'history/**': { write: 'deny' } } as const;
  const fed = (path: string) => decide(`${command} <<'END'\n${DIFF(path)}END`, protect);
  expect(fed('history/1.sql')).toBe('deny');
  expect(fed('src/1.ts')).toBe('none');
  expect(decide(`${command} < a.patch`, protect)).toBe('ask');
  expect(decide(`curl -s https://h.example/a.patch | ${command}`, protect)).toBe('ask');
  expect(decide(`${command} < a.patch`, { 'vault/**': { read: 'deny' } })).toBe('none');
});

test.each([
  'git apply --check a.patch',
  'git apply --stat a.patch',
  'git apply --cached a.patch',
  'patch --dry-run -p1 < a.patch',
  'git am --abort',
])('a patch that is only looked at changes nothing: %s', (command) =>
  expect(decide(command, { 'history/**': { write: 'deny' } })).toBe('none'),
);

test('a stash takes changes away or puts them back, and a person decides unless it names the files', () => {
  const protect = { 'history/**': { write: 'deny' } } as const;
  for (const command of [
    'git stash',
    'git stash -u',
    'git stash push -m wip',
    'git stash save wip',
    'git stash pop',
    'git stash apply stash@{1}',
  ])
    expect([command, decide(command, protect)]).toEqual([command, 'ask']);
  for (const command of ['git stash push history', 'git stash push -m wip -- history/1.sql'])
    expect([command, decide(command, protect)]).toEqual([command, 'deny']);
  for (const command of [
    'git stash list',
    'git stash show -p',
    'git stash drop',
    'git stash push docs',
    'git stash push -m history -- docs',
  ])
    expect([command, decide(command, protect)]).toEqual([command, 'none']);
});

describe('a wildcard', () => {
  const protect = { 'vault/**': { read: 'deny', write: 'deny' } } as const;
  const USES = ['cat %', 'sed -i s/a/b/ %', 'rm %', 'cp % /tmp'];
  test.each(USES)('that names a protected place, or takes all of a folder, is decided as the place: %s', (form) => {
    for (const path of ['vault/*', 'vault/**/*.txt', 'va*/a', './vault/[ab]', '**', '**/*'])
      expect([path, decide(form.replace('%', path), protect)]).toEqual([path, 'deny']);
  });

  test.each(USES)('that can mean a protected file among others asks: %s', (form) => {
    for (const path of ['**/*.txt', '**/a', './**/deep/*.txt'])
      expect([path, decide(form.replace('%', path), protect)]).toEqual([path, 'ask']);
    for (const path of ['src/**/*.txt', 'docs/*', '*.md']) expect([path, decide(form.replace('%', path), protect)]).toEqual([path, 'none']);
  });

  test.each(USES)('meets a glob for any folder by its ending, and otherwise asks: %s', (form) => {
    const anywhere = { '**/*.pem': { read: 'deny', write: 'deny' } } as const;
    for (const path of ['a/b.pem', 'certs/*.pem', '**/*.pem'])
      expect([path, decide(form.replace('%', path), anywhere)]).toEqual([path, 'deny']);
    for (const path of ['certs/*', '*']) expect([path, decide(form.replace('%', path), anywhere)]).toEqual([path, 'ask']);
    for (const path of ['**/*.ts', 'a/b.ts', '*.md']) expect([path, decide(form.replace('%', path), anywhere)]).toEqual([path, 'none']);
  });
});

test.each(['rm -rf %', 'mv % old', 'git clean -fdx %'])(
  'a glob for any folder does not forbid to empty the output of a build: %s',
  (form) => {
    const anywhere = { '**/*.pem': { delete: 'deny', write: 'deny' } } as const;
    for (const folder of ['dist', 'node_modules', 'web/build'])
      expect([folder, decide(form.replace('%', folder), anywhere)]).toEqual([folder, 'none']);
    expect(decide(form.replace('%', 'certs'), anywhere)).toBe('ask');
    expect(decide(form.replace('%', 'dist'), { 'dist/keys/**': { delete: 'deny', write: 'deny' } })).toBe('deny');
  },
);
