import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { betterSqlite } from '../../../../src/stores/sqlite/better-sqlite.ts';

const NATIVE = 'better-sqlite3/build/Release/better_sqlite3.node';
const load = createRequire(import.meta.url);

test('the native part alone opens, writes and reads, and an error names its cause', () => {
  const connection = betterSqlite((name) => {
    expect(name).toBe(NATIVE);
    return load(name);
  })(':memory:');
  connection.exec('CREATE TABLE t (n INTEGER PRIMARY KEY)');
  expect(connection.prepare('INSERT INTO t VALUES (?)').run(1)).toMatchObject({ changes: 1 });
  expect(() => connection.prepare('INSERT INTO t VALUES (?)').run(1)).toThrow(/UNIQUE constraint failed/);
  expect(connection.prepare('SELECT n FROM t').all()).toEqual([{ n: 1 }]);
  connection.close();
  expect(() => connection.exec('SELECT 1')).toThrow(/not open/);
});

test('a program that loads the package afterwards gets errors of the type of the package', () => {
  betterSqlite(load)(':memory:').close();
  const Package = load('better-sqlite3') as { new (file: string): { exec(sql: string): void }; readonly SqliteError: new () => Error };
  expect(() => new Package(':memory:').exec('nonsense')).toThrow(Package.SqliteError);
});

class Wrapper {
  readonly file: string;
  constructor(file: string) {
    this.file = file;
  }
}

/** The interface of another version. */
class OtherNative {
  constructor(options: unknown) {
    if (typeof options !== 'object') throw new TypeError('Expected first argument to be an object');
  }
}

test.each([
  ['is missing', undefined],
  ['has another start', {}],
  ['takes other arguments', { setErrorConstructor() {}, Database: OtherNative }],
])('a version whose native part %s is used through its wrapper', (_, native) => {
  const open = betterSqlite((name) => {
    if (name !== NATIVE) return Wrapper;
    if (native === undefined) throw new Error('there is no such file');
    return native;
  });
  expect(open('/a/file')).toEqual(new Wrapper('/a/file'));
});

test('a file that cannot be opened is an error, and is not tried again through the wrapper', () => {
  const open = betterSqlite((name) => (name === NATIVE ? load(name) : expect.unreachable()));
  expect(() => open('/nowhere/at/all')).toThrow(/unable to open database file/);
});
