/** Where hook files are looked for: one row per place and base folder. User spots stand before project spots, so the user's hooks come first. */
import { join, resolve } from 'node:path';
import type { PlaceId } from '../../core/contracts/dialect.ts';
import type { Scope } from '../../core/contracts/hook.ts';

/** The folders that places are seen from. All but the named ones may be missing. */
export interface Places {
  readonly root: string;
  readonly home: string;
  /** The XDG config folder. */
  readonly configFolder: string;
  /** The root of the system, for what whoever manages the machine put there; absent: nothing of it is looked at. */
  readonly system?: string;
  /** Folders the caller names. */
  readonly skills: readonly string[];
  readonly plugins: readonly string[];
  readonly hooks: readonly string[];
}

export interface Spot {
  readonly place: PlaceId;
  /** `skills`, `plugins` and `hooks` are the folders the caller names. */
  readonly base: 'root' | 'home' | 'config' | 'system' | 'skills' | 'plugins' | 'hooks';
  /** Below the base. */
  readonly path: string;
  readonly look: Look;
  readonly scope: Scope;
  /** What to watch below the base, if it is not `path`. */
  readonly watch?: readonly string[];
}

/** How files are found from a spot's folder on. The folder a hook belongs to is the one in which `file` is looked for. */
export type Look =
  /** The very file. */
  | { readonly kind: 'file'; readonly file: string }
  /** In every folder below. */
  | { readonly kind: 'each'; readonly file: string; readonly orSelf: boolean }
  /** At any depth, the folder itself included. */
  | { readonly kind: 'deep'; readonly file: string }
  /** Every file that ends so. */
  | { readonly kind: 'ending'; readonly file: string };

const PLUGIN = '.claude-plugin/plugin.json';
const each = (file: string): Look => ({ kind: 'each', file, orSelf: false });
const eachOrSelf = (file: string): Look => ({ kind: 'each', file, orSelf: true });
const deep = (file: string): Look => ({ kind: 'deep', file });
const only = (file: string): Look => ({ kind: 'file', file });

export const SPOTS: readonly Spot[] = [
  { place: 'skills', base: 'root', path: 'skills', look: deep('SKILL.md'), scope: 'project' },
  { place: 'named-skills', base: 'skills', path: '', look: deep('SKILL.md'), scope: 'runtime' },
  { place: 'claude-managed', base: 'system', path: 'etc/claude-code', look: only('managed-settings.json'), scope: 'managed', watch: [] },
  {
    place: 'claude-managed',
    base: 'system',
    path: 'etc/claude-code/managed-settings.d',
    look: { kind: 'ending', file: '.json' },
    scope: 'managed',
    watch: [],
  },
  {
    place: 'claude-managed',
    base: 'system',
    path: 'Library/Application Support/ClaudeCode',
    look: only('managed-settings.json'),
    scope: 'managed',
    watch: [],
  },
  { place: 'claude-settings', base: 'home', path: '.claude', look: only('settings.json'), scope: 'user', watch: ['.claude/settings.json'] },
  {
    place: 'claude-settings',
    base: 'root',
    path: '.claude',
    look: only('settings.json'),
    scope: 'project',
    watch: ['.claude/settings.json'],
  },
  {
    place: 'claude-settings',
    base: 'root',
    path: '.claude',
    look: only('settings.local.json'),
    scope: 'project',
    watch: ['.claude/settings.local.json'],
  },
  { place: 'claude-skills', base: 'root', path: '.claude/skills', look: each('SKILL.md'), scope: 'project' },
  { place: 'claude-agents', base: 'root', path: '.claude/agents', look: { kind: 'ending', file: '.md' }, scope: 'project' },
  { place: 'claude-plugins', base: 'home', path: '.claude/plugins', look: each(PLUGIN), scope: 'user' },
  { place: 'root-plugin', base: 'root', path: '', look: only(PLUGIN), scope: 'project', watch: ['.claude-plugin', 'hooks'] },
  { place: 'agents-hooks', base: 'config', path: 'agents/hooks', look: each('HOOK.md'), scope: 'user' },
  { place: 'agents-hooks', base: 'root', path: '.agents/hooks', look: each('HOOK.md'), scope: 'project' },
  { place: 'toml-hooks', base: 'root', path: 'hooks', look: each('HOOK.toml'), scope: 'project' },
  { place: 'named-hooks-md', base: 'hooks', path: '', look: eachOrSelf('HOOK.md'), scope: 'runtime' },
  { place: 'named-hooks-toml', base: 'hooks', path: '', look: eachOrSelf('HOOK.toml'), scope: 'runtime' },
  { place: 'plugins', base: 'config', path: 'arawn/plugins', look: each(PLUGIN), scope: 'user' },
  { place: 'plugins', base: 'root', path: 'plugins', look: each(PLUGIN), scope: 'project' },
  { place: 'named-plugins', base: 'plugins', path: '', look: eachOrSelf(PLUGIN), scope: 'runtime' },
  { place: 'cursor-hooks', base: 'system', path: 'etc/cursor', look: only('hooks.json'), scope: 'managed', watch: [] },
  { place: 'cursor-hooks', base: 'home', path: '.cursor', look: only('hooks.json'), scope: 'user', watch: ['.cursor/hooks.json'] },
  { place: 'cursor-hooks', base: 'root', path: '.cursor', look: only('hooks.json'), scope: 'project', watch: ['.cursor/hooks.json'] },
  { place: 'windsurf-hooks', base: 'system', path: 'etc/windsurf', look: only('hooks.json'), scope: 'managed', watch: [] },
  {
    place: 'windsurf-hooks',
    base: 'home',
    path: '.codeium/windsurf',
    look: only('hooks.json'),
    scope: 'user',
    watch: ['.codeium/windsurf/hooks.json'],
  },
  { place: 'windsurf-hooks', base: 'root', path: '.windsurf', look: only('hooks.json'), scope: 'project', watch: ['.windsurf/hooks.json'] },
  { place: 'codex-managed', base: 'system', path: 'etc/codex', look: only('requirements.toml'), scope: 'managed', watch: [] },
  { place: 'codex-hooks', base: 'home', path: '.codex', look: only('hooks.json'), scope: 'user', watch: ['.codex/hooks.json'] },
  { place: 'codex-config', base: 'home', path: '.codex', look: only('config.toml'), scope: 'user', watch: ['.codex/config.toml'] },
  { place: 'codex-hooks', base: 'root', path: '.codex', look: only('hooks.json'), scope: 'project', watch: ['.codex/hooks.json'] },
  { place: 'codex-config', base: 'root', path: '.codex', look: only('config.toml'), scope: 'project', watch: ['.codex/config.toml'] },
  { place: 'qwen-settings', base: 'home', path: '.qwen', look: only('settings.json'), scope: 'user', watch: ['.qwen/settings.json'] },
  { place: 'qwen-settings', base: 'root', path: '.qwen', look: only('settings.json'), scope: 'project', watch: ['.qwen/settings.json'] },
  { place: 'gemini-settings', base: 'home', path: '.gemini', look: only('settings.json'), scope: 'user', watch: ['.gemini/settings.json'] },
  {
    place: 'gemini-settings',
    base: 'root',
    path: '.gemini',
    look: only('settings.json'),
    scope: 'project',
    watch: ['.gemini/settings.json'],
  },
  { place: 'copilot-hooks', base: 'home', path: '.copilot/hooks', look: { kind: 'ending', file: '.json' }, scope: 'user' },
  {
    place: 'copilot-settings',
    base: 'home',
    path: '.copilot',
    look: only('settings.json'),
    scope: 'user',
    watch: ['.copilot/settings.json'],
  },
  { place: 'copilot-hooks', base: 'root', path: '.github/hooks', look: { kind: 'ending', file: '.json' }, scope: 'project' },
  ...['settings.json', 'settings.local.json'].map(
    (file): Spot => ({
      place: 'copilot-settings',
      base: 'root',
      path: '.github/copilot',
      look: only(file),
      scope: 'project',
      watch: [`.github/copilot/${file}`],
    }),
  ),
];

/** What to watch so that no change of a hook goes unseen; none of it needs to exist yet. */
export function watchTargets(given: Places): string[] {
  const places = absolute(given);
  const targets = SPOTS.flatMap((spot) =>
    basesOf(spot, places).flatMap((base) => (spot.watch ?? [spot.path]).map((path) => join(base, path))),
  );
  return [...new Set(targets)];
}

/** Hooks found below the project need to be trusted first; the user's own and those in named places do not. */
export function isTrusted(scope: Scope): boolean {
  return scope === 'user' || scope === 'managed' || scope === 'runtime';
}

/** Everything below is compared as text, so it is made absolute once. */
export function absolute({ root, home, configFolder, system, skills, plugins, hooks }: Places): Places {
  const all = (folders: readonly string[]) => folders.map((folder) => resolve(folder));
  return {
    root: resolve(root),
    home: resolve(home),
    configFolder: resolve(configFolder),
    ...(system !== undefined && { system: resolve(system) }),
    skills: all(skills),
    plugins: all(plugins),
    hooks: all(hooks),
  };
}

/** Of absolute places: the folders that a spot's path starts from; several only where the caller named several. */
export function basesOf({ base }: Spot, places: Places): readonly string[] {
  switch (base) {
    case 'root':
      return [places.root];
    case 'home':
      return [places.home];
    case 'config':
      return [places.configFolder];
    case 'system':
      return places.system === undefined ? [] : [places.system];
    default:
      return places[base];
  }
}
