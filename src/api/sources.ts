/** Where an engine's hooks come from: found, loaded, watched, and remembered as good across reloads. */
import { DIALECTS, PLACE_OWNERS } from '../builtins.ts';
import { discover } from '../config/discover.ts';
import { keepLastGood } from '../config/keep-last-good.ts';
import { type HookSource, loadHooks } from '../config/load-hooks.ts';
import { openTrust, type Trust } from '../config/trust.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import { HooklineError } from '../core/errors.ts';
import type { Handler } from '../core/handler.ts';
import type { Hook } from '../core/hook.ts';
import { checkPattern } from '../patterns/compile.ts';
import type { ResolvedPlaces } from './options.ts';
import { unknownHandlers } from './unknown-handlers.ts';

export interface SourceOptions {
  readonly places: ResolvedPlaces;
  readonly only?: readonly string[];
  readonly maxHooks?: number;
}

export interface Sources {
  readonly trust: Trust;
  load(handlers: ReadonlyMap<string, Handler>): Promise<{ readonly hooks: readonly Hook[]; readonly diagnostics: readonly Diagnostic[] }>;
  /** Whether the hook came from the user, or from a place the caller named. */
  isTrustedPlace(hook: Hook): boolean;
  /** The whole text of the file a hook was written in. */
  read(hook: Hook | undefined, id: string): Promise<string>;
  watch(onChange: () => void): Promise<{ close(): Promise<void> }>;
}

export function createSources({ places, only, maxHooks }: SourceOptions): Sources {
  let good: readonly HookSource[] | undefined;
  let trusted: ReadonlySet<string> = new Set();
  return {
    trust: openTrust(places.stateFolder),
    async load(handlers) {
      const found = discover(places, DIALECTS, PLACE_OWNERS, only);
      const fresh = await loadHooks(found.sources, checkPattern, maxHooks);
      const next = good ? keepLastGood(good, fresh) : fresh;
      good = next.hooks;
      trusted = new Set(next.hooks.filter((source) => source.trusted).map(({ hook }) => hook.id));
      const hooks = next.hooks.map(({ hook }) => hook);
      return { hooks, diagnostics: [...found.diagnostics, ...next.diagnostics, ...unknownHandlers(hooks, [...handlers.keys()])] };
    },
    isTrustedPlace: (hook) => trusted.has(hook.id),
    async read(hook, id) {
      if (!hook) throw new HooklineError('unknown-hook', `There is no hook \`${id}\`.`, { hint: '`list()` has them all.' });
      const { readFile } = await import('node:fs/promises');
      return readFile(hook.source.file, 'utf8');
    },
    async watch(onChange) {
      const { watchPlaces } = await import('../config/watch.ts');
      return watchPlaces(places, onChange);
    },
  };
}
