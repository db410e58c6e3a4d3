/** Hook files by the paths somebody names, read by the dialect that owns a place of that shape. */

import { devNull } from 'node:os';
import path from 'node:path';
import { DIALECTS, PLACE_OWNERS } from '../../builtins.ts';
import type { Diagnostic } from '../../core/values/diagnostic.ts';
import { type Discovered, discover, type Places, type SourceFile } from './discover.ts';
import { entriesOf, isBelow, statOf } from './folders.ts';

export interface Chosen {
  readonly sources: readonly SourceFile[];
  /** Only this file of theirs was asked for. */
  readonly keep?: string;
}

/** What is found in these places and no others. */
export type Look = (places: Partial<Places>) => Discovered;

const KNOWN_FILES =
  'SKILL.md, HOOK.md, HOOK.toml, .claude/settings.json, .claude/settings.local.json, .claude/agents/*.md, .claude-plugin/plugin.json and the files it names';

export function lookFor(only?: readonly string[]): Look {
  return (places) => discover({ ...NOTHING, ...places }, DIALECTS, PLACE_OWNERS, only);
}

/** The hook files at a path: as the project sees them if they are its own. */
export function choose(given: string, project: readonly SourceFile[], look: Look): Chosen | Diagnostic {
  const stat = statOf(given);
  if (!stat) return problem('not-found', given, 'There is nothing at this path.', 'Check the path; it is seen from the working directory.');
  if (!stat.isDirectory()) {
    const sources = sourcesOf(given, project, look);
    const [first] = sources;
    if (!first) return problem('unknown-file', given, 'This is no hook file that Hookline knows.', `Known are ${KNOWN_FILES}.`);
    return { sources, ...(first.file !== given && { keep: given }) };
  }
  const below = project.filter(({ file }) => isBelow(file, given));
  const found = below.length > 0 ? below : look({ root: given }).sources;
  const sources = found.length > 0 ? found : filesBelow(given).flatMap((file) => sourcesOf(file, project, look));
  if (sources.length > 0) return { sources };
  return {
    ...problem('no-hook-files', given, 'There are no hook files in this folder.', `Known are ${KNOWN_FILES}.`),
    severity: 'warning',
  };
}

/** Every hook file at a path, of whatever kind: none is passed over because others were found. */
export function allAt(given: string): readonly SourceFile[] | Diagnostic {
  const look = lookFor();
  const chosen = choose(given, [], look);
  if ('severity' in chosen || !statOf(given)?.isDirectory()) return 'severity' in chosen ? chosen : chosen.sources;
  const more = filesBelow(given).flatMap((file) => sourcesOf(file, chosen.sources, look));
  return [...new Map([...chosen.sources, ...more].map((source) => [`${source.dialect.id}\0${source.file}`, source])).values()];
}

/** A place below a device that has none: nothing is ever found there. */
const NOWHERE = path.join(devNull, 'nowhere');
const NOTHING: Places = { root: NOWHERE, home: NOWHERE, configFolder: NOWHERE, skills: [], plugins: [], hooks: [] };
const MANIFEST = path.join('.claude-plugin', 'plugin.json');

function problem(code: string, file: string, message: string, hint: string): Diagnostic {
  return { severity: 'error', code, file, message, hint };
}

/** The file that leads to a hook file, itself or the manifest of the plugin it belongs to, for each dialect that reads it. */
function sourcesOf(file: string, project: readonly SourceFile[], look: Look): readonly SourceFile[] {
  const places = placesOf(file);
  const origin = places ? file : file.endsWith('.json') ? manifestAbove(file) : undefined;
  if (origin === undefined) return [];
  const isOrigin = (source: SourceFile): boolean => source.file === origin;
  const known = project.filter(isOrigin);
  return known.length > 0 ? known : look(places ?? placesOf(origin) ?? {}).sources.filter(isOrigin);
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
