/**
 * What was said in a session, so that it is said once, also by processes that know nothing of each other: an empty file for each, made in
 * one step. The folder is kept small; if it can't be written, something is rather said twice than never.
 */
import { closeSync, mkdirSync, openSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { hash } from './hook-digest.ts';

/** Whether this is the first time that it is said in this session. */
export type SaidOnce = (session: string, what: string) => boolean;

const MOST = 1000;

/** `nameless`: the session of those who name none. It is another one in every process. */
export function openSaidOnce(stateFolder: string, root: string, nameless: string): SaidOnce {
  const folder = join(stateFolder, 'hookline', 'said');
  const said = new Set<string>();
  return (session, what) => {
    const key = hash(JSON.stringify([root, session, what]));
    if (said.has(key)) return false;
    if (said.size >= MOST) said.clear();
    said.add(key);
    return session === nameless || mark(folder, key);
  };
}

function mark(folder: string, name: string): boolean {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    closeSync(openSync(join(folder, name), 'wx', 0o600));
    tidy(folder);
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'EEXIST');
  }
}

/** Half of them go at once, the oldest, so that it is seldom done. */
function tidy(folder: string): void {
  const names = readdirSync(folder);
  if (names.length <= MOST) return;
  const aged = names.map((name) => ({
    path: join(folder, name),
    at: statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0,
  }));
  aged.sort((a, b) => a.at - b.at);
  for (const { path } of aged.slice(0, Math.floor(MOST / 2))) rmSync(path, { force: true });
}
