/**
 * Hook files, found to be looked at rather than run: for `check` and `trust`. A file is read by the dialect that owns its place: as the
 * project sees it, or, for a file of no project at hand, by the shape of its path.
 */
import path from 'node:path';
import type { Agent } from '../core/contracts/agent.ts';
import type { Diagnostic } from '../core/values/diagnostic.ts';
import { checkPattern } from '../engine/select/compile.ts';
import type { SourceFile } from './find/discover.ts';
import { resolveHome } from './find/home.ts';
import { choose, createFindHooks } from './find/hook-paths.ts';
import { type HookSource, loadHooks } from './load-hooks.ts';
import { loadManaged } from './managed.ts';
import { type AuditSettings, readSettings } from './settings/settings.ts';

export interface FindOptions {
  /** All agents and formats whose files are known. */
  readonly agents: readonly Agent[];
  readonly root: string;
  /** Given: the user's own hooks are looked at as well. */
  readonly home?: string;
  readonly only?: readonly string[];
  /** A policy file, for machines that have none. */
  readonly policy?: string;
  /** Further folders. */
  readonly skills?: readonly string[];
  readonly plugins?: readonly string[];
  readonly hooks?: readonly string[];
  /** Files or folders; none: the whole project. */
  readonly paths: readonly string[];
}

export interface FoundHooks {
  readonly hooks: readonly HookSource[];
  readonly diagnostics: readonly Diagnostic[];
  /** What the user's settings say about the audit. */
  readonly audit?: AuditSettings;
}

/** The hooks in these paths, and what is wrong with their files. */
export async function findHooks(options: FindOptions): Promise<FoundHooks> {
  const { configFolder } = resolveHome({ home: options.home }, process.env);
  const { settings, diagnostics } = await readSettings(
    configFolder,
    options.agents.map(({ id }) => id),
  );
  const only = options.only ?? settings.dialects;
  const find = createFindHooks(options.agents, only);
  const ofUser = options.home === undefined ? {} : { home: path.resolve(options.home), configFolder };
  const { root, skills = [], plugins = [], hooks: folders = [] } = options;
  const project = find.in({ root, ...ofUser, skills, plugins, hooks: folders });
  const { audit = {} } = settings;
  const load = (sources: readonly SourceFile[]) => loadHooks(sources, checkPattern, settings.maxHooks);
  if (options.paths.length === 0) {
    const { hooks, diagnostics: problems } = await load(project.sources);
    return { hooks, diagnostics: [...(options.home === undefined ? [] : diagnostics), ...project.diagnostics, ...problems], audit };
  }
  const chosen = options.paths.map((given) => choose(path.resolve(given), project.sources, find));
  const whole = new Set(chosen.flatMap((found) => ('sources' in found && !found.keep ? found.sources : [])));
  const loaded: FoundHooks[] = [await load([...whole])];
  for (const found of chosen) {
    if ('severity' in found) loaded.push({ hooks: [], diagnostics: [found] });
    else if (found.keep !== undefined && !found.sources.some((source) => whole.has(source))) {
      loaded.push(partOf(await load(found.sources), found.keep));
    }
  }
  return { hooks: loaded.flatMap(({ hooks }) => hooks), diagnostics: loaded.flatMap(({ diagnostics: said }) => said), audit };
}

/** What is wrong with the policy of this machine and the hooks it enforces. */
export async function policyProblems(policyFile: string | undefined, agents: readonly Agent[]): Promise<readonly Diagnostic[]> {
  const { flaws, diagnostics } = await loadManaged(policyFile, agents);
  return [...flaws.map(({ diagnostic }) => diagnostic), ...diagnostics];
}

function partOf({ hooks, diagnostics }: FoundHooks, file: string): FoundHooks {
  return { hooks: hooks.filter(({ hook }) => hook.source.file === file), diagnostics: diagnostics.filter((said) => said.file === file) };
}
