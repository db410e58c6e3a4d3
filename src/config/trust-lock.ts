/**
 * Trust that somebody vouches for from outside the checkout: a lock file of hooks and their digests. A checkout must not vouch for itself,
 * so a lock that lies in it, or is reached through it, is refused.
 */
import { isAbsolute, resolve } from 'node:path';
import { HooklineError } from '../core/errors.ts';
import { isObject } from '../core/json.ts';
import { isBelow, realPath } from './folders.ts';
import { readText } from './read-text.ts';

/** One hook as it may run. Without a file: every project hook of this name. */
export interface Pin {
  readonly name: string;
  readonly digest: string;
  readonly dialect?: string;
  /** As seen from the project. */
  readonly file?: string;
}

export interface TrustLock {
  readonly version: 1;
  readonly hooks: readonly Required<Pin>[];
}

export const DIGEST = /^sha256:[0-9a-f]{64}$/;

export function readLock(given: string, root: string): readonly Required<Pin>[] {
  const file = resolve(given);
  const real = realPath(file);
  if (real === undefined) throw badLock(`There is no lock of trusted hooks at ${file}.`, 'Correct the path.');
  const roots = [resolve(root), realPath(root) ?? resolve(root)];
  if ([file, real].some((path) => roots.some((folder) => isBelow(path, folder)))) {
    const hint = 'Keep the lock outside of the project, where whoever changes the hooks can not change it.';
    throw badLock(`The lock of trusted hooks ${file} lies in the project it vouches for.`, hint);
  }
  const read = readText(real);
  if (read === undefined || 'problem' in read) throw badLock(`The lock of trusted hooks ${file} can not be read.`, read?.problem.hint);
  const lock = parse(read.text);
  if (lock) return lock.hooks;
  throw badLock(`${file} is no lock of trusted hooks.`, 'Write it anew with `hookline trust lock`.');
}

function parse(text: string): TrustLock | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value) && value['version'] === 1 && Array.isArray(value['hooks']) && value['hooks'].every(isPin))
      return value as unknown as TrustLock;
  } catch {
    // Said by the caller.
  }
  return undefined;
}

function isPin(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { name, dialect, file, digest } = value;
  const named = typeof name === 'string' && typeof dialect === 'string' && typeof file === 'string' && !isAbsolute(file);
  return named && typeof digest === 'string' && DIGEST.test(digest);
}

function badLock(message: string, hint: string | undefined): HooklineError {
  return new HooklineError('bad-lock', message, hint === undefined ? {} : { hint });
}
