/**
 * Trusts project hooks by their digests, without a person: from a lock file or from options in code. A project must not vouch for itself,
 * so a lock file in the project, or reached through it, is an error.
 */
import path, { isAbsolute, resolve } from 'node:path';
import { type Hook, isCalled } from '../core/contracts/hook.ts';
import type { Diagnostic } from '../core/values/diagnostic.ts';
import { HooklineError } from '../core/values/errors.ts';
import { isObject } from '../core/values/json.ts';
import { isBelow, realPath } from '../load/find/folders.ts';
import { readText } from '../load/find/read-text.ts';

/** The digest by which a hook may run. Without a file it applies to every project hook of this name. */
export interface Pin {
  readonly name: string;
  readonly digest: string;
  readonly dialect?: string;
  /** Relative to the project. */
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
  if (real === undefined) throw badLock(`There is no lock file at ${file}.`, 'Correct the path.');
  const roots = [resolve(root), realPath(root) ?? resolve(root)];
  if ([file, real].some((path) => roots.some((folder) => isBelow(path, folder)))) {
    const hint = 'Keep the lock file outside of the project, so that a change of the hooks cannot change it too.';
    throw badLock(`The lock file ${file} is in the project whose hooks it trusts.`, hint);
  }
  const read = readText(real);
  if (read === undefined || 'problem' in read) throw badLock(`The lock file ${file} cannot be read.`, read?.problem.hint);
  const lock = parse(read.text);
  if (lock) return lock.hooks;
  throw badLock(`${file} is not a lock file.`, 'Write a new one with `hookline trust lock`.');
}

function parse(text: string): TrustLock | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value) && value['version'] === 1 && Array.isArray(value['hooks']) && value['hooks'].every(isPin))
      return value as unknown as TrustLock;
  } catch {
    // The caller reports it.
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

/** Project hooks that the caller trusts by digest: by name, or with a lock file from outside of the project. */
export interface TrustPins {
  /** Name to `sha256:…`; a list if several hooks have the name. */
  readonly hooks?: Readonly<Record<string, string | readonly string[]>>;
  /** A file written by `hookline trust lock`. */
  readonly lock?: string;
}

export interface Pins {
  /** Whether any pin names this hook. */
  isAbout(hook: Hook): boolean;
  accepts(hook: Hook, digest: string): boolean;
  /** Reports a hook whose digest is not the pinned one. */
  mismatch(hook: Hook, digest: string): readonly Diagnostic[];
  /** Reports pins of hooks that do not exist. */
  unmatched(hooks: readonly Hook[]): readonly Diagnostic[];
}

export function createPins({ hooks = {}, lock }: TrustPins, root: string): Pins {
  const named = Object.entries(hooks).flatMap(([name, digests]) => [digests].flat().map((digest): Pin => ({ name, digest })));
  const pins: readonly Pin[] = [...named, ...(lock === undefined ? [] : readLock(lock, root))];
  const fits = ({ name, dialect, file }: Pin, hook: Hook): boolean =>
    isCalled(hook, name) &&
    (dialect === undefined || dialect === hook.dialect) &&
    (file === undefined || path.resolve(root, file) === hook.source.file);
  const about = (hook: Hook): Pin[] => pins.filter((pin) => fits(pin, hook));
  return {
    isAbout: (hook) => about(hook).length > 0,
    accepts: (hook, digest) => about(hook).some((pin) => pin.digest === digest),
    mismatch: (hook, digest) =>
      about(hook).length === 0
        ? []
        : [
            unmatched(
              `Hook \`${hook.name}\` has the digest ${digest}, which is not the pinned one, so it is not trusted.`,
              hook.source.file,
            ),
          ],
    unmatched: (loaded) =>
      pins
        .filter((pin) => !loaded.some((hook) => fits(pin, hook)))
        .map(({ name, file }) =>
          unmatched(`The pinned hook \`${name}\`${file === undefined ? '' : ` in ${file}`} does not exist.`, undefined),
        ),
  };
}

export function checkPins({ hooks = {} }: TrustPins): void {
  for (const [name, digests] of Object.entries(hooks)) {
    const wrong = [digests].flat().find((digest) => typeof digest !== 'string' || !DIGEST.test(digest));
    if (wrong === undefined) continue;
    throw new HooklineError('bad-option', `\`${String(wrong)}\`, pinned for hook \`${name}\`, is not a digest.`, {
      hint: 'Write `sha256:` and 64 lower case hexadecimal digits, as shown by `hookline trust list`.',
    });
  }
}

function unmatched(message: string, file: string | undefined): Diagnostic {
  const hint =
    'Review the hook, then pin its current digest: `hookline trust list` shows it, `hookline trust lock` writes a new lock file.';
  return { severity: 'warning', code: 'unmatched-pin', ...(file !== undefined && { file }), message, hint };
}
