/** Statements that a database client runs: arguments and standard input, as far as their text is known. */
import { atMost, leaveOut } from '../limits.ts';
import { codeReaders } from '../shell/code-readers.ts';
import { secretIn } from '../shell/flow/secret-path.ts';
import type { EffectiveCommand } from '../shell/machine.ts';
import { type Effect, type EffectReader, effect } from './effect.ts';
import { isTestDatabase } from './test-database.ts';

interface Client {
  /** Options that take a statement as their value. */
  readonly code: readonly string[];
  /** Number of operands before the statement. Undefined: the statement is never an operand. */
  readonly operands?: number;
}

const CLIENTS: Readonly<Record<string, Client>> = {
  psql: { code: ['-c', '--command'] },
  pgcli: { code: [] },
  mysql: { code: ['-e', '--execute'] },
  mariadb: { code: ['-e', '--execute'] },
  mycli: { code: ['-e', '--execute'] },
  sqlite3: { code: ['-cmd'], operands: 1 },
  sqlcmd: { code: ['-Q', '-q'] },
  cockroach: { code: ['-e', '--execute'] },
  'clickhouse-client': { code: ['-q', '--query'] },
  duckdb: { code: ['-c'], operands: 1 },
  litecli: { code: ['-e'], operands: 1 },
  cqlsh: { code: ['-e', '--execute'] },
  bq: { code: [], operands: 1 },
  snowsql: { code: ['-q', '--query'] },
  trino: { code: ['--execute'] },
  sqlplus: { code: [] },
  sqlcl: { code: [] },
  isql: { code: [] },
  beeline: { code: ['-e'] },
  'impala-shell': { code: ['-q', '--query'] },
  // A statement in code of another language.
  'sql-call': { code: [], operands: 0 },
  // A statement that a tool of an agent is given.
  'sql-tool': { code: [], operands: 0 },
};
const MOST_STATEMENTS = 4096;
const MOST_CHARACTERS = 2000;
/** A statement that changes the tables of Hookline, or makes them the default. */
const OWN =
  /^(?:insert|update|delete|merge|drop|alter|truncate|create|grant|copy|comment|with\b.*\b(?:insert|update|delete))\b.*\b(?:hookline(?:_worker)?"? ?\.|schema (?:if (?:not )?exists )?"?hookline\b)|^set (?:local |session )?search_path\b.*\bhookline\b/;

/**
 * Effect `sql.destroy` with the facts `what` (database, table, rows, …), `statement`, `client` and `test`, `sql.own` for changes of Hookline's
 * tables, `sql.run` (`what`, `client`) for statements that run a program or load a library, and `fs.read` for secrets that they read.
 */
export const sql: EffectReader = (command) => {
  const { name, argv, env } = command;
  const texts = textsOf(command);
  if (texts.length === 0) return [];
  const { runs, read } = codeReaders().statementsReach(texts.map((text) => withoutComments(text)));
  return [
    ...texts.flatMap(statementsOf).flatMap((statement) => destroyEffect(statement, name, () => isTestDatabase(argv, env, statement))),
    ...runs.map((what) => effect('sql.run', { what, client: name })),
    ...read.flatMap((path) => {
      const kind = secretIn(path);
      return kind === undefined ? [] : [effect('fs.read', { path, kind, how: 'operand', command: name })];
    }),
  ];
};

/** Returns the files that the statements of a client write. */
export function filesOfStatements(command: EffectiveCommand): readonly string[] {
  const texts = textsOf(command);
  return texts.length === 0 ? [] : codeReaders().statementsReach(texts.map((text) => withoutComments(text))).written;
}

function textsOf({ name, argv, stdin }: EffectiveCommand): readonly string[] {
  const client = Object.hasOwn(CLIENTS, name) ? CLIENTS[name] : undefined;
  return client === undefined ? [] : [...statementTexts(client, argv), stdin];
}

function statementTexts({ code, operands }: Client, argv: readonly string[]): readonly string[] {
  const texts: string[] = [];
  const plain: string[] = [];
  for (let at = 1; at < argv.length; at++) {
    const word = argv[at] ?? '';
    const option = code.find((one) => word === one || word.startsWith(one.startsWith('--') ? `${one}=` : one));
    if (option === undefined) {
      if (!word.startsWith('-')) plain.push(word);
    } else if (word === option) texts.push(argv[++at] ?? '');
    else texts.push(word.slice(option.length).replace(/^=/, ''));
  }
  return operands === undefined ? texts : [...texts, ...plain.slice(operands)];
}

/** A comment, the beginning of one that MySQL runs, or a quoted value. A comment without an end is read once and not from each of its parts. */
const ASIDE = /--[^\n]*|\/\*!\d*|\/\*[\s\S]*?(?:\*\/|$)|'[^']*'/g;

function withoutComments(text: string): string {
  return text.replace(ASIDE, (part) => (part.startsWith("'") || isOpen(part) ? part : ' '));
}

/** Clients differ in what they make of a comment without an end, so its text counts. */
function isOpen(part: string): boolean {
  return part.startsWith('/*') && !part.startsWith('/*!') && !part.endsWith('*/');
}

/** Returns the statements of a text without its comments and quoted values. */
function statementsOf(text: string): readonly string[] {
  const all = text.replace(ASIDE, (part) => (isOpen(part) ? part : ' ')).split(';');
  return atMost(all, MOST_STATEMENTS, 'the statements for a database').map((statement) => statement.trim().replace(/\s+/g, ' '));
}

function destroyEffect(statement: string, client: string, isTest: () => boolean): readonly Effect[] {
  // Only such a statement can name its target that late.
  if (statement.length > MOST_CHARACTERS && /^with\b/i.test(statement))
    leaveOut(`a statement for a database is longer than ${MOST_CHARACTERS} characters`);
  const lower = statement.slice(0, MOST_CHARACTERS).toLowerCase();
  const what = kindOf(lower);
  return [
    ...(what === undefined ? [] : [effect('sql.destroy', { what, statement, client, test: isTest() })]),
    ...(OWN.test(lower) ? [effect('sql.own', { statement, client })] : []),
  ];
}

function kindOf(statement: string): string | undefined {
  const dropped =
    /^drop (database|schema|keyspace|tablespace|table|column|index|view|materialized view|function|user|role|sequence|type|trigger)\b/.exec(
      statement,
    )?.[1];
  if (dropped !== undefined) return dropped;
  if (/^truncate\b/.test(statement)) return 'all-rows';
  if (/^alter table\b.*\bdrop (column|constraint|partition)\b/.test(statement)) return 'column';
  if (/^(delete from|update [^ ]+ set)\b/.test(statement)) return / where /.test(statement) ? undefined : 'all-rows';
  return undefined;
}
