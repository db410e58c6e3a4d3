/**
 * Changes of several processes in one transaction. A process stores its batch as a request and waits for its turn. The process that has the turn first
 * makes the changes of all requests, seals the head and commits. The others find their changes made and their entries sealed, and write
 * nothing. So the head is locked once for all of them, and one flush of the server covers them all.
 */
import { randomBytes } from 'node:crypto';
import type { Anchor } from '../../core/record/decision-record.ts';
import type { Seal } from '../../core/record/ledger.ts';
import { HooklineError } from '../../core/values/errors.ts';
import type { Database, Statement } from './database.ts';
import type { Job, Result } from './job-queue.ts';
import { valuesOf } from './linking.ts';

export interface Turn {
  /** The head that was found, if this process has made the changes; undefined: another one has. */
  readonly before: Anchor | undefined;
  /** A head that the entries lead to. */
  readonly head: Anchor;
  /** The result of each job. */
  readonly results: readonly Result[];
  /** The tickets that this process has settled, for itself and for others. */
  readonly settled: readonly string[];
}

interface Row {
  readonly led: boolean;
  readonly before_seq: string | null;
  readonly before_hash: string | null;
  readonly seq: string;
  readonly hash: string;
  readonly entries: number | null;
  readonly results: readonly string[] | null;
  readonly settled: readonly string[] | null;
}

const PROCESS = randomBytes(9).toString('base64url');
let batches = 0;

export async function submit(database: Database, jobs: readonly Job[], isPatient: boolean, seal: Seal | null): Promise<Turn> {
  const batch = `${PROCESS}-${++batches}`;
  const request = requestOf(batch, jobs);
  const turn: Statement = { sql: 'SELECT * FROM hookline.take_turn($1, $2)', values: [batch, String(isPatient)], name: 'turn' };
  try {
    return await database.transaction(
      turn,
      async ({ finish, leave }, [row]) => {
        const { led, before_seq, before_hash, seq, hash, entries, results, settled } = row as Row;
        const before = led ? { seq: Number(before_seq), hash: String(before_hash) } : undefined;
        const head = { seq: Number(seq), hash };
        const count = led ? Number(entries) : jobs.length;
        // If another process has sealed the head, this one still notices that entries of its own are in the log.
        const sealed = count > 0 ? seal?.of(head, count) : undefined;
        if (led && count > 0) await finish(SEAL, [sealed ?? null, seal?.origin ?? null], 'seal');
        // The process that led has committed, so this one need not wait for its own transaction.
        if (!led) leave();
        return { before, head, results: jobs.map((_, i) => resultOf(results?.[i])), settled: settled ?? [] };
      },
      request,
    );
  } catch (error) {
    // The caller is told that it failed, so no process may do it later.
    await database.query(WITHDRAW, [batch], 'withdraw').catch(() => undefined);
    throw error;
  }
}

/** One body is sent as it is. In an array its quotes would be escaped here, and again be read there. */
function requestOf(batch: string, jobs: readonly Job[]): Statement {
  const [columns, bodies] = valuesOf(jobs);
  const isOne = bodies.length === 1;
  return {
    sql: `INSERT INTO hookline.requests (batch, changes, records, bodies) VALUES ($1, $2, $3, ${isOne ? 'ARRAY[$4]' : '$4'})`,
    values: [batch, JSON.stringify(jobs.map(({ made }) => made)), columns, isOne ? (bodies[0] ?? '') : bodies],
    name: isOne ? 'request_one' : 'request',
  };
}

const SEAL = 'UPDATE hookline.audit_head SET seal = $1, origin = $2';
/** A request that another process runs at this moment cannot be withdrawn. Whether it is done is then unknown, as with a lost answer. */
const WITHDRAW = `
  DELETE FROM hookline.requests WHERE batch IN (SELECT batch FROM hookline.requests WHERE batch = $1 FOR UPDATE SKIP LOCKED)`;

function resultOf(text: string | undefined): Result {
  if (text?.startsWith('failed: ')) return new HooklineError('store-unavailable', `Postgres: ${text.slice('failed: '.length)}`);
  return text !== 'unchanged';
}
