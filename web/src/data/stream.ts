/** The events of the server, as they happen. One tab reads them and shares them, because a browser has few connections to one server. */
import { signal } from '@preact/signals';
import type { StreamEvents } from '../../../src/ui/api.ts';
import { readEvents, type Told } from './events.ts';
import { access, open, pathWith } from './request.ts';

type Name = keyof StreamEvents;
type Listener<N extends Name> = (data: StreamEvents[N]) => void;

export const connection = signal<{ readonly isLive: boolean; readonly since: number }>({ isLive: false, since: Date.now() });
/** Whether this tab reads the stream. Only that one shows notifications. */
export const leads = signal(false);

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5_000;
const listeners: { [N in Name]: Set<Listener<N>> } = {
  entry: new Set(),
  folds: new Set(),
  ticket: new Set(),
  problem: new Set(),
  progress: new Set(),
  following: new Set(),
  reset: new Set(),
};
const channel = new BroadcastChannel('hookline-stream');
let last: string | null = null;

/** Returns the function that ends it. */
export function listen<N extends Name>(name: N, listener: Listener<N>): () => void {
  listeners[name].add(listener);
  return () => listeners[name].delete(listener);
}

/** Waits until no other tab leads, and reads until this tab is closed. */
export function follow(from: number): void {
  last ??= String(from);
  channel.onmessage = ({ data }) => {
    if (data.live !== undefined) connect(data.live);
    else deliver(data.events);
  };
  void navigator.locks.request('hookline-stream', async () => {
    leads.value = true;
    let wait = FIRST_WAIT_MS;
    while (access.value === 'in') {
      try {
        await read(() => {
          wait = FIRST_WAIT_MS;
        });
      } catch {
        // The next try resumes at the last event, so nothing is lost.
      }
      share(false);
      await new Promise((resolve) => setTimeout(resolve, wait));
      wait = Math.min(wait * 2, LONGEST_WAIT_MS);
    }
  });
}

async function read(onOpen: () => void): Promise<void> {
  const headers: Record<string, string> = { accept: 'text/event-stream', ...(last !== null && { 'last-event-id': last }) };
  const response = await open(pathWith('/v1/stream', { last: last ?? undefined, fold: 1 }), { headers });
  onOpen();
  share(true);
  await readEvents(response, (all) => {
    const events = all.filter(([name]) => name in listeners);
    // In one message: agents at work make thousands of entries in a second.
    channel.postMessage({ events });
    deliver(events);
  });
}

function deliver(events: readonly Told[]): void {
  for (const [name, text, id] of events) {
    if (id !== null) last = id;
    const data = JSON.parse(text);
    for (const listener of listeners[name as Name]) (listener as (data: unknown) => void)(data);
  }
}

function share(isLive: boolean): void {
  if (connection.value.isLive !== isLive) channel.postMessage({ live: isLive });
  connect(isLive);
}

function connect(isLive: boolean): void {
  if (connection.value.isLive !== isLive) connection.value = { isLive, since: Date.now() };
}
