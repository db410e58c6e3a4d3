/**
 * Hook files, found to be looked at rather than run: for `check` and `trust`. A file is read by the dialect that owns its place: as the
 * project sees it, or, for a file of no project at hand, by the shape of its path.
 */
import { devNull } from 'node:os';
import path from 'node:path';
import { builtinHandlers, DIALECTS, PLACE_OWNERS } from '../builtins.ts';
import { type Discovered, discover, type Places, type SourceFile } from '../config/discover.ts';
import { entriesOf, isBelow, statOf } from '../config/folders.ts';
import { resolveHome } from '../config/home.ts';
import { type HookSource, loadHooks } from '../config/load-hooks.ts';
import { readSettings } from '../config/settings.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import type { Dialect } from '../core/dialect.ts';
import type { Hook } from '../core/hook.ts';
import { checkPattern } from '../patterns/compile.ts';
import { unknownHandlers } from './unknown-handlers.ts';

export interface FindOptions {
  readonly root: string;
  /** Given: the user's own hooks are looked at as well. */
  readonly home?: string;
  readonly only?: readonly string[];
  /** Files or folders; none: the whole project. */
  readonly paths: readonly string[];
}

export interface FoundHooks {
  readonly hooks: readonly HookSource[];
  readonly diagnostics: readonly Diagnostic[];
}

export const KNOWN_FILES =
  'SKILL.md, HOOK.md, HOOK.toml, .claude/settings.json, .claude/settings.local.json, .claude/agents/*.md, .claude-plugin/plugin.json and the files it names';

/** The hooks in these paths, and what is wrong with their files. */
export async function findHooks(options: FindOptions): Promise<FoundHooks> {
  const { configFolder } = resolveHome({ home: options.home }, process.env);
  const { settings, diagnostics } = await readSettings(
    configFolder,
    DIALECTS.map(({ id }) => id),
  );
  const only = options.only ?? settings.dialects;
  const look = (places: Partial<Places>): Discovered => discover({ ...NOTHING, ...places }, DIALECTS, PLACE_OWNERS, only);
  const ofUser = options.home === undefined ? {} : { home: path.resolve(options.home), configFolder };
  const project = look({ root: options.root, ...ofUser });
  const load = (sources: readonly SourceFile[]) => loadHooks(sources, checkPattern, settings.maxHooks);
  if (options.paths.length === 0) {
    const { hooks, diagnostics: problems } = await load(project.sources);
    return { hooks, diagnostics: [...(options.home === undefined ? [] : diagnostics), ...project.diagnostics, ...problems] };
  }
  const chosen = options.paths.map((given) => choose(path.resolve(given), project.sources, look));
  const whole = new Set(chosen.flatMap((found) => ('sources' in found && !found.keep ? found.sources : [])));
  const loaded: FoundHooks[] = [await load([...whole])];
  for (const found of chosen) {
    if ('severity' in found) loaded.push({ hooks: [], diagnostics: [found] });
    else if (found.keep !== undefined && !found.sources.some((source) => whole.has(source))) {
      loaded.push(partOf(await load(found.sources), found.keep));
    }
  }
  return { hooks: loaded.flatMap(({ hooks }) => hooks), diagnostics: loaded.flatMap(({ diagnostics: said }) => said) };
}

/** Types the files may name without any code of the user's. */
export function unknownTypes(hooks: readonly Hook[]): readonly Diagnostic[] {
  return unknownHandlers(
    hooks,
    builtinHandlers(undefined).map(({ type }) => type),
  );
}

/** What the audit has to say about these hooks; what keeps a hook out is an error. */
export async function auditFindings(hooks: readonly Hook[], root: string): Promise<readonly Diagnostic[]> {
  const { auditHook } = await import('../guard/index.ts');
  return hooks.flatMap((hook) => {
    const dialect = DIALECTS.find(({ id }) => id === hook.dialect) as Dialect;
    return auditHook(hook, { cwd: root, folder: dialect.profile.load.auditFolder }).findings.map(
      ({ rule, severity, file, line, message, hint }): Diagnostic => {
        const lead = severity === 'medium' ? `Hook \`${hook.name}\`` : `Hook \`${hook.name}\` does not run`;
        const place = { file, ...(line !== undefined && { line }) };
        return {
          severity: severity === 'medium' ? 'warning' : 'error',
          code: `audit-${rule}`,
          ...place,
          message: `${lead}: ${message}`,
          hint,
        };
      },
    );
  });
}

/** A place below a device that has none: nothing is ever found there. */
const NOWHERE = path.join(devNull, 'nowhere');
const NOTHING: Places = { root: NOWHERE, home: NOWHERE, configFolder: NOWHERE, skills: [], plugins: [], hooks: [] };
const MANIFEST = path.join('.claude-plugin', 'plugin.json');

interface Chosen {
  readonly sources: readonly SourceFile[];
  /** Only this file of theirs was asked for. */
  readonly keep?: string;
}

type Look = (places: Partial<Places>) => Discovered;

function choose(given: string, project: readonly SourceFile[], look: Look): Chosen | Diagnostic {
  const stat = statOf(given);
  if (!stat) return problem('not-found', given, 'There is nothing at this path.', 'Check the path; it is seen from the working directory.');
  if (!stat.isDirectory()) {
    const source = sourceOf(given, project, look);
    if (!source) return problem('unknown-file', given, 'This is no hook file that Hookline knows.', `Known are ${KNOWN_FILES}.`);
    return { sources: [source], ...(source.file !== given && { keep: given }) };
  }
  const below = project.filter(({ file }) => isBelow(file, given));
  const found = below.length > 0 ? below : look({ root: given }).sources;
  const sources = found.length > 0 ? found : filesBelow(given).flatMap((file) => sourceOf(file, project, look) ?? []);
  if (sources.length > 0) return { sources };
  return {
    ...problem('no-hook-files', given, 'There are no hook files in this folder.', `Known are ${KNOWN_FILES}.`),
    severity: 'warning',
  };
}

function partOf({ hooks, diagnostics }: FoundHooks, file: string): FoundHooks {
  return { hooks: hooks.filter(({ hook }) => hook.source.file === file), diagnostics: diagnostics.filter((said) => said.file === file) };
}

function problem(code: string, file: string, message: string, hint: string): Diagnostic {
  return { severity: 'error', code, file, message, hint };
}

/** The file that leads to a hook file: itself, or the manifest of the plugin it belongs to. */
function sourceOf(file: string, project: readonly SourceFile[], look: Look): SourceFile | undefined {
  const places = placesOf(file);
  const origin = places ? file : file.endsWith('.json') ? manifestAbove(file) : undefined;
  if (origin === undefined) return undefined;
  const known = project.find((source) => source.file === origin);
  if (known) return known;
  return look(places ?? placesOf(origin) ?? {}).sources.find((source) => source.file === origin);
}

/** Which place a file would be found at, by the shape of its path. */
function placesOf(file: string): Partial<Places> | undefined {
  const folder = path.dirname(file);
  const up = (levels: number): string => path.resolve(file, ...Array.from({ length: levels }, () => '..'));
  const lies = (...names: readonly string[]): boolean => names.every((name, i) => path.basename(up(names.length - i)) === name);
  const name = path.basename(file);
  if (name === 'SKILL.md')
    return path.basename(up(2)) === 'skills' && path.basename(up(3)) === '.claude' ? { root: up(4) } : { skills: [folder] };
  if (name === 'HOOK.md' || name === 'HOOK.toml') return { hooks: [folder] };
  if ((name === 'settings.json' || name === 'settings.local.json') && lies('.claude')) return { root: up(2) };
  if (name.endsWith('.md') && lies('.claude', 'agents')) return { root: up(3) };
  if (name !== 'plugin.json' || !lies('.claude-plugin')) return undefined;
  const plugin = up(2);
  if (path.basename(up(3)) !== 'plugins') return { root: plugin };
  return path.basename(up(4)) === '.claude' ? { home: up(5) } : { plugins: [plugin] };
}

function manifestAbove(file: string): string | undefined {
  for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
    const manifest = path.join(folder, MANIFEST);
    if (statOf(manifest)?.isFile()) return manifest;
    if (folder === path.dirname(folder)) return undefined;
  }
}

/** Every file below that is a hook file by its path. Links are not followed. */
function filesBelow(folder: string): string[] {
  const found: string[] = [];
  const queue = [folder];
  for (let at = queue.shift(); at !== undefined; at = queue.shift()) {
    for (const entry of entriesOf(at)) {
      const file = path.join(at, entry.name);
      if (entry.isDirectory() && entry.name !== 'node_modules' && entry.name !== '.git') queue.push(file);
      else if (entry.isFile() && placesOf(file)) found.push(file);
    }
  }
  return found;
}
