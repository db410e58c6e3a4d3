// The dashboard of the tour: a process of its own that looks at the tour's store, and ends with the tour, however the tour ends.
import { spawn } from 'node:child_process';
import { createRequire, isBuiltin } from 'node:module';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../../bin/hookline.js', import.meta.url));
/** How long it stays while no page is open. */
const IDLE = '15m';

/** Says why two processes cannot share a store; undefined if they can. */
export function missingSqlite() {
  if (isBuiltin('node:sqlite')) return undefined;
  try {
    const Database = createRequire(import.meta.url)('better-sqlite3');
    new Database(':memory:').close();
    return undefined;
  } catch {
    return 'better-sqlite3 cannot be loaded, and this version of Node has no SQLite of its own.';
  }
}

/** It prints its link itself: a page may settle actions only if a person saw its link on a terminal. */
export function startDashboard(home) {
  const all = new Set();
  // By the channel it learns that this process is gone, also if this one is killed.
  const start = () => {
    const stdio = ['ignore', 'inherit', 'inherit', 'ipc'];
    const child = spawn(process.execPath, [PROGRAM, 'ui', '--home', home, '--idle', IDLE], { stdio });
    const ended = new Promise((resolve) => child.once('exit', () => resolve(false)).once('error', () => resolve(false)));
    all.add({ child, ended });
    return { child, ended };
  };
  const { child, ended } = start();
  return {
    /** Whether its link is printed. */
    ready: Promise.race([new Promise((resolve) => child.once('message', () => resolve(true))), ended]),
    ended,
    printLink: () => void start(),
    async stop() {
      for (const one of all) if (one.child.connected) one.child.disconnect();
      await Promise.all([...all].map((one) => one.ended));
    },
  };
}
