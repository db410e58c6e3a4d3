/**
 * Who waits for a ticket learns of its settling at once: in this process directly, elsewhere by NOTIFY on one connection of its own. It is a
 * courtesy, not a promise: a lost message costs the waiting one a poll. It is sent after the commit, because a NOTIFY within it would make
 * all commits of the database wait for each other.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import type { Database } from './database.ts';

export interface WakeUps {
  /** From now on news of this ticket are noticed, until `end`. */
  watch(id: string): Watch;
  /** The ticket is no longer open. */
  tell(id: string): void;
  readonly isClosed: () => boolean;
  close(): Promise<void>;
}

export interface Watch {
  /** Resolves when there are news, at the latest after this time; at once if there were some since the last call. */
  news(ms: number, signal: AbortSignal): Promise<void>;
  end(): void;
}

const CHANNEL = 'hookline_tickets';
/** What NOTIFY takes. */
const LONGEST_PAYLOAD = 7_000;
const BETWEEN_MESSAGES_MS = 20;

export function createWakeUps(database: Database): WakeUps {
  const watches = new Map<string, Set<() => void>>();
  const wake = (id: string) => {
    for (const noticed of watches.get(id) ?? []) noticed();
  };
  const listener = createListener(database, wake);
  const teller = createTeller(database);
  let isClosed = false;
  return {
    watch(id) {
      listener.listen();
      const { watch, noticed } = createWatch(() => {
        listener.listen();
        return isClosed;
      });
      const same = watches.get(id) ?? new Set();
      watches.set(id, same.add(noticed));
      return {
        ...watch,
        end() {
          same.delete(noticed);
          if (same.size === 0 && watches.get(id) === same) watches.delete(id);
        },
      };
    },
    tell(id) {
      wake(id);
      teller.tell(id);
    },
    isClosed: () => isClosed,
    async close() {
      isClosed = true;
      for (const id of watches.keys()) wake(id);
      await teller.sent();
      await listener.close();
    },
  };
}

function createWatch(isOver: () => boolean): { readonly watch: Pick<Watch, 'news'>; noticed(): void } {
  let isNews = false;
  let resume: (() => void) | undefined;
  return {
    noticed() {
      isNews = true;
      resume?.();
    },
    watch: {
      async news(ms, signal) {
        if (!isNews && !signal.aborted && !isOver())
          await new Promise<void>((resolve) => {
            const over = () => {
              clearTimeout(timer);
              signal.removeEventListener('abort', over);
              resume = undefined;
              resolve();
            };
            const timer = setTimeout(over, ms);
            signal.addEventListener('abort', over);
            resume = over;
          });
        isNews = false;
      },
    },
  };
}

function createListener(database: Database, wake: (id: string) => void): { listen(): void; close(): Promise<void> } {
  let client: Client | undefined;
  let connecting: Promise<void> | undefined;
  let isClosed = false;

  async function connect(): Promise<void> {
    const fresh = database.connection();
    client = fresh;
    const lost = () => {
      if (client === fresh) client = undefined;
    };
    fresh.on('error', lost);
    fresh.on('end', lost);
    fresh.on('notification', ({ payload }) => wake(payload ?? ''));
    try {
      await fresh.connect();
      await fresh.query(`LISTEN ${CHANNEL}`);
    } catch {
      // Who waits polls meanwhile, and each poll tries again.
      lost();
      await fresh.end().catch(() => undefined);
    }
  }

  return {
    listen() {
      if (client || connecting || isClosed) return;
      connecting = connect().finally(() => {
        connecting = undefined;
      });
    },
    async close() {
      isClosed = true;
      await connecting;
      await client?.end().catch(() => undefined);
    },
  };
}

/** The first message goes at once; what is to be told within the next moment goes together. */
function createTeller(database: Database): { tell(id: string): void; sent(): Promise<void> } {
  let ids: string[] = [];
  let sending: Promise<void> | undefined;
  let isClosing = false;

  async function send(): Promise<void> {
    while (ids.length > 0) {
      const told = ids;
      ids = [];
      // If it can not be sent, the poll of the waiting one is what it is for.
      await database.query(`SELECT pg_notify('${CHANNEL}', id) FROM unnest($1::text[]) AS id`, [told], 'tell').catch(() => undefined);
      if (ids.length > 0 && !isClosing) await pause(BETWEEN_MESSAGES_MS);
    }
    sending = undefined;
  }

  return {
    tell(id) {
      if (Buffer.byteLength(id) > LONGEST_PAYLOAD) return;
      ids.push(id);
      sending ??= send();
    },
    async sent() {
      isClosing = true;
      await sending;
    },
  };
}
