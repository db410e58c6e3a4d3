/** Bounds a folder of small files. */
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Removes the oldest half at once if there are more than `most` files, so that this happens rarely. */
export function keepNewest(folder: string, most: number): void {
  const names = readdirSync(folder);
  if (names.length <= most) return;
  const aged = names.map((name) => ({
    path: join(folder, name),
    at: statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0,
  }));
  aged.sort((a, b) => a.at - b.at);
  for (const { path } of aged.slice(0, Math.floor(most / 2))) rmSync(path, { force: true });
}
