import { expect, test } from 'vitest';
import { deletions } from '../../../../../src/guard/effects/files/deleted.ts';
import { fileEffects, files } from '../../../../../src/guard/effects/files/index.ts';
import { writings } from '../../../../../src/guard/effects/files/written.ts';
import { analyse } from '../../../../../src/guard/shell/analyse.ts';

const effects = (text: string, kind: string) =>
  analyse(text)
    .commands.flatMap((command) => files(command, {}))
    .filter((effect) => effect.kind === kind)
    .map(({ facts }) => facts);

test.each<readonly [string, readonly string[]]>([
  ['echo a > x 2>> y', ['x', 'y']],
  ['{ echo a; } > x', ['x']],
  ['tee -a x y', ['x', 'y']],
  ['cp a b c/', ['c/', 'c//a', 'c//b']],
  ['mv -t d a', ['d', 'd/a']],
  ['install -m 755 a /opt/b', ['/opt/b']],
  ['ln -s a b', ['b']],
  ['dd if=a of=b bs=1', ['b']],
  ['sed -i s/a/b/ x', ['x']],
  ['sed -i -e s/a/b/ x', ['x']],
  ['sed s/a/b/ x', []],
  ['perl -pi -e s/a/b/ x', ['x']],
  ['curl -fsSLo x https://h/y', ['x']],
  ['curl --output=x https://h/y', ['x']],
  ['curl https://h/y', []],
  ['wget -O x https://h/y', ['x']],
  ['wget -P d https://h/y', ['d/y', 'd']],
  ['tar xzf a.tgz -C d', ['d']],
  ['tar -czf a.tgz -C d .', []],
  ['unzip a.zip -d d', ['d']],
  ['unzip -l a.zip -d d', []],
  ['sort -o x y', ['x']],
  ['pandoc -o x y', ['x']],
  ['cp a host:b', []],
  ['truncate --size 0 x', ['x']],
  ['echo a 2>/dev/null >&2', []],
  ['cp --help a b', []],
  ['rsync -an a /opt', []],
  ["apply_patch <<'E'\n*** Begin Patch\n*** Add File: x\n+a\n*** Update File: y\n*** Move to: z\n*** End Patch\nE", ['x', 'y', 'z']],
  ["applypatch '*** Begin Patch\n*** Add File: x\n+a\n*** End Patch'", ['x']],
  ["printf '*** Begin Patch\n*** Add File: x\n+a\n*** End Patch' | apply_patch", ['x']],
  ["apply_patch <<'E'\n*** Begin Patch\n*** Delete File: x\n*** End Patch\nE", []],
  [`python3 -c "open('x', 'w').write('a')"`, ['x']],
  [`python3 -c "open('x').read()"`, []],
  [`node -e "require('fs').appendFileSync('x', 'a')"`, ['x']],
])('%j writes %j', (text, expected) => {
  const paths = analyse(text).commands.flatMap((command) => writings(command).map(({ path }) => path));
  expect([...new Set(paths)]).toEqual(expected);
});

test.each<readonly [string, readonly string[]]>([
  ['rm -rf a b', ['a', 'b']],
  ['rm -- -x', ['-x']],
  ["apply_patch <<'E'\n*** Begin Patch\n*** Delete File: x\n*** End Patch\nE", ['x']],
  ['unlink a', ['a']],
  ['find a b -delete', ['a', 'b']],
  ['find a -exec rm {} +', ['a']],
  ['find a -fprintf out -delete', []],
  ['find a -exec rm {}', []],
  ['find . -print', []],
  ['rsync -a --delete --exclude x a/ b/', ['b/']],
  ['rsync -a a/ b/', []],
  ['rsync -an --delete a/ b/', []],
  ['rsync -a --delete a/ host:b/', []],
  ['shred -n 3 a', ['a']],
  ['rm --help a', []],
  ['mv a b /dev/null', ['a', 'b']],
  ['mv a b', []],
  ['rsync -a --remove-source-files a/ b/', ['a/']],
  ['tar --remove-files -cf x.tar a', ['a']],
  ['tar -cf x.tar a', []],
  [`python3 -c "import os; os.remove('a')"`, ['a']],
  ['python3 -c \'import shutil; shutil.rmtree("a")\'', ['a']],
])('%j deletes %j', (text, expected) => {
  const [first] = analyse(text).commands.map((command) => deletions(command).map(({ path }) => path));
  expect(first).toEqual(expected);
});

test('a search counts as narrow only if a test says which things are meant', () => {
  const narrowed = (text: string) => effects(text, 'fs.delete')[0]?.['narrowed'];
  expect(narrowed("find . -name '*.o' -delete")).toBe(true);
  expect(narrowed("find . '(' -name a -o -name b ')' -delete")).toBe(true);
  for (const text of [
    'find . -delete',
    'find . -empty -delete',
    "find . -name '*' -delete",
    'find . -name a -o -delete',
    'find . ! -name a -delete',
  ])
    expect(narrowed(text)).toBe(false);
});

test.each<readonly [string, Readonly<Record<string, unknown>>]>([
  ['chmod -R 777 a', { recursive: true, world: true, setuid: false }],
  ['chmod --rec o+w a', { recursive: true, world: true }],
  ['chmod 4755 a', { setuid: true, world: false }],
  ['chmod u=rwxs a', { setuid: true }],
  ['chmod g+s a', { setuid: false }],
  ['chmod -x a', { path: 'a', mode: '-x' }],
  ['chown -R --reference=b a', { path: 'a', recursive: true }],
  ['sudo chown ada a', { privileged: true }],
])('the rights that %j changes are read', (text, facts) => {
  expect(effects(text, 'fs.mode')).toMatchObject([facts]);
});

test('of many paths that are alike one is told', () => {
  expect(effects('rm -rf a b c', 'fs.delete')).toHaveLength(1);
  expect(effects('rm -rf a b / c', 'fs.delete')).toHaveLength(2);
});

test('an option that may mean two things changes nothing', () => {
  expect(effects('chmod --re 0 /', 'fs.mode')).toEqual([]);
});

test('what a tool does to a file has the same words as what a command does', () => {
  expect(fileEffects('~/.bashrc', 'write', {})).toMatchObject([{ kind: 'fs.write', facts: { how: 'tool' } }]);
  expect(fileEffects('~/.bashrc', 'write', {})[0]?.facts['class']).toContain('startup');
  expect(fileEffects('.git', 'delete', {}).map(({ kind }) => kind)).toEqual(['fs.delete', 'fs.write']);
  expect(fileEffects('x', 'read', {}).map(({ kind }) => kind)).toEqual(['fs.read']);
});

test('a search for repositories deletes their histories', () => {
  const found = (tests: string) => effects(`find lib ${tests} -exec rm -rf {} +`, 'fs.delete').filter(({ how }) => how === 'find');
  expect(found('-type d -name .git')).toMatchObject([{ path: 'lib/.git', narrowed: false }]);
  expect(found('-mindepth 2 -name .git')).toMatchObject([{ path: 'lib/*/.git', narrowed: false }]);
  for (const tests of ['-name .gitkeep', '-name .git -o -name dist', '-name .git -prune -o -type f -size +9M'])
    expect([tests, found(tests)]).toMatchObject([tests, [{ path: 'lib' }]]);
});

test.each([
  ["sqlite3 a.db '.output b.csv' 'select 1'", ['b.csv']],
  ["sqlite3 -readonly a.db '.once b.csv' 'select 1'", ['b.csv']],
  ["sqlite3 a.db <<'E'\n.backup 'b.db'\nE", ['b.db']],
  ["sqlite3 a.db '.output b.sql' 'delete from t'", ['a.db', 'b.sql']],
])('the files that a client of a database prints to are written: %s', (text, paths) => {
  expect(effects(text, 'fs.write').map(({ path }) => path)).toEqual(paths);
});
