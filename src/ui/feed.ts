/**
 * Sends new entries, tickets and problems to the pages that look. Each page has a place in the log of its own and reads on from there, so a page that
 * was cut resumes without a gap and a slow page makes no other one wait.
 */
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EntryFilter, NewItem, Progress, ViewEntry } from '../views/views.ts';
import type { Following, StreamEvents, TicketSummary } from './api.ts';
import { watchFollower } from './following.ts';
import type { UiParts } from './parts.ts';
import { HEADERS } from './respond.ts';
import { summaryOf } from './ticket-answers.ts';

export interface Feed {
  /** How many pages look. */
  readonly clients: number;
  /** How the follower of the log is. */
  readonly following: Following;
  /** Follows the log until `stop`. */
  start(): void;
  /** Sends to this page until it leaves. */
  serve(response: ServerResponse, wants: Wants): Promise<void>;
  /** Sends at once what is new. */
  wake(): void;
  stop(): Promise<void>;
}

export interface Wants {
  readonly filter: EntryFilter;
  /** Many passes at once are sent as their number. */
  readonly isFolded: boolean;
  /** The last entry that the page has; undefined if it wants only what is new. */
  readonly last: number | undefined;
}

/** Times and sizes, for tests. */
export interface FeedLimits {
  /** A page that has not taken so many bytes after `stallMs` is cut. */
  readonly mostBytes: number;
  readonly stallMs: number;
  readonly heartbeatMs: number;
  readonly problemsMs: number;
}

export const FEED_LIMITS: FeedLimits = { mostBytes: 256 * 1024, stallMs: 10_000, heartbeatMs: 15_000, problemsMs: 5000 };

/** A page that is further behind reads everything anew. */
const RESUMABLE = 5000;
const PAGE = 100;
/** So many new entries at once are more than a person reads, so their passes are folded. */
const MANY = 30;
const FOLDED_PAGE = 1000;
export const MOST_STREAMS = 64;
/** How often a page that stalls is looked at. */
const STALL_STEP_MS = 25;
/** A ticket expires when a process looks at it. */
const LOOK_MS = 1000;

interface Client {
  readonly response: ServerResponse;
  readonly filter: EntryFilter;
  readonly isFolded: boolean;
  pos: number;
  rebuilds: number;
  /** It missed entries, so it is told to read anew once the views have caught up. */
  isBehind: boolean;
  isBusy: boolean;
  isWoken: boolean;
}

/** The next piece of the log for a page. */
interface Part {
  readonly upTo: number;
  readonly items: readonly NewItem[];
  /** Those of the log in it, for their tickets. */
  readonly entries: readonly ViewEntry[];
}

export function createFeed(
  parts: Pick<UiParts, 'views' | 'store' | 'now' | 'onCaughtUp' | 'onProblem'>,
  limits: FeedLimits = FEED_LIMITS,
): Feed {
  const { views, store, now, onProblem } = parts;
  const clients = new Set<Client>();
  const stopping = new AbortController();
  let following: Promise<void> | undefined;
  const watch = watchFollower(now);
  let isCaughtUp = false;
  const onStep = (progress: Progress): void => {
    watch.stepped(progress);
    if (isCaughtUp || progress.pos < progress.head) return;
    isCaughtUp = true;
    parts.onCaughtUp?.();
  };
  let told = watch.look();
  let known = new Map<string, string>();
  let lookedAt = Number.NEGATIVE_INFINITY;

  /**
   * Waits for a page that is slow. Cuts it if it does not take what was sent. Only time in which this process was at work counts: after a sleep of the
   * machine, or while it is very busy, no page could take anything.
   */
  const drained = async ({ response }: Client): Promise<boolean> => {
    if (response.destroyed) return false;
    if (response.writableLength <= limits.mostBytes) return true;
    const step = Math.min(STALL_STEP_MS, limits.stallMs);
    let waited = 0;
    while (!response.destroyed && response.writableLength > limits.mostBytes) {
      const from = performance.now();
      if (waited >= limits.stallMs) response.destroy();
      else await sleep(step);
      waited += Math.min(performance.now() - from, 4 * step);
    }
    return !response.destroyed;
  };

  const deliver = async (client: Client): Promise<void> => {
    const progress = await views.progress();
    const { pos, head, rebuilds } = progress;
    const isAnew = rebuilds !== client.rebuilds || client.pos > pos;
    if (isAnew || head - client.pos > RESUMABLE) Object.assign(client, { isBehind: true, rebuilds, pos });
    if (client.isBehind) {
      client.pos = pos;
      client.isBehind = head - pos > RESUMABLE;
      write(client, client.isBehind ? 'progress' : 'reset', progress, pos);
      return;
    }
    while (client.pos < pos && (await drained(client))) {
      const part = await partFor(client, pos);
      if (!part) break;
      // In one piece: agents at work make thousands of entries in a second, and each piece costs both ends.
      const texts = [...part.items.map(textOfItem), ...(await ticketsOf(part.entries)).map((ticket) => textOf('ticket', ticket))];
      if (texts.length > 0) send(client, texts.join(''));
      client.pos = part.upTo;
    }
    // Only after everything before it was sent, because the page resumes from here.
    write(client, 'progress', progress, Math.min(pos, client.pos));
  };

  const partFor = async (client: Client, pos: number): Promise<Part | undefined> => {
    if (client.isFolded && pos - client.pos > MANY) {
      const upTo = Math.min(pos, client.pos + FOLDED_PAGE);
      const items = await views.newer(client.pos, upTo);
      return { upTo, items, entries: items.flatMap((item) => ('entry' in item ? item.entry : [])) };
    }
    const { entries } = await views.entries({}, { after: client.pos, limit: PAGE });
    const last = entries.at(-1);
    return last && { upTo: last.pos, items: (await shownOf(client, entries, last.pos)).map((entry) => ({ entry })), entries };
  };

  const shownOf = async ({ filter, pos }: Client, all: readonly ViewEntry[], last: number): Promise<readonly ViewEntry[]> => {
    if (Object.keys(filter).length === 0) return all;
    const { entries } = await views.entries(filter, { after: pos, limit: PAGE });
    return entries.filter((entry) => entry.pos <= last);
  };

  const ticketsOf = async (entries: readonly ViewEntry[]): Promise<readonly TicketSummary[]> => {
    const ids = new Set(entries.flatMap(({ ticket }) => ticket ?? []));
    const found = await Promise.all([...ids].map((id) => store.tickets.get(id, now())));
    return found.flatMap((ticket) => (ticket ? [summaryOf(ticket)] : []));
  };

  const wakeOne = async (client: Client): Promise<void> => {
    client.isWoken = true;
    if (client.isBusy) return;
    client.isBusy = true;
    try {
      while (client.isWoken && !client.response.destroyed && !stopping.signal.aborted) {
        client.isWoken = false;
        await deliver(client);
      }
    } catch {
      // The store is away for a moment. The page comes back and resumes.
      client.response.destroy();
    } finally {
      client.isBusy = false;
    }
  };

  /** Tells of problems that are new or have changed. */
  const lookForProblems = async (): Promise<void> => {
    if (clients.size === 0 || now() - lookedAt < limits.problemsMs) return;
    const isFirst = lookedAt === Number.NEGATIVE_INFINITY;
    lookedAt = now();
    const problems = await views.problems(lookedAt);
    const changed = problems.filter((problem) => known.get(problem.id) !== JSON.stringify(problem));
    known = new Map(problems.map((problem) => [problem.id, JSON.stringify(problem)]));
    if (!isFirst) for (const client of clients) for (const problem of changed) write(client, 'problem', problem);
  };

  /** Tells the pages when the follower fails, lags, or is well again. */
  const tellFollowing = (): void => {
    const following = watch.look();
    if (following.state === told.state && following.says === told.says) return;
    told = following;
    for (const client of clients) write(client, 'following', following);
  };
  const onFailure = (error: unknown): void => {
    watch.failed(error);
    tellFollowing();
    onProblem(error);
  };

  const wake = (): void => {
    for (const client of clients) void wakeOne(client);
    void lookForProblems().catch(() => {});
  };

  const beat = (): void => {
    for (const { response } of clients) if (response.writableLength === 0) response.write(':\n\n');
  };
  const look = (): void => {
    tellFollowing();
    if (clients.size > 0)
      void store.tickets
        .count({ state: 'open' }, now())
        .then(lookForProblems)
        .catch(() => {});
  };
  let timers: readonly NodeJS.Timeout[] = [];

  return {
    get clients() {
      return clients.size;
    },
    get following() {
      return watch.look();
    },
    start() {
      following = views.follow(stopping.signal, { onProgress: wake, onStep, onProblem: onFailure });
      timers = [setInterval(beat, limits.heartbeatMs), setInterval(look, LOOK_MS)];
    },
    wake,
    async serve(response, { filter, isFolded, last }) {
      const { pos, rebuilds } = await views.progress();
      const folds = isFolded && Object.keys(filter).length === 0;
      const client: Client = {
        ...{ response, filter, isFolded: folds, pos: last ?? pos, rebuilds },
        ...{ isBehind: false, isBusy: false, isWoken: false },
      };
      const left = new Promise<void>((resolve) => response.once('close', resolve));
      if (stopping.signal.aborted || response.destroyed) return void response.end();
      response.writeHead(200, { ...HEADERS, 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' });
      clients.add(client);
      void wakeOne(client);
      await left;
      clients.delete(client);
    },
    async stop() {
      stopping.abort();
      for (const timer of timers) clearInterval(timer);
      for (const { response } of clients) response.end();
      await following;
    },
  };
}

function write<K extends keyof StreamEvents>(client: Client, event: K, data: StreamEvents[K], id?: number): void {
  send(client, textOf(event, data, id));
}

function send({ response }: Client, text: string): void {
  if (!response.destroyed && !response.writableEnded) response.write(text);
}

function textOfItem(item: NewItem): string {
  if ('entry' in item) return textOf('entry', item.entry, item.entry.pos);
  return textOf('folds', item.folds, Math.max(...item.folds.map(({ lastPos }) => lastPos)));
}

function textOf<K extends keyof StreamEvents>(event: K, data: StreamEvents[K], id?: number): string {
  // JSON has no line break of its own.
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
