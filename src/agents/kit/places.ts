/** Locations that several agents read, and short forms for rows of `places`. */
import { deep, each, eachOrSelf, ending, file, type Location, orFile, type Place } from '../../core/contracts/agent.ts';
import type { Format } from '../../core/contracts/dialect.ts';

const MANIFEST = '.claude-plugin/plugin.json';
/** A plugin needs no manifest. */
const HOOKS_FILE = 'hooks/hooks.json';

/** Skills of a project that are not in a folder of one agent. */
export const SKILLS: readonly Location[] = [
  { id: 'skills', base: 'root', path: 'skills', find: deep('SKILL.md'), scope: 'project', kind: 'skill' },
];

/** Folders with skills that the caller names. */
export const NAMED_SKILLS: readonly Location[] = [
  { id: 'named-skills', group: 'skills', base: 'skills', path: '', find: deep('SKILL.md'), scope: 'runtime', kind: 'skill' },
];

export const CLAUDE_SETTINGS: readonly Location[] = [
  { id: 'claude-settings', base: 'home', path: '.claude', find: file('settings.json'), scope: 'user', kind: 'settings' },
  { id: 'claude-settings', base: 'root', path: '.claude', find: file('settings.json'), scope: 'project', kind: 'settings' },
  { id: 'claude-settings', base: 'root', path: '.claude', find: file('settings.local.json'), scope: 'project', kind: 'settings' },
];

/** Skills and subagents of a project. */
export const CLAUDE_FRONTMATTER: readonly Location[] = [
  { id: 'claude-skills', base: 'root', path: '.claude/skills', find: each('SKILL.md'), scope: 'project', kind: 'skill' },
  { id: 'claude-agents', base: 'root', path: '.claude/agents', find: ending('.md'), scope: 'project', kind: 'subagent' },
];

export const CLAUDE_PLUGINS: readonly Location[] = [
  { id: 'claude-plugins', base: 'home', path: '.claude/plugins', find: orFile(each(MANIFEST), HOOKS_FILE), scope: 'user', kind: 'plugin' },
];

/** A project that is itself a plugin. */
export const ROOT_PLUGIN: readonly Location[] = [
  {
    id: 'root-plugin',
    group: 'plugins',
    base: 'root',
    path: '',
    find: orFile(file(MANIFEST), HOOKS_FILE),
    scope: 'project',
    kind: 'plugin',
    watch: ['.claude-plugin', 'hooks'],
  },
];

/** Plugins in the user's folder of one agent. */
export const ARAWN_PLUGINS: readonly Location[] = [
  { id: 'arawn-plugins', base: 'config', path: 'arawn/plugins', find: orFile(each(MANIFEST), HOOKS_FILE), scope: 'user', kind: 'plugin' },
];

/** Plugins of the project, and folders with plugins that the caller names. */
export const PLUGINS: readonly Location[] = [
  { id: 'plugins', base: 'root', path: 'plugins', find: orFile(each(MANIFEST), HOOKS_FILE), scope: 'project', kind: 'plugin' },
  {
    id: 'named-plugins',
    group: 'plugins',
    base: 'plugins',
    path: '',
    find: orFile(eachOrSelf(MANIFEST), HOOKS_FILE),
    scope: 'runtime',
    kind: 'plugin',
  },
];

/** Locations that this agent owns. */
export function owned(format: Format, locations: readonly Location[]): Place[] {
  return locations.map((location) => ({ ...location, format, read: 'always', sharedWith: null }));
}

/** Locations of another agent that this one can read as well. */
export function readable(format: Format, locations: readonly Location[]): Place[] {
  return locations.map((location) => ({ ...location, format, read: 'chosen', sharedWith: null }));
}
