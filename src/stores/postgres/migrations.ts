/**
 * The schema `hookline`, as numbered steps of plain SQL. Any number of processes may run them at once: one does, and the others wait and
 * find them done. A released step never changes; new steps are added at the end.
 */
import type { ClientBase } from 'pg';
import { HooklineError } from '../../core/values/errors.ts';
import { SHARED_TRANSACTIONS } from './shared-transaction-step.ts';

const MIGRATIONS: readonly string[] = [
  // Bodies are text, because the hash counts every character and jsonb cannot hold every JSON text.
  `CREATE TABLE hookline.tickets (
     id text COLLATE "C" PRIMARY KEY,
     state text NOT NULL CHECK (state IN ('open', 'approved', 'denied', 'expired', 'withdrawn')),
     digest text NOT NULL,
     root text NOT NULL,
     opened_at double precision NOT NULL,
     expires_at double precision NOT NULL,
     settled_at double precision,
     released_at double precision,
     body text NOT NULL,
     settling text
   );
   CREATE UNIQUE INDEX tickets_open ON hookline.tickets (digest) WHERE state = 'open';
   CREATE INDEX tickets_to_release ON hookline.tickets (digest) WHERE state = 'approved' AND released_at IS NULL;
   CREATE INDEX tickets_by_age ON hookline.tickets (state, opened_at, id);

   CREATE TABLE hookline.audit (
     seq bigint PRIMARY KEY,
     previous text NOT NULL,
     hash text NOT NULL,
     id text NOT NULL,
     at double precision NOT NULL,
     session text NOT NULL,
     tool text,
     decision text NOT NULL,
     hooks text[] NOT NULL,
     body text NOT NULL
   );
   CREATE INDEX audit_by_id ON hookline.audit USING hash (id);
   CREATE INDEX audit_by_session ON hookline.audit USING hash (session);
   CREATE INDEX audit_by_time ON hookline.audit (at);

   -- Both have one row. The head is locked by whoever appends: that is what keeps the chain without gaps.
   CREATE TABLE hookline.audit_head (seq bigint NOT NULL, hash text NOT NULL);
   CREATE TABLE hookline.audit_anchor (seq bigint NOT NULL, hash text NOT NULL);
   INSERT INTO hookline.audit_head VALUES (0, 'sha256:0');
   INSERT INTO hookline.audit_anchor VALUES (0, 'sha256:0');

   CREATE FUNCTION hookline.append(records jsonb, bodies text[]) RETURNS void LANGUAGE plpgsql AS $$
   DECLARE
     last hookline.audit_head;
     next text;
     item jsonb;
   BEGIN
     SELECT * INTO STRICT last FROM hookline.audit_head FOR UPDATE;
     FOR i IN 1 .. cardinality(bodies) LOOP
       item := records -> (i - 1);
       last.seq := last.seq + 1;
       next := 'sha256:' || encode(sha256(convert_to(last.hash || E'\\n' || last.seq || E'\\n' || bodies[i], 'UTF8')), 'hex');
       INSERT INTO hookline.audit (seq, previous, hash, id, at, session, tool, decision, hooks, body)
       VALUES (last.seq, last.hash, next, item ->> 'id', (item ->> 'at')::double precision, item ->> 'session', item ->> 'tool',
         item ->> 'decision', ARRAY(SELECT jsonb_array_elements_text(item -> 'hooks')), bodies[i]);
       last.hash := next;
     END LOOP;
     UPDATE hookline.audit_head SET seq = last.seq, hash = last.hash;
   END $$;`,

  // The client that appends seals the new head, so it must know the old one: `lock_head` fails if it is another. An append without a seal removes it.
  `ALTER TABLE hookline.audit_head ADD COLUMN seal text, ADD COLUMN origin text;

   CREATE FUNCTION hookline.lock_head(known_seq bigint, known_hash text) RETURNS boolean LANGUAGE plpgsql AS $$
   DECLARE
     last hookline.audit_head;
   BEGIN
     SELECT * INTO STRICT last FROM hookline.audit_head FOR UPDATE;
     IF last.seq <> known_seq OR last.hash <> known_hash THEN
       RAISE EXCEPTION 'the head of the log has moved' USING ERRCODE = 'HL001', DETAIL = last.seq || ' ' || last.hash;
     END IF;
     RETURN true;
   END $$;

   CREATE FUNCTION hookline.append_sealed(records jsonb, bodies text[], final text, seal text, origin text) RETURNS boolean
   LANGUAGE plpgsql AS $$
   DECLARE
     head hookline.audit_head;
   BEGIN
     PERFORM hookline.append(records, bodies);
     SELECT * INTO STRICT head FROM hookline.audit_head;
     IF head.hash <> final THEN
       RAISE EXCEPTION 'the database computes another hash than the client';
     END IF;
     UPDATE hookline.audit_head SET seal = append_sealed.seal, origin = append_sealed.origin;
     RETURN true;
   END $$;

   CREATE OR REPLACE FUNCTION hookline.append(records jsonb, bodies text[]) RETURNS void LANGUAGE plpgsql AS $$
   DECLARE
     last hookline.audit_head;
     next text;
     item jsonb;
   BEGIN
     SELECT * INTO STRICT last FROM hookline.audit_head FOR UPDATE;
     FOR i IN 1 .. cardinality(bodies) LOOP
       item := records -> (i - 1);
       last.seq := last.seq + 1;
       next := 'sha256:' || encode(sha256(convert_to(last.hash || E'\\n' || last.seq || E'\\n' || bodies[i], 'UTF8')), 'hex');
       INSERT INTO hookline.audit (seq, previous, hash, id, at, session, tool, decision, hooks, body)
       VALUES (last.seq, last.hash, next, item ->> 'id', (item ->> 'at')::double precision, item ->> 'session', item ->> 'tool',
         item ->> 'decision', ARRAY(SELECT jsonb_array_elements_text(item -> 'hooks')), bodies[i]);
       last.hash := next;
     END LOOP;
     UPDATE hookline.audit_head SET seq = last.seq, hash = last.hash, seal = NULL, origin = NULL;
   END $$;`,
  `ALTER TABLE hookline.tickets ADD COLUMN shared text, ADD COLUMN anyone boolean NOT NULL DEFAULT false;
   CREATE INDEX tickets_for_anyone ON hookline.tickets (shared) WHERE anyone AND released_at IS NULL;
   CREATE INDEX tickets_denied ON hookline.tickets (digest) WHERE state = 'denied';`,
  `CREATE TABLE hookline.grants (
     id text COLLATE "C" PRIMARY KEY,
     root text NOT NULL,
     at double precision NOT NULL,
     expires_at double precision NOT NULL,
     revoked_at double precision,
     revoked_by text,
     uses integer NOT NULL DEFAULT 0,
     used_at double precision,
     body text NOT NULL
   );
   CREATE INDEX grants_alive ON hookline.grants (root, expires_at) WHERE revoked_at IS NULL;`,
  SHARED_TRANSACTIONS,
];

/** An arbitrary number, the same in every process. The process that holds this lock migrates. */
const LOCK = 4_665_557_431_981_101;

/** @param onChange called in the same transaction, after the steps, with the version that was found */
export async function migrate(client: ClientBase, onChange?: (from: number) => Promise<void> | undefined): Promise<void> {
  if (isCurrent(await currentVersion(client))) return;
  await client.query('BEGIN');
  try {
    await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    await client.query('CREATE SCHEMA IF NOT EXISTS hookline');
    await client.query(
      'CREATE TABLE IF NOT EXISTS hookline.migrations (version integer PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())',
    );
    const done = await currentVersion(client);
    if (!isCurrent(done)) {
      for (const [index, sql] of MIGRATIONS.slice(done).entries()) {
        await client.query(sql);
        await client.query('INSERT INTO hookline.migrations (version) VALUES ($1)', [done + index + 1]);
      }
      await onChange?.(done);
    }
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

async function currentVersion(client: ClientBase): Promise<number> {
  const { rows: found } = await client.query<{ there: boolean }>(`SELECT to_regclass('hookline.migrations') IS NOT NULL AS there`);
  if (!found[0]?.there) return 0;
  const { rows } = await client.query<{ version: number }>('SELECT coalesce(max(version), 0) AS version FROM hookline.migrations');
  return rows[0]?.version ?? 0;
}

function isCurrent(version: number): boolean {
  if (version > MIGRATIONS.length)
    throw new HooklineError(
      'store-unavailable',
      `The database was set up by a newer version of Hookline (step ${version}; this version supports ${MIGRATIONS.length}).`,
      {
        hint: 'Update Hookline on this machine.',
      },
    );
  return version === MIGRATIONS.length;
}
