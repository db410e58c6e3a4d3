/**
 * Follows the log and adds what is new to the views, batch by batch. Each batch is one transaction with the position that it leads to, so a
 * follower that is killed anywhere continues where it stopped, and several at once count nothing twice. A log that is another one than before
 * leads to views that begin anew.
 */
import type { Anchor, LogEntry, LogStore } from '../core/record/decision-record.ts';
import { type Summary, summarise } from './summarise.ts';
import type { FollowOptions, OnProgress, Progress } from './views.ts';

/** Where the views are in the log. */
export interface Position {
  readonly pos: number;
  readonly hash: string;
  /** Entries up to this one left no text behind. */
  readonly pruned: number;
  readonly missing: number;
  readonly rebuilds: number;
}

export interface Batch {
  readonly from: Position;
  readonly to: Anchor;
  /** How many entries between the two were gone before they could be read. */
  readonly missing: number;
  readonly summary: Summary;
}

export interface Projection {
  position(): Promise<Position>;
  /** Returns false, and adds nothing, if the views are no longer where the batch begins. */
  apply(batch: Batch): Promise<boolean>;
  /** Begins anew, unless the views are no longer there. */
  reset(from: Position): Promise<void>;
  /** Removes the texts of entries up to this one. */
  prune(upTo: number): Promise<void>;
}

export interface FollowerParts {
  readonly log: Pick<LogStore, 'list' | 'anchor' | 'head'>;
  readonly projection: Projection;
  /** How many entries to read at once. */
  readonly batch?: number;
}

export interface Follower {
  catchUp(onProgress?: OnProgress): Promise<Progress>;
  follow(signal: AbortSignal, options?: FollowOptions): Promise<void>;
  progress(): Promise<Progress>;
}

/** An entry can have 100 kB, and a batch is in memory as a whole. */
const BATCH = 1000;
/** How long a follower waits for new entries. */
const PAUSE_MS = 200;
/** The same while agents make so many entries in a pause that no person reads each. Fewer, larger batches leave the machine to the agents. */
const BUSY_PAUSE_MS = 1000;
const BUSY_ENTRIES = 100;
const LONGEST_PAUSE_MS = 5000;

/** While it is no further behind than `NEAR`, a follower reads so few entries at once, and then rests for as long as that took. */
const PIECE = 100;
const NEAR = 5000;

/** @param read how many entries came since the last pause */
export function pauseAfter(read: number): number {
  return read < BUSY_ENTRIES ? PAUSE_MS : BUSY_PAUSE_MS;
}

/**
 * How many entries to read at once. A long piece of work takes the processor from agents, even at a low priority: the system lets it end its turn
 * before an agent that wakes up has its own.
 */
export function pieceOf({ pos, head }: Pick<Progress, 'pos' | 'head'>, batch: number): number {
  return head - pos > NEAR ? batch : Math.min(batch, PIECE);
}

export function createFollower({ log, projection, batch = BATCH }: FollowerParts): Follower {
  const progress = async (): Promise<Progress> => {
    const [{ pos, missing, rebuilds }, { seq }] = [await projection.position(), await log.head()];
    return { pos, head: Math.max(seq, pos), missing, rebuilds };
  };

  /** Reads one batch. Returns whether there may be more to read at once. */
  const step = async (limit: number): Promise<boolean> => {
    const from = await projection.position();
    const anchor = await log.anchor();
    const entries = await log.list({ after: Math.max(from.pos, anchor.seq), limit });
    if (from.pos > 0 && !(await isSameLog(log, from, anchor, entries[0]))) {
      await projection.reset(from);
      return true;
    }
    const last = entries.at(-1);
    const to = last ? { seq: last.seq, hash: last.hash } : anchor.seq > from.pos ? anchor : undefined;
    if (to) {
      const missing = to.seq - from.pos - entries.length;
      await projection.apply({ from, to, missing, summary: summarise(entries) });
    }
    // Looked at after each batch, because what was read may have been pruned meanwhile.
    const { seq: pruned } = await log.anchor();
    if (pruned > from.pruned) await projection.prune(pruned);
    return entries.length === limit;
  };

  return {
    progress,
    async catchUp(onProgress) {
      for (;;) {
        const isFull = await step(batch);
        const now = await progress();
        onProgress?.(now);
        if (!isFull) return now;
        await breathe();
      }
    },
    async follow(signal, { onProgress, onStep, onProblem } = {}) {
      let told: Progress | undefined;
      let [read, pos, limit] = [0, Number.POSITIVE_INFINITY, batch];
      for (let pause = PAUSE_MS; !signal.aborted; ) {
        try {
          const began = performance.now();
          const isFull = await step(limit);
          const now = await progress();
          const tookMs = performance.now() - began;
          read += Math.max(0, now.pos - pos);
          pos = now.pos;
          pause = pauseAfter(read);
          onStep?.(now);
          const isOver = !isFull || limit === batch;
          if (isOver && (pos !== told?.pos || now.rebuilds !== told.rebuilds)) {
            onProgress?.(now);
            told = now;
          }
          limit = pieceOf(now, batch);
          await breathe();
          if (isFull) {
            if (limit < batch) await wait(tookMs, signal);
            continue;
          }
        } catch (error) {
          if (signal.aborted) return;
          onProblem?.(error);
          pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
        }
        read = 0;
        await wait(pause, signal);
      }
    },
  };
}

/** Whether the log still has the entry at which the views stopped. Its successor names it, so most looks read nothing more. */
async function isSameLog(log: FollowerParts['log'], { pos, hash }: Position, anchor: Anchor, next: LogEntry | undefined): Promise<boolean> {
  if (next?.seq === pos + 1 && next.previous === hash) return true;
  if (pos > anchor.seq) {
    const [own] = await log.list({ after: pos - 1, limit: 1 });
    if (own?.seq === pos) return own.hash === hash;
  }
  // It is gone. Either it was pruned, perhaps just now and together with some that the views have not read, or the log is another one.
  const now = await log.anchor();
  return now.seq === pos ? now.hash === hash : pos < now.seq;
}

/** Lets signals, timers and requests of this process have their turn. SQLite answers at once, so nothing else would. */
function breathe(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done);
  });
}
