/** The built pages on a real port, with a real store and real views. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openKeeping, openViewsOf } from '../../../src/cli/store.ts';
import { uiParts } from '../../../src/cli/ui/ui-parts.ts';
import type { Store } from '../../../src/core/contracts/store.ts';
import type { LogRecord } from '../../../src/core/record/decision-record.ts';
import { loadAssets } from '../../../src/ui/assets.ts';
import type { Session } from '../../../src/ui/credentials.ts';
import { type RunningUi, startUi } from '../../../src/ui/server.ts';
import type { Views } from '../../../src/views/views.ts';
import { append } from '../views/scene.ts';

const SETTLES: Session = { may: 'settle', because: null, actor: { finding: 'person', evidence: ['The test is one.'], via: 'web' } };
const READS: Session = {
  ...{ may: 'read', because: 'An agent (process 4711) is above this command.' },
  actor: { finding: 'agent', evidence: ['An agent is above this command.'], via: 'web' },
};
const IDLE_MS = 3_600_000;

export interface Served {
  readonly root: string;
  readonly home: string;
  /** The address of the store, for an engine that works on it. */
  readonly url: string;
  readonly store: Store;
  readonly views: Views;
  readonly ui: RunningUi;
  /** Returns the address of a page, with its one-time code. */
  link(may?: 'settle' | 'read'): string;
  /** Appends entries, and waits until the views have them. */
  add(records: readonly LogRecord[]): Promise<void>;
  /** Cuts the streams of all pages, as a network does. Returns how many there were. */
  cutStreams(): number;
  close(): Promise<void>;
}

/** @param prepare writes the file of the log before it is opened */
export async function serve(prepare?: (file: string) => Promise<void>): Promise<Served> {
  const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'hookline web ')));
  const [root, home] = [path.join(base, 'project'), path.join(base, 'home')];
  mkdirSync(root);
  mkdirSync(home);
  const file = path.join(home, 'log.db');
  const url = `sqlite:${file}`;
  await prepare?.(file);
  const args = { positionals: [], values: new Map(Object.entries({ home: [home], store: [url], root: [root] })) };
  const keeping = await openKeeping(args);
  const store = await keeping.store();
  const views = await openViewsOf(args, store);
  const streams = new Set<Socket>();
  const onRequest = (message: unknown): void => {
    const { request, socket } = message as { readonly request: IncomingMessage; readonly socket: Socket };
    if (!request.url?.startsWith('/v1/stream')) return;
    streams.add(socket);
    socket.once('close', () => streams.delete(socket));
  };
  subscribe('http.server.request.start', onRequest);
  const ui = await startUi({
    parts: uiParts(args, keeping, store, views),
    assets: loadAssets(path.join(import.meta.dirname, '../../../dist/web')),
    ...{ port: 0, idleMs: IDLE_MS, secret: 'a secret of the test', welcome: async () => READS },
  });
  return {
    ...{ root, home, url, store, views, ui },
    link: (may = 'settle') => `http://127.0.0.1:${ui.port}/#code=${ui.issue(may === 'settle' ? SETTLES : READS)}`,
    async add(records) {
      await append(store, records);
      await views.catchUp();
    },
    cutStreams() {
      const count = streams.size;
      for (const socket of streams) socket.destroy();
      return count;
    },
    async close() {
      unsubscribe('http.server.request.start', onRequest);
      await ui.stop('the test is over');
      await views.close();
      await keeping.close(0);
      // A process that ends may still write a last file.
      rmSync(base, { recursive: true, force: true, maxRetries: 50 });
    },
  };
}
