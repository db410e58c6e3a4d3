/** Finds, loads and watches the hooks of an engine, and remembers the last good version of each across reloads. */

import type { Agent } from '../core/contracts/agent.ts';
import { readLine } from '../core/contracts/entry-line.ts';
import type { Handler } from '../core/contracts/handler.ts';
import { type Hook, isCalled, type MissingProtection, type OnError } from '../core/contracts/hook.ts';
import type { Diagnostic } from '../core/values/diagnostic.ts';
import { HooklineError } from '../core/values/errors.ts';
import { textOf } from '../core/values/json.ts';
import { checkPattern } from '../engine/select/compile.ts';
import { type Choice, discover } from './find/discover.ts';
import type { ResolvedPlaces } from './find/places.ts';
import { type HookSource, type LoadedHooks, loadHooks, TOO_MANY } from './load-hooks.ts';
import { loadManaged } from './managed.ts';
import type { Memory } from './memory.ts';
import { loadOnce } from './remembered/hooks.ts';
import type { Policy } from './settings/policy.ts';
import type { OnErrorSettings } from './settings/values.ts';
import { unknownHandlers } from './unknown-handlers.ts';

/** Whether this is an entry that `hookline install` wrote into an agent's file. Such an entry is found like a hook, but is not one. */
export function isOwnEntry({ handler: { config } }: Hook): boolean {
  const line = textOf(config['command']) ?? textOf(config['url']);
  return line?.includes('hook') === true && readLine(line) !== undefined;
}

/** Keeps the last good version of a hook whose file is now broken, with a warning, until the file is fixed or the hook is removed. Pure. */
export function keepLastGood(
  previous: readonly HookSource[],
  next: Omit<LoadedHooks, 'readings'>,
): { readonly hooks: readonly HookSource[]; readonly diagnostics: readonly Diagnostic[] } {
  const broken = brokenFiles(next);
  const good = new Set(previous.filter(({ hook }) => hook.unusable === undefined).map(({ hook }) => hook.id));
  // A hook whose entry cannot be used any more gives way to the version that could be.
  const fresh = next.hooks.filter(({ hook }) => hook.unusable === undefined || !good.has(hook.id));
  const present = new Set(fresh.map(({ hook }) => hook.id));
  const kept = previous.filter(({ hook, origin }) => !present.has(hook.id) && (broken.has(hook.source.file) || broken.has(origin)));
  if (kept.length === 0) return { hooks: next.hooks, diagnostics: next.diagnostics };
  return { hooks: insert(previous, fresh, new Set(kept)), diagnostics: [...next.diagnostics, ...kept.map(sayKept)] };
}

/** Returns the files that still exist and have an error. A hook beyond the limit is not an error of its file. */
function brokenFiles({ files, diagnostics }: Pick<LoadedHooks, 'files' | 'diagnostics'>): Set<string> {
  const there = new Set(files);
  const broken = new Set<string>();
  for (const { severity, code, file } of diagnostics) {
    if (severity === 'error' && code !== TOO_MANY && file !== undefined && there.has(file)) broken.add(file);
  }
  return broken;
}

/** Puts each kept hook after the hook that it followed before. */
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
    message: `The file of hook \`${hook.name}\` is broken now, so the last good version of the hook stays in force.`,
    hint: 'Fix the file, or remove the hook.',
  };
}

/** Applies the settings for faults. The stricter of two settings counts, and a user cannot make a managed hook pass. */
function withOnError(source: HookSource, user: OnErrorSettings, policy: OnErrorSettings, home: string): HookSource {
  const { hook } = source;
  const isManaged = hook.source.scope === 'managed';
  const own = Object.entries(user).filter(([key, value]) => names(key, hook, home) && !(isManaged && value === 'pass'));
  const given = [...own, ...Object.entries(policy).filter(([key]) => names(key, hook, home))].map(([, value]) => value);
  const onError = STRICTEST_FIRST.find((one) => given.includes(one));
  return onError === undefined ? source : { ...source, hook: { ...hook, onError } };
}

/** Puts the hooks in shadow that the settings or the policy name. The policy alone can do so with a hook that it enforces. */
function withShadow(source: HookSource, user: readonly string[], policy: readonly string[], home: string): HookSource {
  const { hook } = source;
  const isNamed = (key: string): boolean => names(key, hook, home);
  if (policy.some(isNamed)) {
    const { required: _, ...rest } = hook;
    return { ...source, hook: { ...(hook.source.scope === 'managed' ? rest : hook), shadow: true } };
  }
  return user.some(isNamed) ? { ...source, hook: { ...hook, shadow: true } } : source;
}

const STRICTEST_FIRST: readonly OnError[] = ['deny', 'ask', 'pass'];

function names(key: string, hook: Hook, home: string): boolean {
  const { source } = hook;
  return isCalled(hook, key) || key === source.file || (key.startsWith('~/') && `${home}${key.slice(1)}` === source.file);
}

export interface SourceOptions {
  readonly agents: readonly Agent[];
  readonly places: ResolvedPlaces;
  /** Which dialects read the places that several can read. */
  readonly choice?: Choice;
  readonly maxHooks?: number;
  /** Managed policy file to use if the machine has none. */
  readonly policyFile?: string;
  /** Where hooks that were read are remembered; absent: nowhere. */
  readonly memory?: Memory | undefined;
  /** The user's setting for the faults of single hooks, by name or file. */
  readonly onError?: OnErrorSettings;
  /** The hooks that the user puts in shadow, by name or file. */
  readonly shadow?: readonly string[];
}

export interface LoadedSources {
  readonly hooks: readonly Hook[];
  readonly diagnostics: readonly Diagnostic[];
  readonly policy: Policy;
  readonly missing: readonly MissingProtection[];
  /** How files were read that several dialects could read. */
  readonly readings: readonly Diagnostic[];
}

export interface Sources {
  load(handlers: ReadonlyMap<string, Handler>): Promise<LoadedSources>;
  /** Whether the hook comes from the user or from a folder that the caller named. */
  isTrustedPlace(hook: Hook): boolean;
  /** Returns the whole text of the file that holds the hook. */
  read(hook: Hook | undefined, id: string): Promise<string>;
  watch(onChange: () => void): Promise<{ close(): Promise<void> }>;
}

export function createSources({ agents, places, choice, maxHooks, policyFile, memory, onError = {}, shadow = [] }: SourceOptions): Sources {
  let good: readonly HookSource[] | undefined;
  // Holds the hooks themselves, because a hook must not be trusted for having the name of a trusted one.
  const trusted = new WeakSet<Hook>();
  return {
    async load(handlers) {
      const managed = await loadManaged(policyFile, agents);
      const search = async (): Promise<LoadedHooks> => {
        const found = discover(places, agents, choice);
        const permitted = managed.permitted(found.sources);
        const read = await loadHooks(permitted.sources, checkPattern, maxHooks, places);
        return { ...read, diagnostics: [...found.diagnostics, ...permitted.diagnostics, ...read.diagnostics] };
      };
      // A reload compares with the hooks that this process has, and not with those of another one.
      const fresh = await loadOnce(good ? undefined : memory, [places, choice, maxHooks], search);
      const next = good ? keepLastGood(good, fresh) : fresh;
      good = next.hooks;
      const all = [...next.hooks, ...managed.hooks].map((source) =>
        withShadow(
          withOnError(source, onError, managed.policy.onError ?? {}, places.home),
          shadow,
          managed.policy.shadow ?? [],
          places.home,
        ),
      );
      for (const source of all) if (source.trusted) trusted.add(source.hook);
      // An entry that calls Hookline is not a hook: to run it would run every hook twice.
      const hooks = all.map(({ hook }) => hook).filter((hook) => !isOwnEntry(hook));
      const said = [...managed.diagnostics, ...next.diagnostics];
      return {
        hooks,
        diagnostics: [...said, ...unknownHandlers(hooks, [...handlers.keys()])],
        policy: managed.policy,
        missing: managed.missing,
        readings: fresh.readings,
      };
    },
    isTrustedPlace: (hook) => trusted.has(hook),
    async read(hook, id) {
      if (!hook)
        throw new HooklineError('unknown-hook', `There is no hook \`${id}\`.`, { hint: 'Call `list()` for the ids of all hooks.' });
      const { readFile } = await import('node:fs/promises');
      return readFile(hook.source.file, 'utf8');
    },
    async watch(onChange) {
      const { watchPlaces } = await import('./find/watch.ts');
      return watchPlaces(places, agents, onChange);
    },
  };
}
