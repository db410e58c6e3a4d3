/** The facts that every screen needs, kept up to date by the stream. */
import { effect, signal } from '@preact/signals';
import type { Me, Progress } from '../../../src/ui/api.ts';
import { access, get } from './request.ts';
import { connection, follow, listen } from './stream.ts';

export const me = signal<Me | null>(null);
/** The time, for ages on the screen. It moves each ten seconds. */
export const now = signal(Date.now());
/** Grows when everything on the screen must be read anew. */
export const epoch = signal(0);

const TICK_MS = 10_000;
const CALM_MS = 400;
/** While agents make many entries, the number that is not read yet changes more often than a person can read it. */
const PROGRESS_MS = 1_000;

/** Runs a task at most once in a while, and once more at the end. */
export function calmly(task: () => void, ms: number | (() => number) = CALM_MS): () => void {
  let isPlanned = false;
  return () => {
    if (isPlanned) return;
    isPlanned = true;
    setTimeout(
      () => {
        isPlanned = false;
        task();
      },
      typeof ms === 'number' ? ms : ms(),
    );
  };
}

async function readMe(): Promise<void> {
  try {
    me.value = await get<Me>('me');
  } catch {
    // The connection shows that the server is away.
  }
}

const readMeCalmly = calmly(() => void readMe());

export async function start(): Promise<void> {
  await readMe();
  listen('ticket', readMeCalmly);
  listen('problem', readMeCalmly);
  let latest: Progress | undefined;
  const move = (): void => {
    if (me.value && latest) me.value = { ...me.value, progress: latest };
  };
  const moveCalmly = calmly(move, PROGRESS_MS);
  listen('progress', (progress) => {
    latest = progress;
    if (progress.pos === progress.head) move();
    else moveCalmly();
  });
  listen('following', (following) => {
    if (me.value) me.value = { ...me.value, following };
  });
  listen('reset', () => {
    epoch.value++;
    readMeCalmly();
  });
  setInterval(() => {
    now.value = Date.now();
  }, TICK_MS);
  let wasLive = false;
  effect(() => {
    if (connection.value.isLive && !wasLive) readMeCalmly();
    wasLive = connection.value.isLive;
  });
  if (access.value === 'in') follow(me.value?.progress.pos ?? 0);
}
