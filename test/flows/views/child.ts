/** Followers in processes of their own. What they print comes back line by line. */
import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { onTestFinished } from 'vitest';
import { bundleSource } from '../../support/bundle-source.mjs';

const PARTS = pathToFileURL(await bundleSource(path.join(import.meta.dirname, 'child-parts.ts'))).href;

export interface Child {
  readonly process: ChildProcess;
  /** Whole lines printed so far. */
  lines(): string[];
  /** The exit code; null if it was killed. */
  readonly ended: Promise<number | null>;
}

const PROGRAM = `
  import { writeSync } from 'node:fs';
  import { createSqlViews, openPostgresStore, openPostgresViews, openSqliteStore, openSqliteViews } from ${JSON.stringify(PARTS)};
  const [url, file, what, batch] = process.argv.slice(1);
  const store = file === '' ? await openPostgresStore(url) : openSqliteStore(url);
  const database = file === '' ? await openPostgresViews(url) : await openSqliteViews(file);
  const views = createSqlViews(database, store.log, Number(batch));
  const say = (progress) => writeSync(1, JSON.stringify(progress) + '\\n');
  const stop = new AbortController();
  process.on('SIGTERM', () => stop.abort());
  if (what === 'follow') await views.follow(stop.signal, { onProgress: say, onProblem: (error) => writeSync(2, String(error) + '\\n') });
  else await views.catchUp(say);
  await views.close();
  await store.close();
`;

/**
 * Starts a follower, which is gone when the test is over.
 * @param store the file or the URL of the store
 * @param file the file of the views; empty for Postgres
 */
export function startFollower(store: string, file: string, what: 'catchUp' | 'follow', batch: number): Child {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', PROGRAM, '--', store, file, what, `${batch}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  return { process: child, lines: () => output.split('\n').slice(0, -1), ended };
}
