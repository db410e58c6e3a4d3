/** Opens the views of a store: a file next to that of SQLite, or a schema of their own in the same Postgres. */
import { accessSync, constants, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { LogStore } from '../core/record/decision-record.ts';
import { HooklineError } from '../core/values/errors.ts';
import { createSqlViews } from './sql/sql-views.ts';
import type { Views } from './views.ts';

/** @param url the URL of the store that has the log, with no variable in it */
export async function openViews(url: string, log: LogStore): Promise<Views> {
  const scheme = url.slice(0, url.indexOf(':') + 1);
  if (scheme === 'sqlite:') {
    const { openSqliteViews } = await import('./sql/sqlite.ts');
    const file = path.resolve(viewsFile(url.slice(scheme.length)));
    if (canWrite(file)) return createSqlViews(await openSqliteViews(file), log);
    // A log that this user may only read has views that end with the process.
    const folder = mkdtempSync(path.join(tmpdir(), 'hookline-views-'));
    const views = createSqlViews(await openSqliteViews(path.join(folder, 'views.db')), log);
    const close = (): Promise<void> => views.close().finally(() => rmSync(folder, { recursive: true, force: true }));
    return { ...views, close };
  }
  if (scheme === 'postgres:' || scheme === 'postgresql:') {
    const { openPostgresViews } = await import('./sql/postgres.ts');
    return createSqlViews(await openPostgresViews(url), log);
  }
  throw new HooklineError('bad-option', 'A store in memory has no views, because it ends with its process.', {
    hint: 'Give `sqlite:PATH` or `postgres://…`.',
  });
}

function canWrite(file: string): boolean {
  try {
    accessSync(path.dirname(file), constants.W_OK);
    if (existsSync(file)) accessSync(file, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Returns the file of the views of a store: `hookline.views.db` for `hookline.db`. Two stores in one folder have two. */
export function viewsFile(store: string): string {
  return `${store.replace(/\.db$/, '')}.views.db`;
}
