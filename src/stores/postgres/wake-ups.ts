/**
 * Tells a waiting caller at once that its ticket was settled, directly in this process and by NOTIFY elsewhere. Delivery is not guaranteed;
 * a lost message only delays the caller until its next poll. The message is sent after the commit, because a NOTIFY within it would
 * serialise all commits of the database.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import type { Database } from './database.ts';

export interface WakeUps {
  /** Watches for news of this ticket until `end` is called. */
  watch(id: string): Watch;
  /** Reports to this process that the ticket is no longer open. */
  wake(id: string): void;
  /** Reports it to all processes. */
  tell(id: string): void;
  readonly isClosed: () => boolean;
  close(): Promise<void>;
}

export interface Watch {
  /** Resolves when there is news, at the latest after this time. Resolves at once if there was news since the last call. */
  news(ms: number, signal: AbortSignal): Promise<void>;
  end(): void;
}

const CHANNEL = 'hookline_tickets';
/** The largest payload that NOTIFY accepts. */
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
    wake,
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
      // Callers poll meanwhile, and each poll tries to connect again.
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

/** Sends the first message at once. Messages that follow within the next moment are sent together. */
function createTeller(database: Database): { tell(id: string): void; sent(): Promise<void> } {
  let ids: string[] = [];
  let sending: Promise<void> | undefined;
  let isClosing = false;

  async function send(): Promise<void> {
    while (ids.length > 0) {
      const told = ids;
      ids = [];
      // If the message cannot be sent, the waiting caller finds out by polling.
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
