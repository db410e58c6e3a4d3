/** The contract of the views on SQLite, with real files and processes. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { Store } from '../../../src/core/contracts/store.ts';
import { Database } from '../../../src/stores/sqlite/database.ts';
import { openSqliteStore } from '../../../src/stores/sqlite/index.ts';
import { createSqlViews } from '../../../src/views/sql/sql-views.ts';
import { openSqliteViews } from '../../../src/views/sql/sqlite.ts';
import type { Views } from '../../../src/views/views.ts';
import { startFollower } from './child.ts';
import { describeBusy } from './describe-busy.ts';
import { describeFollower } from './describe-follower.ts';
import { describeViews } from './describe-views.ts';
import type { Scene } from './scene.ts';

async function openScene(indexedFrom?: number): Promise<Scene> {
  const folder = mkdtempSync(path.join(tmpdir(), 'hookline-views-'));
  const [file, views] = [path.join(folder, 'log.db'), path.join(folder, 'log.views.db')];
  let store: Store = openSqliteStore(file);
  const opened: Views[] = [];
  onTestFinished(async () => {
    await Promise.all(opened.map((one) => one.close()));
    await store.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  // Views keep the log that they were given, so it leads to the store of the moment.
  const log: Store['log'] = {
    append: (record, hash) => store.log.append(record, hash),
    list: (filter) => store.log.list(filter),
    get: (id) => store.log.get(id),
    prune: (before, pruning) => store.log.prune(before, pruning),
    anchor: () => store.log.anchor(),
    head: () => store.log.head(),
  };
  return {
    get store() {
      return store;
    },
    async open(batch) {
      const made = createSqlViews(await openSqliteViews(views, indexedFrom), log, batch);
      opened.push(made);
      return made;
    },
    async exchangeLog() {
      await store.close();
      for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true });
      store = openSqliteStore(file);
    },
    async change(statement) {
      const database = new Database(views);
      database.exec(statement.replaceAll('v.', ''));
      database.close();
    },
    // The bytes of all files, so that nothing hides in free pages.
    dump: async () =>
      readdirSync(folder)
        .filter((name) => name.startsWith('log.views.db'))
        .map((name) => readFileSync(path.join(folder, name), 'latin1'))
        .join('\n'),
    start: (what, batch) => startFollower(file, views, what, batch),
  };
}

describeFollower('SQLite', openScene);
describeViews('SQLite', openScene);
describeBusy('SQLite', openScene);
describeViews('SQLite with an index of texts', () => openScene(1));
