/** Statements that leave the database: files that they write or read, and programs that they run. No command is run. */
import { expect, test } from 'vitest';
import { guardCommand } from '../../../../src/guard/guard.ts';

const folders = { cwd: '/home/ada/shop', root: '/home/ada/shop', home: '/home/ada' };
const rules = (command: string) => guardCommand(command, folders).findings.map(({ rule }) => rule);

test.each([
  `psql -c "COPY (SELECT '1') TO '/etc/cron.d/x'"`,
  `psql -c "SELECT lo_export(7, '/home/ada/.bashrc')"`,
  `mysql -e "SELECT 'k' INTO DUMPFILE '/home/ada/.ssh/authorized_keys'"`,
  `sqlite3 a.db "SELECT writefile('/home/ada/.bashrc', 'x')"`,
  `sqlite3 a.db ".output /home/ada/.ssh/authorized_keys" "SELECT 1"`,
  `duckdb -c "COPY (SELECT 1) TO '/home/ada/.zshrc'"`,
  `psql shop <<'END'\nCOPY t TO '/etc/cron.d/x';\nEND`,
])('a statement writes a file like any other program: %s', (command) => {
  expect(rules(command)).not.toEqual([]);
});

test.each([
  `psql -c "SELECT pg_read_file('/etc/shadow')"`,
  `mysql -e "LOAD DATA LOCAL INFILE '/home/ada/.ssh/id_rsa' INTO TABLE t"`,
  `duckdb -c "SELECT * FROM read_text('/home/ada/.ssh/id_ed25519')"`,
  `psql -c "COPY t FROM '/home/ada/.aws/credentials'"`,
])('a statement reads a secret: %s', (command) => {
  expect(rules(command)).not.toEqual([]);
});

test.each([
  `psql -c "COPY t TO PROGRAM 'id'"`,
  `echo "EXEC xp_cmdshell 'dir'" | sqlcmd -S db`,
  `psql -c "CREATE FUNCTION f() RETURNS int AS 'x' LANGUAGE plpython3u"`,
])('a statement runs a program: %s', (command) => {
  expect(rules(command)).toContain('sql-runs-program');
});

test.each([
  `psql -c "\\\\copy t to 't.csv' csv header"`,
  `psql -c "COPY t TO '/tmp/t.csv' CSV"`,
  `psql -c "COPY t FROM '/tmp/t.csv' CSV"`,
  `mysql -e "SELECT 1 INTO OUTFILE '/var/lib/mysql-files/t.csv'"`,
  "sqlite3 a.db '.output dump.sql' .dump",
  `duckdb -c "COPY t TO 't.parquet'; SELECT * FROM read_text('notes.txt')"`,
  `psql -c "SELECT 1 -- to program"`,
  `psql -c "CREATE FUNCTION f() RETURNS int AS 'x' LANGUAGE plpgsql"`,
])('rows that go to and from ordinary files are left alone: %s', (command) => {
  expect(rules(command)).toEqual([]);
});

test.each([
  `mysql -e "/*!50000 DROP DATABASE shop */"`,
  `mysql -e "SELECT 1 /*! INTO OUTFILE '/etc/cron.d/x' */"`,
  `psql -c "SELECT '/*'; COPY t TO '/etc/cron.d/x'; SELECT '*/'"`,
  `psql -c "SELECT '/*'; DROP DATABASE shop"`,
  `psql -c "/* DROP TABLE a; DROP DATABASE shop"`,
])('no statement hides in what looks like a comment: %s', (command) => {
  expect(rules(command)).not.toEqual([]);
});

test.each([`psql -c "/* DROP DATABASE shop */ SELECT 1"`, `psql -c "-- COPY t TO '/etc/x'\nSELECT 1"`])(
  'a comment does nothing: %s',
  (command) => {
    expect(rules(command)).toEqual([]);
  },
);
