/**
 * Requests to a running server to read the hooks of a project again. They are files in a folder that only the user can write to: the token of
 * the server permits events and nothing else. The server answers with a file of the same name.
 */
import { type FSWatcher, readdirSync, readFileSync, renameSync, rmSync, watch, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeFolder, type ServeFiles } from './endpoint.ts';

/** Answers requests until it is closed. */
export function answerReloads(files: ServeFiles, reload: (root: string) => Promise<unknown>): { close(): void } {
  const folder = reloadFolder(files);
  makeFolder(folder);
  const begun = new Set<string>();
  const look = (): void => {
    for (const name of requestsIn(folder)) {
      if (begun.has(name)) continue;
      begun.add(name);
      void answer(folder, name, reload).finally(() => begun.delete(name));
    }
  };
  // Some file systems report no changes, so the folder is also looked at from time to time.
  const timer = setInterval(look, LOOK_MS).unref();
  let watcher: FSWatcher | undefined;
  try {
    watcher = watch(folder, { persistent: false }, look);
    watcher.on('error', () => {});
  } catch {
    // The timer is enough.
  }
  return {
    close() {
      clearInterval(timer);
      watcher?.close();
    },
  };
}

/**
 * Asks the server that uses these files. Returns undefined if it does not answer in time.
 * @param id a name that no other request has
 */
export async function requestReload(files: ServeFiles, root: string, id: string, withinMs: number): Promise<unknown> {
  const folder = reloadFolder(files);
  makeFolder(folder);
  const [request, reply] = [path.join(folder, `${id}${ASKED}`), path.join(folder, `${id}${ANSWERED}`)];
  writeWhole(request, JSON.stringify({ root }));
  try {
    for (const until = performance.now() + withinMs; performance.now() < until; ) {
      const text = readIfThere(reply);
      if (text !== undefined) return JSON.parse(text) as unknown;
      await new Promise((done) => setTimeout(done, POLL_MS));
    }
    return undefined;
  } finally {
    for (const file of [request, reply]) rmSync(file, { force: true });
  }
}

const ASKED = '.ask';
const ANSWERED = '.answer';
const LOOK_MS = 1000;
const POLL_MS = 25;

function reloadFolder({ folder }: ServeFiles): string {
  return path.join(folder, 'reload');
}

function requestsIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(ASKED));
  } catch {
    return [];
  }
}

async function answer(folder: string, name: string, reload: (root: string) => Promise<unknown>): Promise<void> {
  const request = path.join(folder, name);
  const text = readIfThere(request);
  rmSync(request, { force: true });
  if (text === undefined) return;
  const reply = await Promise.resolve()
    .then(() => reload((JSON.parse(text) as { root: string }).root))
    .catch((error: unknown) => ({ failed: error instanceof Error ? error.message : String(error) }));
  writeWhole(path.join(folder, `${name.slice(0, -ASKED.length)}${ANSWERED}`), JSON.stringify(reply));
}

/** A reader never sees half a file. */
function writeWhole(file: string, text: string): void {
  const unfinished = `${file}.new`;
  writeFileSync(unfinished, text, { mode: 0o600 });
  renameSync(unfinished, file);
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
