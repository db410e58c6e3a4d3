/** What the contract of the views needs of a store: a log, views of it, and ways to change both behind their backs. */
import { createHash } from 'node:crypto';
import type { Store } from '../../../src/core/contracts/store.ts';
import type { LogRecord } from '../../../src/core/record/decision-record.ts';
import type { Progress, Views } from '../../../src/views/views.ts';
import type { Child } from './child.ts';

export interface Scene {
  readonly store: Store;
  /** Opens views of the log, as another process would. `batch`: how many entries it reads at once. */
  open(batch?: number): Promise<Views>;
  /** Puts an empty log in the place of this one. */
  exchangeLog(): Promise<void>;
  /** Runs a statement on the tables of the views, which have the prefix `v.`. */
  change(statement: string): Promise<void>;
  /** Returns everything that the tables of the views hold, as text. */
  dump(): Promise<string>;
  /** Starts a process that catches up or follows. It prints each report as a line of JSON. */
  start(what: 'catchUp' | 'follow', batch: number): Child;
}

export const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

export async function append(store: Store, records: readonly LogRecord[]): Promise<void> {
  for (const record of records) await store.log.append(record, hash);
}

export async function appendMany(store: Store, from: number, to: number, record: (n: number) => LogRecord): Promise<void> {
  const some = Array.from({ length: to - from }, (_, i) => record(from + i));
  await Promise.all(some.map((one) => store.log.append(one, hash)));
}

/** How long a test waits for what must happen. A test that waits in vain fails with what it waited for. */
const PATIENCE_MS = 180_000;

export async function within<T>(what: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`This did not happen within ${PATIENCE_MS / 1000} s: ${what}`)), PATIENCE_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

export async function eventually(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`This did not happen within ${PATIENCE_MS / 1000} s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

export function reportsOf({ lines }: Child): Progress[] {
  return lines().map((line) => JSON.parse(line) as Progress);
}
