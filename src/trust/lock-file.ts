/** Pins: hooks that somebody vouches for by their digest, without a person at hand. A pin that fits nothing is said. */
import path from 'node:path';
import { DIGEST, type Pin, readLock } from '../config/trust-lock.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import { HooklineError } from '../core/errors.ts';
import type { Hook } from '../core/hook.ts';

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
