/**
 * Trust that somebody vouches for from outside the checkout: a lock file of hooks and their digests. A checkout must not vouch for itself,
 * so a lock that lies in it, or is reached through it, is refused.
 */
import path, { isAbsolute, resolve } from 'node:path';
import type { Hook } from '../core/contracts/hook.ts';
import type { Diagnostic } from '../core/values/diagnostic.ts';
import { HooklineError } from '../core/values/errors.ts';
import { isObject } from '../core/values/json.ts';
import { isBelow, realPath } from '../load/find/folders.ts';
import { readText } from '../load/find/read-text.ts';

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

/** Pins: hooks that somebody vouches for by their digest, without a person at hand. A pin that fits nothing is said. */

/** Project hooks that run because the caller vouches for them: by name, or by a lock file from outside of the project. */
export interface TrustPins {
  /** Name → `sha256:…`; several where several hooks have the name. */
  readonly hooks?: Readonly<Record<string, string | readonly string[]>>;
  /** A file written by `hookline trust lock`. */
  readonly lock?: string;
}

export interface Pins {
  /** Whether any pin is about this hook. */
  isAbout(hook: Hook): boolean;
  accepts(hook: Hook, digest: string): boolean;
  /** What to say about a hook that is pinned as something else than it is. */
  mismatch(hook: Hook, digest: string): readonly Diagnostic[];
  /** What to say about pins of hooks that are not there. */
  unmatched(hooks: readonly Hook[]): readonly Diagnostic[];
}

export function createPins({ hooks = {}, lock }: TrustPins, root: string): Pins {
  const named = Object.entries(hooks).flatMap(([name, digests]) => [digests].flat().map((digest): Pin => ({ name, digest })));
  const pins: readonly Pin[] = [...named, ...(lock === undefined ? [] : readLock(lock, root))];
  const fits = ({ name, dialect, file }: Pin, hook: Hook): boolean =>
    name === hook.name &&
    (dialect === undefined || dialect === hook.dialect) &&
    (file === undefined || path.resolve(root, file) === hook.source.file);
  const about = (hook: Hook): Pin[] => pins.filter((pin) => fits(pin, hook));
  return {
    isAbout: (hook) => about(hook).length > 0,
    accepts: (hook, digest) => about(hook).some((pin) => pin.digest === digest),
    mismatch: (hook, digest) =>
      about(hook).length === 0
        ? []
        : [unmatched(`Hook \`${hook.name}\` is not as it was pinned: it is ${digest} now, and stays untrusted.`, hook.source.file)],
    unmatched: (loaded) =>
      pins
        .filter((pin) => !loaded.some((hook) => fits(pin, hook)))
        .map(({ name, file }) =>
          unmatched(`There is no hook \`${name}\`${file === undefined ? '' : ` in ${file}`}, which is pinned as trusted.`, undefined),
        ),
  };
}

export function checkPins({ hooks = {} }: TrustPins): void {
  for (const [name, digests] of Object.entries(hooks)) {
    const wrong = [digests].flat().find((digest) => typeof digest !== 'string' || !DIGEST.test(digest));
    if (wrong === undefined) continue;
    throw new HooklineError('bad-option', `\`${String(wrong)}\` is no digest that hook \`${name}\` could be trusted by.`, {
      hint: 'Write `sha256:` and 64 lower case hexadecimal digits, as `hookline trust list` shows it.',
    });
  }
}

function unmatched(message: string, file: string | undefined): Diagnostic {
  const hint =
    'Look at the hook, and pin it as it is now: `hookline trust list` shows its digest, `hookline trust lock` writes a new lock.';
  return { severity: 'warning', code: 'unmatched-pin', ...(file !== undefined && { file }), message, hint };
}
