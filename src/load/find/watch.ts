/** Reports when a hook file may have changed. A target need not exist yet: then its nearest existing folder is watched on the way to it. */
import { existsSync } from 'node:fs';
import { dirname, resolve, sep } from 'node:path';
import type { Agent } from '../../core/contracts/agent.ts';
import { isBelow } from './folders.ts';
import { type Places, watchTargets } from './places.ts';

/** One save causes several events. They are reported as one change after this many milliseconds without another. */
const QUIET_MS = 100;

export async function watchPlaces(places: Places, agents: readonly Agent[], onChange: () => void): Promise<{ close(): Promise<void> }> {
  return watchSources(watchTargets(places, agents), onChange);
}

export async function watchSources(targets: readonly string[], onChange: () => void): Promise<{ close(): Promise<void> }> {
  const { watch } = await import('chokidar');
  const wanted = targets.map((target) => resolve(target));
  const watcher = watch([...new Set(wanted.map(nearestExisting))], {
    ignoreInitial: true,
    ignored: (path) => !isOnTheWay(resolve(path), wanted),
  });
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  const changed = (): void => {
    clearTimeout(timer);
    if (!closed) timer = setTimeout(onChange, QUIET_MS);
  };
  watcher.on('all', changed);
  // If a folder cannot be watched, the reload reports the reason.
  watcher.on('error', changed);
  await new Promise<void>((ready) => watcher.once('ready', ready));
  return {
    async close() {
      closed = true;
      clearTimeout(timer);
      await watcher.close();
    },
  };
}

function nearestExisting(path: string): string {
  let here = path;
  while (!existsSync(here) && dirname(here) !== here) here = dirname(here);
  return here;
}

function isOnTheWay(path: string, targets: readonly string[]): boolean {
  return targets.some((target) => isBelow(target, path) || (isBelow(path, target) && !isSkipped(path.slice(target.length))));
}

function isSkipped(below: string): boolean {
  return below.split(sep).some((name) => name === 'node_modules' || name === '.git');
}
