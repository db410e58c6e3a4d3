/**
 * The schema of the file, as numbered steps. A released step never changes; new steps are added at the end. The first process runs them
 * under the write lock, and the others find them done.
 */
import { GENESIS } from '../../core/record/decision-record.ts';
import { HooklineError } from '../../core/values/errors.ts';
import type { Database } from './database.ts';

/** The error of an append that follows another head than the one that was written. */
export const HEAD_MOVED = 'the head of the log has moved';

/** The condition of an index, which a statement repeats word by word so that SQLite uses the index. */
export const OWN_SESSION = "session GLOB 'hookline *'";

const MIGRATIONS: readonly string[] = [
  `CREATE TABLE tickets (
     id TEXT PRIMARY KEY,
     state TEXT NOT NULL,
     digest TEXT NOT NULL,
     root TEXT NOT NULL,
     opened_at INTEGER NOT NULL,
     expires_at INTEGER NOT NULL,
     settled_at INTEGER,
     released_at INTEGER,
     settlement TEXT NOT NULL DEFAULT '{"by":null,"note":null,"via":null,"edit":null}',
     head TEXT NOT NULL,
     action TEXT NOT NULL
   );
   CREATE INDEX tickets_by_digest ON tickets (digest, state);
   CREATE INDEX tickets_by_state ON tickets (state, opened_at, id);
   CREATE INDEX tickets_by_age ON tickets (opened_at, id);
   CREATE UNIQUE INDEX tickets_open_once ON tickets (digest) WHERE state = 'open';
   CREATE INDEX tickets_to_expire ON tickets (expires_at) WHERE state = 'open';

   CREATE TABLE audit (
     seq INTEGER PRIMARY KEY,
     id TEXT NOT NULL,
     at INTEGER NOT NULL,
     session TEXT NOT NULL,
     tool TEXT,
     decision TEXT NOT NULL,
     hooks TEXT NOT NULL,
     previous TEXT NOT NULL,
     hash TEXT NOT NULL,
     body TEXT NOT NULL
   );
   CREATE TABLE audit_ids (id TEXT NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (id, seq)) WITHOUT ROWID;
   CREATE INDEX audit_ids_by_seq ON audit_ids (seq);
   CREATE TABLE anchor (one INTEGER PRIMARY KEY CHECK (one = 1), seq INTEGER NOT NULL, hash TEXT NOT NULL);
   INSERT INTO anchor (one, seq, hash) VALUES (1, ${GENESIS.seq}, '${GENESIS.hash}');`,

  // The head is a row of its own, so that removed entries leave a gap. A process of an older version moves it too, and breaks its seal.
  `CREATE TABLE head (one INTEGER PRIMARY KEY CHECK (one = 1), seq INTEGER NOT NULL, hash TEXT NOT NULL, seal TEXT, origin TEXT);
   INSERT INTO head (one, seq, hash) SELECT 1,
     coalesce((SELECT seq FROM audit ORDER BY seq DESC LIMIT 1), anchor.seq),
     coalesce((SELECT hash FROM audit ORDER BY seq DESC LIMIT 1), anchor.hash) FROM anchor;
   CREATE TRIGGER head_follows AFTER INSERT ON audit WHEN new.seq > (SELECT seq FROM head)
     BEGIN UPDATE head SET seq = new.seq, hash = new.hash, seal = NULL, origin = NULL; END;
   CREATE INDEX audit_of_acts ON audit (id) WHERE instr(id, '.') > 0;`,
  `ALTER TABLE tickets ADD COLUMN shared TEXT;
   ALTER TABLE tickets ADD COLUMN anyone INTEGER NOT NULL DEFAULT 0;
   CREATE INDEX tickets_for_anyone ON tickets (shared) WHERE anyone = 1;`,
  `CREATE TABLE grants (
     id TEXT PRIMARY KEY,
     root TEXT NOT NULL,
     at INTEGER NOT NULL,
     expires_at INTEGER NOT NULL,
     revoked_at INTEGER,
     revoked_by TEXT,
     uses INTEGER NOT NULL DEFAULT 0,
     used_at INTEGER,
     body TEXT NOT NULL
   );
   CREATE INDEX grants_alive ON grants (root, expires_at) WHERE revoked_at IS NULL;`,

  // Appends one entry and moves the head in one statement. The codes of earlier heads are kept nowhere, so none can be put back.
  `CREATE VIEW appending AS SELECT seq, id, at, session, tool, decision, hooks, previous, hash, body, NULL AS seal, NULL AS origin FROM audit;
   CREATE TRIGGER appending_moves_head INSTEAD OF INSERT ON appending BEGIN
     SELECT RAISE(ABORT, '${HEAD_MOVED}') FROM head WHERE seq <> new.seq - 1 OR hash <> new.previous;
     UPDATE head SET seq = new.seq, hash = new.hash, seal = new.seal, origin = new.origin;
     INSERT INTO audit (seq, id, at, session, tool, decision, hooks, previous, hash, body)
       VALUES (new.seq, new.id, new.at, new.session, new.tool, new.decision, new.hooks, new.previous, new.hash, new.body);
   END;`,

  // Entries of agents are in no index of sessions, which would make each append dearer. Hookline's own are few, and each settlement asks for them.
  `CREATE INDEX audit_of_own_sessions ON audit (session, seq) WHERE ${OWN_SESSION};`,
];

/** @param onChange called in the same transaction, after the steps, with the version that was found */
export function migrate(database: Database, onChange?: (from: number) => unknown, migrations: readonly string[] = MIGRATIONS): void {
  if (versionOf(database) === migrations.length) return;
  database.exec('CREATE TABLE IF NOT EXISTS hookline_migrations (version INTEGER PRIMARY KEY)');
  database.write(() => {
    const version = versionOf(database);
    if (version > migrations.length) throw newerFile(database.file, version, migrations.length);
    for (const [index, sql] of migrations.entries()) {
      if (index < version) continue;
      // Inserts the number before it runs the step, so that a second process would stop here.
      database.run('INSERT INTO hookline_migrations (version) VALUES (?)', index + 1);
      database.exec(sql);
    }
    if (version < migrations.length) onChange?.(version);
  });
}

function versionOf(database: Database): number {
  const known = database.get("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'hookline_migrations'");
  if (!known) return 0;
  return Number(database.get('SELECT coalesce(max(version), 0) AS version FROM hookline_migrations')?.['version']);
}

function newerFile(file: string, found: number, known: number): HooklineError {
  return new HooklineError(
    'store-unavailable',
    `${file} was written by a newer version of Hookline (format ${found}; this version supports ${known}).`,
    { hint: 'Update Hookline, or name another file with `--store sqlite:PATH`.' },
  );
}
