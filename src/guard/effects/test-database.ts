/** Databases for tests: one on this machine whose name says that it is for tests. Its data is made anew by the next run. */
import { isDynamic } from '../shell/marks.ts';
import { isLoopback } from './network.ts';

const TEST = /(?:^|[^a-z0-9])(?:test|tests|testing|testdb|e2e|ci|spec|scratch|sandbox|tmp|temp|throwaway)(?:[^a-z]|$)/i;
const URL = /^[a-z][a-z0-9+]*:\/\/(?:[^@/]*@)?([^/?:]*|\[[^\]]*\])(?::\d+)?(?:\/([^?]*))?/i;
const HOST = /^(?:-h|--host(?:name)?|-S|--server)$/;
const NAMED = /^(?:-d|-D|--dbname|--database)$/;
/** Options of database clients with another value. */
const VALUED = /^(?:-U|-u|-p|-P|--port|--user|--username|-f|--file|-c|--command|-e|--execute|-v|-o)$/;

/** Returns whether a name is that of a database for tests. */
function isTestName(name: string): boolean {
  return !isDynamic(name) && TEST.test(name);
}

/** Returns whether a client works with a database for tests on this machine, or drops one by its name. */
export function isTestDatabase(argv: readonly string[], env: Readonly<Record<string, string>>, statement: string): boolean {
  const { host, name } = connectionOf(argv, env);
  if (!isHere(host)) return false;
  const [, what, dropped] = /^drop (database|schema) (?:if exists )?["`[]?([\w-]+)/i.exec(statement) ?? [];
  // A schema is a part of the database.
  return isTestName(dropped ?? name) || (/^schema$/i.test(what ?? '') && isTestName(name)) || (what === undefined && name === ':memory:');
}

/** Returns whether a client names a database for tests on this machine as its last operand (`mysqladmin drop shop_test`). */
export function endsWithTest(argv: readonly string[], env: Readonly<Record<string, string>>): boolean {
  const last =
    argv
      .slice(1)
      .filter((word) => !word.startsWith('-'))
      .at(-1) ?? '';
  return isTestName(last) && isHere(connectionOf(argv, env).host);
}

/** A client without a host, or with the folder of a socket, talks to this machine. */
function isHere(host: string): boolean {
  return host === '' || isLoopback(host) || host.startsWith('/');
}

function connectionOf(argv: readonly string[], env: Readonly<Record<string, string>>): { readonly host: string; readonly name: string } {
  let host = env['PGHOST'] ?? env['MYSQL_HOST'] ?? '';
  let name = env['PGDATABASE'] ?? '';
  for (let at = 1; at < argv.length; at++) {
    const word = argv[at] ?? '';
    const [option = '', attached] = word.startsWith('--') ? word.split(/=(.*)/s) : [word];
    const url = URL.exec(NAMED.test(option) ? (attached ?? argv[at + 1] ?? '') : word);
    if (url !== null) [host, name] = [url[1] ?? '', url[2] ?? ''];
    else if (HOST.test(option)) host = attached ?? argv[++at] ?? '';
    else if (NAMED.test(option)) name = attached ?? argv[++at] ?? '';
    else if (VALUED.test(option)) at += attached === undefined ? 1 : 0;
    else if (/^-h./.test(word)) host = word.slice(2);
    else if (!word.startsWith('-') && name === '') name = word;
  }
  return { host, name };
}

/** The numbers of databases that tests use. Programs count from 0, so a high number is chosen on purpose. */
const TEST_NUMBER = /^(?:9|1[0-5])$/;

/** Returns whether a client of Redis empties one database for tests on this machine, by its number. Every other deed is for all databases. */
export function isTestNumber(argv: readonly string[]): boolean {
  let host = '';
  let number = '';
  for (let at = 1; at < argv.length; at++) {
    const word = argv[at] ?? '';
    const url = /^rediss?:\/\//.test(word) ? URL.exec(word) : null;
    if (url !== null) [host, number] = [url[1] ?? '', url[2] ?? ''];
    else if (word === '-h') host = argv[++at] ?? '';
    else if (word === '-n') number = argv[++at] ?? '';
  }
  const deeds = argv.filter((word) => /^(?:flushall|flushdb|shutdown|select)$/i.test(word));
  return (host === '' || isLoopback(host)) && TEST_NUMBER.test(number) && deeds.every((word) => /^flushdb$/i.test(word));
}
