/**
 * Tells listeners of tickets that are settled, by any process on the store. The log of the store has an entry for each settlement, written in its
 * transaction, so a listener that follows the log misses none and needs no clock of another machine.
 */
import type { Store, TicketRecord } from '../core/contracts/store.ts';
import type { ActKind } from '../core/record/decision-record.ts';
import type { Diagnostic } from '../core/values/diagnostic.ts';
import type { Clock } from '../engine/ports.ts';

/** Called with a ticket that is no longer open. */
export type SettledListener = (ticket: TicketRecord) => unknown;

export interface SettledWatches {
  /** Calls the listener from now on, until the returned function is called. */
  add(listener: SettledListener): () => void;
  /** Reports a settlement of this process, so that its listeners need not wait for the next look at the log. */
  settled(ticket: TicketRecord): void;
  /** The failures of listeners and of the store. */
  problems(): readonly Diagnostic[];
  stop(): void;
}

export interface WatchParts {
  store(): Promise<Store>;
  readonly clock: Pick<Clock, 'now'>;
  readonly root: string;
}

const POLL_MS = 250;
const PAGE = 500;
const MOST_PROBLEMS = 100;
const MOST_TOLD = 10_000;
const SETTLED: ReadonlySet<string> = new Set<ActKind>(['ticket.approved', 'ticket.denied', 'ticket.withdrawn', 'ticket.expired']);

export function createSettledWatches(parts: WatchParts): SettledWatches {
  const watches = new Set<Watch>();
  const problems: Diagnostic[] = [];
  const report = (what: string, error: unknown): void => {
    const message = `${what}: ${error instanceof Error ? error.message : String(error)}`;
    // A store that is away fails with every look.
    if (problems.at(-1)?.message === message) return;
    problems.push({ severity: 'error', code: 'settled-listener', message });
    if (problems.length > MOST_PROBLEMS) problems.shift();
  };
  return {
    add(listener) {
      const watch = watchSettled(parts, listener, report);
      watches.add(watch);
      return () => {
        watches.delete(watch);
        watch.stop();
      };
    },
    settled(ticket) {
      for (const watch of watches) watch.settled(ticket);
    },
    problems: () => problems,
    stop() {
      for (const watch of watches) watch.stop();
      watches.clear();
    },
  };
}

interface Watch {
  settled(ticket: TicketRecord): void;
  stop(): void;
}

function watchSettled(parts: WatchParts, listener: SettledListener, report: (what: string, error: unknown) => void): Watch {
  const told = new Set<string>();
  let isStopped = false;
  let wake = (): void => {};
  const tell = (ticket: TicketRecord): void => {
    if (isStopped || ticket.root !== parts.root || told.has(ticket.id)) return;
    told.add(ticket.id);
    if (told.size > MOST_TOLD) told.delete(told.values().next().value as string);
    const failed = (error: unknown): void => report(`A listener for settled tickets failed on ticket ${ticket.id}`, error);
    try {
      Promise.resolve(listener(ticket)).catch(failed);
    } catch (error) {
      failed(error);
    }
  };
  const pause = (): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, POLL_MS);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
      if (isStopped) wake();
    });
  const follow = async (): Promise<void> => {
    let after: number | undefined;
    while (!isStopped) {
      try {
        const { tickets, log } = await parts.store();
        after ??= (await log.head()).seq;
        // A ticket expires when a process looks at it.
        await tickets.count({ state: 'open', root: parts.root }, parts.clock.now());
        const entries = await log.list({ after, limit: PAGE });
        for (const { seq, kind, ticket: id } of entries) {
          const ticket = SETTLED.has(kind) && id !== null ? await tickets.get(id, parts.clock.now()) : undefined;
          if (ticket) tell(ticket);
          after = seq;
        }
        if (entries.length === PAGE) continue;
      } catch (error) {
        if (!isStopped) report('The store could not be asked for settled tickets', error);
      }
      await pause();
    }
  };
  void follow();
  return {
    settled: tell,
    stop() {
      isStopped = true;
      wake();
    },
  };
}
