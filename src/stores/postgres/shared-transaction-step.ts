/**
 * A step of the migrations: processes that change something at once share a transaction. Each puts its changes into `requests` and waits for
 * its turn. The first one makes the changes of all, seals the head and commits; the others find their changes made. Nothing in these tables
 * was acknowledged, so they need not survive a crash.
 */
export const SHARED_TRANSACTIONS = `CREATE UNLOGGED TABLE hookline.requests (
     batch text COLLATE "C" PRIMARY KEY,
     at timestamptz NOT NULL DEFAULT clock_timestamp(),
     changes jsonb NOT NULL,
     records jsonb NOT NULL,
     bodies text[] NOT NULL
   );
   CREATE INDEX requests_by_time ON hookline.requests (at);
   -- Only for batches of which not everything was changed.
   CREATE UNLOGGED TABLE hookline.outcomes (
     batch text COLLATE "C" PRIMARY KEY,
     at timestamptz NOT NULL DEFAULT clock_timestamp(),
     results text[] NOT NULL
   );

   -- Makes a change, and returns whether there was something to change. Null is an entry without a change.
   CREATE FUNCTION hookline.perform(change jsonb) RETURNS boolean LANGUAGE plpgsql AS $$
   BEGIN
     CASE change ->> 'act'
     WHEN 'open' THEN
       INSERT INTO hookline.tickets (id, state, digest, root, opened_at, expires_at, body, shared)
       VALUES (change ->> 'id', 'open', change ->> 'digest', change ->> 'root', (change ->> 'openedAt')::double precision,
         (change ->> 'expiresAt')::double precision, change ->> 'body', change ->> 'shared')
       ON CONFLICT (digest) WHERE state = 'open' DO NOTHING;
     WHEN 'settle' THEN
       UPDATE hookline.tickets SET state = change ->> 'state', settled_at = (change ->> 'at')::double precision,
         settling = change ->> 'settling', anyone = (change ->> 'anyone')::boolean
       WHERE id = change ->> 'id' AND state = 'open' AND expires_at > (change ->> 'at')::double precision;
     ELSE
       RETURN true;
     END CASE;
     RETURN FOUND;
   END $$;

   CREATE FUNCTION hookline.perform_carefully(change jsonb) RETURNS text LANGUAGE plpgsql AS $$
   BEGIN
     RETURN CASE WHEN hookline.perform(change) THEN 'changed' ELSE 'unchanged' END;
   EXCEPTION WHEN OTHERS THEN
     RETURN 'failed: ' || SQLERRM;
   END $$;

   CREATE FUNCTION hookline.change_sealed(known_seq bigint, known_hash text, change jsonb, records jsonb, bodies text[], final text, seal text,
     origin text) RETURNS boolean LANGUAGE plpgsql AS $$
   BEGIN
     PERFORM hookline.lock_head(known_seq, known_hash);
     RETURN hookline.perform(change) AND hookline.append_sealed(records, bodies, final, seal, origin);
   END $$;

   -- Makes the changes of all requests, and appends their entries. A request whose process gave up long ago is dropped.
   CREATE FUNCTION hookline.run_requests(mine text, careful boolean, OUT entries integer, OUT settled text[]) LANGUAGE plpgsql
   -- The table has few rows and many places of rows that are gone, which only an index skips.
   SET enable_seqscan = off SET jit = off AS $$
   DECLARE
     request hookline.requests;
     taken text[] := '{}';
     results text[];
     records jsonb := '[]';
     bodies text[] := '{}';
   BEGIN
     settled := '{}';
     FOR request IN SELECT * FROM hookline.requests ORDER BY requests.at FOR UPDATE SKIP LOCKED LOOP
       taken := taken || request.batch;
       IF request.batch <> mine AND request.at < clock_timestamp() - interval '15 seconds' THEN
         results := array_fill('failed: it waited for too long'::text, ARRAY[cardinality(request.bodies)]);
       ELSIF careful THEN
         results := ARRAY(SELECT hookline.perform_carefully(change) FROM jsonb_array_elements(request.changes) WITH ORDINALITY AS c (change, n) ORDER BY n);
       ELSE
         results := '{}';
         FOR i IN 1 .. cardinality(request.bodies) LOOP
           results := results || CASE WHEN hookline.perform(request.changes -> (i - 1)) THEN 'changed' ELSE 'unchanged' END;
         END LOOP;
       END IF;
       FOR i IN 1 .. cardinality(results) LOOP
         IF results[i] = 'changed' AND request.changes -> (i - 1) ->> 'act' = 'settle' THEN
           settled := settled || (request.changes -> (i - 1) ->> 'id');
         END IF;
       END LOOP;
       IF 'changed' = ALL (results) THEN
         records := records || request.records;
         bodies := bodies || request.bodies;
       ELSE
         FOR i IN 1 .. cardinality(results) LOOP
           IF results[i] = 'changed' THEN
             records := records || jsonb_build_array(request.records -> (i - 1));
             bodies := bodies || request.bodies[i];
           END IF;
         END LOOP;
         DELETE FROM hookline.outcomes WHERE outcomes.at < clock_timestamp() - interval '1 minute';
         INSERT INTO hookline.outcomes (batch, results) VALUES (request.batch, results);
       END IF;
     END LOOP;
     DELETE FROM hookline.requests WHERE requests.batch = ANY (taken);
     entries := cardinality(bodies);
     IF entries > 0 THEN
       PERFORM hookline.append(records, bodies);
     END IF;
   END $$;

   -- Waits until this batch is done, or until it is the turn of this process to run all requests. It then holds the head, and has to seal it
   -- before it commits. Of those that wait, one is next: it waits for the exclusive lock. The others wait behind it for the shared lock, so
   -- they wake together when it has committed. A process that finds its batch done gives its lock back at once.
   CREATE FUNCTION hookline.take_turn(mine text, patient boolean, OUT led boolean, OUT before_seq bigint, OUT before_hash text,
     OUT seq bigint, OUT hash text, OUT entries integer, OUT settled text[], OUT results text[]) LANGUAGE plpgsql AS $$
   #variable_conflict use_column
   DECLARE
     turn CONSTANT bigint := 4665557431981102;
     next CONSTANT bigint := 4665557431981103;
     is_next boolean := false;
   BEGIN
     WHILE led IS NULL LOOP
       is_next := pg_try_advisory_lock(next);
       BEGIN
         IF NOT patient THEN
           IF NOT is_next OR NOT pg_try_advisory_xact_lock(turn) THEN
             RAISE lock_not_available USING MESSAGE = 'could not obtain lock on the log';
           END IF;
         ELSIF is_next THEN
           PERFORM pg_advisory_xact_lock(turn);
         ELSE
           PERFORM pg_advisory_xact_lock_shared(turn);
         END IF;
         PERFORM FROM hookline.requests WHERE batch = mine;
         IF NOT FOUND THEN
           RAISE EXCEPTION USING ERRCODE = 'HL002', MESSAGE = 'done';
         ELSIF NOT is_next THEN
           RAISE EXCEPTION USING ERRCODE = 'HL003', MESSAGE = 'not done';
         END IF;
         led := true;
       EXCEPTION
         WHEN SQLSTATE 'HL002' THEN
           led := false;
         WHEN SQLSTATE 'HL003' THEN
           -- Came before the one that is next had begun to wait.
           PERFORM pg_sleep(0.0005);
         WHEN query_canceled OR OTHERS THEN
           IF is_next THEN
             PERFORM pg_advisory_unlock(next);
           END IF;
           RAISE;
       END;
       IF is_next THEN
         PERFORM pg_advisory_unlock(next);
       END IF;
     END LOOP;
     IF led THEN
       IF patient THEN
         SELECT seq, hash INTO STRICT before_seq, before_hash FROM hookline.audit_head FOR UPDATE;
       ELSE
         SELECT seq, hash INTO STRICT before_seq, before_hash FROM hookline.audit_head FOR UPDATE NOWAIT;
       END IF;
       BEGIN
         SELECT * INTO entries, settled FROM hookline.run_requests(mine, false);
       EXCEPTION WHEN OTHERS THEN
         SELECT * INTO entries, settled FROM hookline.run_requests(mine, true);
       END;
     END IF;
     SELECT head.seq, head.hash INTO STRICT take_turn.seq, take_turn.hash FROM hookline.audit_head AS head;
     SELECT outcomes.results INTO take_turn.results FROM hookline.outcomes WHERE batch = mine;
   END $$;`;
