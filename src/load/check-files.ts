/**
 * Finds and reads hook files without running them, for `check`, `audit` and `trust`. The dialect that owns the place reads the file: as the
 * project sees it, or by the shape of its path if the file is outside of the project.
 */
import path from 'node:path';
import type { Agent } from '../core/contracts/agent.ts';
import type { Diagnostic } from '../core/values/diagnostic.ts';
import { checkPattern } from '../engine/select/compile.ts';
import type { SourceFile } from './find/discover.ts';
import { isBelow, realPath } from './find/folders.ts';
import { resolveHome } from './find/home.ts';
import { choose, createFindHooks, nothingAt } from './find/hook-paths.ts';
import { type HookSource, loadHooks } from './load-hooks.ts';
import { loadManaged } from './managed.ts';
import { type AuditSettings, readSettings } from './settings/settings.ts';

export interface FindOptions {
  /** All agents and formats whose files are known. */
  readonly agents: readonly Agent[];
  readonly root: string;
  /** If given, the user's own hooks are read as well. */
  readonly home?: string;
  /** The home whose settings apply, if the user's own hooks are not read. */
  readonly settingsHome?: string;
  readonly only?: readonly string[];
  /** The dialect that reads every place that it names. */
  readonly as?: string;
  /** Managed policy file to use if the machine has none. */
  readonly policy?: string;
  /** Further folders. */
  readonly skills?: readonly string[];
  readonly plugins?: readonly string[];
  readonly hooks?: readonly string[];
  /** Files or folders; the whole project if there are none. */
  readonly paths: readonly string[];
}

export interface FoundHooks {
  readonly hooks: readonly HookSource[];
  readonly diagnostics: readonly Diagnostic[];
  /** How files were read that several dialects could read. */
  readonly readings?: readonly Diagnostic[];
  /** The user's settings for the audit. */
  readonly audit?: AuditSettings;
  /** Globs of files that trust in a folder leaves out, by the user's settings. */
  readonly ignores?: readonly string[];
}

/** Returns the hooks in these paths and the problems of their files. */
export async function findHooks(options: FindOptions): Promise<FoundHooks> {
  const { home, configFolder } = resolveHome({ home: options.home ?? options.settingsHome }, process.env);
  const { settings, diagnostics } = await readSettings(
    configFolder,
    options.agents.map(({ id }) => id),
  );
  const only = options.only ?? settings.dialects;
  const find = createFindHooks(options.agents, { only, as: options.as, readAs: settings.readAs });
  const ofUser = options.home === undefined ? {} : { home: path.resolve(options.home), configFolder };
  const { root, skills = [], plugins = [], hooks: folders = [] } = options;
  const project = find.in({ root, ...ofUser, skills, plugins, hooks: folders });
  const { audit = {}, trust = {} } = settings;
  const ignores = trust.ignores ?? [];
  const load = (sources: readonly SourceFile[]) => loadHooks(sources, checkPattern, settings.maxHooks, { root: path.resolve(root), home });
  if (options.paths.length === 0) {
    const { hooks, diagnostics: problems, readings } = await load(project.sources);
    return {
      hooks,
      diagnostics: [...(options.home === undefined ? [] : diagnostics), ...project.diagnostics, ...problems],
      readings,
      audit,
      ignores,
    };
  }
  const chosen = options.paths.map((given) => choose(path.resolve(given), project.sources, find));
  const whole = new Set(chosen.flatMap((found) => ('sources' in found && !found.keep ? found.sources : [])));
  const loaded: FoundHooks[] = [await load([...whole])];
  for (const found of chosen) {
    if ('severity' in found) loaded.push({ hooks: [], diagnostics: [found] });
    else if (found.keep !== undefined && !found.sources.some((source) => whole.has(source))) {
      const read = await load(found.sources);
      const isMeant = isAt(found.keep);
      loaded.push(read.files.some(isMeant) ? partOf(read, isMeant) : { hooks: [], diagnostics: [nothingAt(found.keep, find)] });
    }
  }
  return {
    hooks: loaded.flatMap(({ hooks }) => hooks),
    diagnostics: loaded.flatMap(({ diagnostics: said }) => said),
    readings: loaded.flatMap(({ readings = [] }) => readings),
    audit,
    ignores,
  };
}

/** Returns the problems of this machine's policy and of the hooks it enforces. */
export async function policyProblems(policyFile: string | undefined, agents: readonly Agent[]): Promise<readonly Diagnostic[]> {
  const { missing, diagnostics } = await loadManaged(policyFile, agents);
  return [...missing.map(({ diagnostic }) => diagnostic), ...diagnostics];
}

/** Returns a function that tells whether a file is at a path or below it, whichever links lead there. */
function isAt(given: string): (file: string) => boolean {
  const real = realPath(given) ?? given;
  return (file) => isBelow(realPath(file) ?? file, real);
}

function partOf({ hooks, diagnostics, readings = [] }: FoundHooks, isMeant: (file: string) => boolean): FoundHooks {
  return {
    // How a plugin was read concerns each of its files.
    readings,
    hooks: hooks.filter(({ hook }) => isMeant(hook.source.file)),
    diagnostics: diagnostics.filter(({ file }) => file !== undefined && isMeant(file)),
  };
}
