/** A pause of Hookline: a person lets the agents work without hooks for a short time. It ends by itself. */
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Diagnostic } from '../core/values/diagnostic.ts';
import { isObject, textOf } from '../core/values/json.ts';

export interface Pause {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly until: number;
  readonly by: string;
  readonly reason: string;
}

/** A longer pause in the file does not count. */
export const LONGEST_PAUSE_MS = 60 * 60 * 1000;

export function pauseFile(stateFolder: string): string {
  return path.join(stateFolder, 'hookline', 'pause.json');
}

export function writePause(stateFolder: string, pause: Pause): void {
  const file = pauseFile(stateFolder);
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, JSON.stringify(pause), { mode: 0o600 });
}

export function endPause(stateFolder: string): void {
  rmSync(pauseFile(stateFolder), { force: true });
}

/** Returns the pause that is in force. A file that is unreadable, from the future or too long is no pause. */
export function readPause(stateFolder: string, now: number): Pause | undefined {
  const file = pauseFile(stateFolder);
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return undefined;
  try {
    const found: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (!isObject(found)) return undefined;
    const { at, until } = found;
    if (typeof at !== 'number' || typeof until !== 'number') return undefined;
    if (at > now || until <= now || until - at > LONGEST_PAUSE_MS) return undefined;
    return { at, until, by: textOf(found['by']) ?? 'an unknown person', reason: textOf(found['reason']) ?? '' };
  } catch {
    return undefined;
  }
}

export function pauseDiagnostic({ until, by, reason }: Pause): Diagnostic {
  const why = reason === '' ? '' : ` (${reason})`;
  return {
    severity: 'error',
    code: 'paused',
    message: `Hookline is paused until ${new Date(until).toISOString()} by ${by}${why}. Only managed hooks and functions are asked.`,
    hint: 'Run `hookline pause end` to end the pause now.',
  };
}
