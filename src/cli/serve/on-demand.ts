/** Whether a client that finds no server starts one. A person's own choice stays until the person makes another. */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { makeFolder, type ServeFiles } from '../../server/endpoint.ts';

export function startOnDemand(files: ServeFiles): void {
  makeFolder(files.folder);
  rmSync(files.manual, { force: true });
  writeFileSync(files.auto, '', { mode: 0o600 });
}

export function startByHand(files: ServeFiles): void {
  makeFolder(files.folder);
  rmSync(files.auto, { force: true });
  writeFileSync(files.manual, '', { mode: 0o600 });
}

/** Whether a person has decided that clients start no server. */
export function isStartedByHand(files: ServeFiles): boolean {
  return existsSync(files.manual);
}
