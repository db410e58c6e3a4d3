/** Where an engine's hooks come from: found, loaded, watched, and remembered as good across reloads. */
import { DIALECTS, PLACE_OWNERS } from '../builtins.ts';
import { discover } from '../config/discover.ts';
import { keepLastGood } from '../config/keep-last-good.ts';
import { type HookSource, loadHooks } from '../config/load-hooks.ts';
import type { Policy } from '../config/policy.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import { HooklineError } from '../core/errors.ts';
import type { Handler } from '../core/handler.ts';
import type { Hook } from '../core/hook.ts';
import type { Flaw } from '../engine/hook-set.ts';
import { checkPattern } from '../patterns/compile.ts';
import { loadManaged } from './managed.ts';
import type { ResolvedPlaces } from './options.ts';
import { isOwnEntry } from './own-entry.ts';
import { unknownHandlers } from './unknown-handlers.ts';

export interface SourceOptions {
  readonly places: ResolvedPlaces;
  readonly only?: readonly string[];
  readonly maxHooks?: number;
  /** A policy file, for machines that have none. */
  readonly policyFile?: string;
}

export interface LoadedSources {
  readonly hooks: readonly Hook[];
  readonly diagnostics: readonly Diagnostic[];
  readonly policy: Policy;
  readonly flaws: readonly Flaw[];
}

export interface Sources {
  load(handlers: ReadonlyMap<string, Handler>): Promise<LoadedSources>;
  /** Whether the hook came from the user, or from a place the caller named. */
  isTrustedPlace(hook: Hook): boolean;
  /** The whole text of the file a hook was written in. */
  read(hook: Hook | undefined, id: string): Promise<string>;
  watch(onChange: () => void): Promise<{ close(): Promise<void> }>;
}

export function createSources({ places, only, maxHooks, policyFile }: SourceOptions): Sources {
  let good: readonly HookSource[] | undefined;
  // The hooks themselves, not their names: nobody is trusted for being called like somebody who is.
  const trusted = new WeakSet<Hook>();
  return {
    async load(handlers) {
      const managed = await loadManaged(policyFile);
      const found = discover(places, DIALECTS, PLACE_OWNERS, only);
      const permitted = managed.permitted(found.sources);
      const fresh = await loadHooks(permitted.sources, checkPattern, maxHooks);
      const next = good ? keepLastGood(good, fresh) : fresh;
      good = next.hooks;
      const all = [...next.hooks, ...managed.hooks];
      for (const source of all) if (source.trusted) trusted.add(source.hook);
      // An agent's entry that asks us is no hook of ours: to run it would ask everybody twice.
      const hooks = all.map(({ hook }) => hook).filter((hook) => !isOwnEntry(hook));
      const said = [managed, found, permitted, next].flatMap(({ diagnostics }) => diagnostics);
      return {
        hooks,
        diagnostics: [...said, ...unknownHandlers(hooks, [...handlers.keys()])],
        policy: managed.policy,
        flaws: managed.flaws,
      };
    },
    isTrustedPlace: (hook) => trusted.has(hook),
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
