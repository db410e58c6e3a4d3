/**
 * Reports when a hook file may have changed. A target need not exist yet: then its nearest existing folder is watched on the way to it. No
 * folder above that is watched, not even where another target starts above it: a folder such as `/tmp` changes all the time, and is listed
 * anew at each change. A watcher keeps no process alive. When its folders are deleted, chokidar can begin to watch the folder above while it
 * is closed, and that watch stays.
 */
import { existsSync } from 'node:fs';
import { dirname, resolve, sep } from 'node:path';
import type { Agent } from '../../core/contracts/agent.ts';
import { type Places, watchTargets } from './places.ts';

/** One save causes several events. They are reported as one change after this many milliseconds without another. */
const QUIET_MS = 100;

export async function watchPlaces(places: Places, agents: readonly Agent[], onChange: () => void): Promise<{ close(): Promise<void> }> {
  return watchSources(watchTargets(places, agents), onChange);
}

export async function watchSources(targets: readonly string[], onChange: () => void): Promise<{ close(): Promise<void> }> {
  const { watch } = await import('chokidar');
  const wanted = new Set(targets.map((target) => resolve(target)));
  /** The targets below each folder or file that is watched. */
  const starts = new Map<string, string[]>();
  const onTheWay = new Set<string>();
  const startOf = (target: string): string => {
    const way = wayTo(target);
    for (const path of way) onTheWay.add(path);
    const [start] = way;
    starts.set(start, [...(starts.get(start) ?? []), target]);
    return start;
  };
  const watcher = watch([...new Set([...wanted].map(startOf))], {
    ignoreInitial: true,
    persistent: false,
    // Asked for each entry of a folder whenever one of them changes.
    ignored: (path) => {
      const full = resolve(path);
      return !onTheWay.has(full) && !isBelowAny(full, wanted);
    },
  });
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  const changed = (): void => {
    clearTimeout(timer);
    if (!closed) timer = setTimeout(onChange, QUIET_MS);
  };
  watcher.on('all', (event, path) => {
    const lost = event === 'unlink' || event === 'unlinkDir' ? starts.get(resolve(path)) : undefined;
    // Nothing tells that it is made again, unless the folder above it is watched from now on.
    if (lost && starts.delete(resolve(path))) watcher.add([...new Set(lost.map(startOf))]);
    changed();
  });
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

/** Returns the path and the folders above it, from the nearest one that exists. */
function wayTo(path: string): readonly [start: string, ...rest: string[]] {
  const above = dirname(path);
  return existsSync(path) || above === path ? [path] : [...wayTo(above), path];
}

function withFoldersAbove(path: string): string[] {
  const above = dirname(path);
  return above === path ? [path] : [path, ...withFoldersAbove(above)];
}

/** Whether a target is this path or above it, without a folder in between that is never looked into. */
function isBelowAny(path: string, targets: ReadonlySet<string>): boolean {
  return withFoldersAbove(path).some((folder) => targets.has(folder) && !isSkipped(path.slice(folder.length)));
}

function isSkipped(below: string): boolean {
  return below.split(sep).some((name) => name === 'node_modules' || name === '.git');
}
