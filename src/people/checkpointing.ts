/**
 * Decides when a checkpoint of the log is due: at most a second or 256 entries after an entry, and when the store is closed. Sends the newest
 * one away if a place for it is configured. No answer waits for this. A place that cannot be reached is tried again later, and the problem
 * is kept for `doctor`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import type { Store } from '../core/contracts/store.ts';
import type { Checkpoint } from '../core/record/checkpoint.ts';
import type { Seal } from '../core/record/ledger.ts';
import type { Clock } from '../engine/ports.ts';

/** A place outside: returns why it did not take the checkpoint. */
export interface Away {
  readonly name: string;
  send(checkpoint: Checkpoint, signal: AbortSignal): Promise<string | undefined>;
}

/** The result of the last try to send to a place. */
export interface Sent {
  readonly seq: number;
  readonly at: number;
  readonly problem?: string;
}

export interface CheckpointingParts {
  readonly clock: Clock;
  /** The store, if it is open. */
  store(): Store | undefined;
  /** Signs and keeps a statement. Undefined if there is no key. */
  keep(head: { readonly seq: number; readonly hash: string; readonly at: number }): Checkpoint | undefined;
  /** Places outside. */
  away(): Promise<readonly Away[]>;
  /** The file that tells what became of the last tries. */
  readonly sentFile: string;
}

export interface Checkpointing {
  /** Returns a seal that also notices that something is appended. */
  watch(seal: Seal): Seal;
  /** Writes the checkpoint that is due, and waits for the places outside at most `deadlineMs`. The store must be open. */
  close(deadlineMs: number): Promise<void>;
}

const MOST_MS = 1000;
const MOST_ENTRIES = 256;
/** How long no checkpoint is sent to a place that failed. A one-shot command would otherwise wait for it each time. */
const REST_MS = 30_000;
const SEND_MS = 5000;

export function createCheckpointing({ clock, store, keep, away, sentFile }: CheckpointingParts): Checkpointing {
  let entries = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last: { readonly seq: number; readonly hash: string } | undefined;
  const sending = new Set<Promise<void>>();

  const write = async (signal: AbortSignal): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const open = store();
    if (entries === 0 || !open) return;
    entries = 0;
    // Read back, because an entry whose transaction failed is not in the log.
    const { seq, hash } = await open.log.head();
    if (seq === last?.seq && hash === last.hash) return;
    const checkpoint = keep({ seq, hash, at: clock.now() });
    if (!checkpoint) return;
    last = { seq, hash };
    const places = await away();
    if (places.length === 0) return;
    const sent = sendAway(places, checkpoint, sentFile, clock, signal).finally(() => sending.delete(sent));
    sending.add(sent);
  };
  /** A problem with a checkpoint must not become one of the entry. `log verify` and `doctor` show that it is missing. */
  const writeQuietly = (signal: AbortSignal): Promise<void> => write(signal).catch(() => undefined);

  return {
    watch: ({ origin, of }) => ({
      origin,
      of(head, count = 1) {
        const isDue = entries < MOST_ENTRIES && entries + count >= MOST_ENTRIES;
        entries += count;
        if (isDue) setImmediate(() => void writeQuietly(AbortSignal.timeout(SEND_MS)));
        timer ??= setTimeout(() => void writeQuietly(AbortSignal.timeout(SEND_MS)), MOST_MS).unref();
        return of(head);
      },
    }),
    async close(deadlineMs) {
      if (entries === 0 && sending.size === 0) return clearTimeout(timer);
      await writeQuietly(AbortSignal.timeout(Math.min(Math.max(deadlineMs, MOST_MS), SEND_MS)));
      await Promise.all(sending);
    },
  };
}

async function sendAway(away: readonly Away[], checkpoint: Checkpoint, file: string, clock: Clock, signal: AbortSignal): Promise<void> {
  const known = readSent(file);
  const results = await Promise.all(
    away.map(async ({ name, send }): Promise<readonly [string, Sent]> => {
      const before = known[name];
      if (before?.problem !== undefined && clock.now() - before.at < REST_MS) return [name, before];
      const problem = await send(checkpoint, signal).catch((error: unknown) => (error instanceof Error ? error.message : String(error)));
      const at = clock.now();
      return [name, problem === undefined ? { seq: checkpoint.seq, at } : { seq: before?.seq ?? 0, at, problem }];
    }),
  );
  try {
    writeFileSync(file, `${JSON.stringify(Object.fromEntries(results))}\n`, { mode: 0o600 });
  } catch {
    // Without this file every place is tried again, and the checkpoint itself is kept.
  }
}

export function readSent(file: string): Readonly<Record<string, Sent>> {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, Sent>>;
  } catch {
    return {};
  }
}
