/** Our own entries in the files of agents: found like any hook there, and no hook. */

import type { Agent } from '../core/contracts/agent.ts';
import { readLine } from '../core/contracts/entry-line.ts';
import type { Handler } from '../core/contracts/handler.ts';
import type { Flaw, Hook } from '../core/contracts/hook.ts';
import type { Diagnostic } from '../core/values/diagnostic.ts';
import { HooklineError } from '../core/values/errors.ts';
import { textOf } from '../core/values/json.ts';
import { checkPattern } from '../engine/select/compile.ts';
import { discover } from './find/discover.ts';
import type { ResolvedPlaces } from './find/places.ts';
import { type HookSource, type LoadedHooks, loadHooks, TOO_MANY, unknownHandlers } from './load-hooks.ts';
import { loadManaged } from './managed.ts';
import type { Policy } from './settings/policy.ts';

export function isOwnEntry({ handler: { config } }: Hook): boolean {
  const line = textOf(config['command']) ?? textOf(config['url']);
  return line?.includes('hook') === true && readLine(line) !== undefined;
}

/** A hook that was good and whose file is now broken stays as it was, loudly, until it is mended or removed. Pure. */

export function keepLastGood(
  previous: readonly HookSource[],
  next: LoadedHooks,
): { readonly hooks: readonly HookSource[]; readonly diagnostics: readonly Diagnostic[] } {
  const broken = brokenFiles(next);
  const present = new Set(next.hooks.map(({ hook }) => hook.id));
  const kept = previous.filter(({ hook, origin }) => !present.has(hook.id) && (broken.has(hook.source.file) || broken.has(origin)));
  if (kept.length === 0) return { hooks: next.hooks, diagnostics: next.diagnostics };
  return { hooks: insert(previous, next.hooks, new Set(kept)), diagnostics: [...next.diagnostics, ...kept.map(sayKept)] };
}

/** Files that are still there and have an error of their own; being one too many is not the file's fault. */
function brokenFiles({ files, diagnostics }: LoadedHooks): Set<string> {
  const there = new Set(files);
  const broken = new Set<string>();
  for (const { severity, code, file } of diagnostics) {
    if (severity === 'error' && code !== TOO_MANY && file !== undefined && there.has(file)) broken.add(file);
  }
  return broken;
}

/** Each kept hook follows the one it used to follow. */
function insert(previous: readonly HookSource[], next: readonly HookSource[], kept: ReadonlySet<HookSource>): HookSource[] {
  const present = new Set(next.map(({ hook }) => hook.id));
  const after = new Map<string, HookSource[]>();
  let anchor = '';
  for (const source of previous) {
    if (present.has(source.hook.id)) anchor = source.hook.id;
    else if (kept.has(source)) after.set(anchor, [...(after.get(anchor) ?? []), source]);
  }
  return [...(after.get('') ?? []), ...next.flatMap((source) => [source, ...(after.get(source.hook.id) ?? [])])];
}

function sayKept({ hook }: HookSource): Diagnostic {
  return {
    severity: 'warning',
    code: 'kept-last-good',
    file: hook.source.file,
    message: `\`${hook.name}\` is broken now; its last good version stays in force.`,
    hint: 'Mend the file, or remove the hook.',
  };
}

/** Where an engine's hooks come from: found, loaded, watched, and remembered as good across reloads. */

export interface SourceOptions {
  readonly agents: readonly Agent[];
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

export function createSources({ agents, places, only, maxHooks, policyFile }: SourceOptions): Sources {
  let good: readonly HookSource[] | undefined;
  // The hooks themselves, not their names: nobody is trusted for being called like somebody who is.
  const trusted = new WeakSet<Hook>();
  return {
    async load(handlers) {
      const managed = await loadManaged(policyFile, agents);
      const found = discover(places, agents, only);
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
      const { watchPlaces } = await import('./find/watch.ts');
      return watchPlaces(places, agents, onChange);
    },
  };
}
