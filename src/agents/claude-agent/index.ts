/** The claude-agent dialect: commands in settings, plugins, skills and subagents that may block, rewrite and inform. */
import type { Dialect } from '../../core/contracts/dialect.ts';
import { camelCase, EVENT_NAMES, profile, snakeCase } from './profile.ts';
import { wire } from './wire.ts';

export const claudeAgent: Dialect = {
  id: 'claude-agent',
  title: 'claude-agent settings, plugins and frontmatter',
  profile,
  wire,
  aliases: Object.fromEntries(
    EVENT_NAMES.flatMap((name) => [
      [camelCase(name), name],
      [snakeCase(name), name],
    ]),
  ),
  reads: [
    { place: 'claude-settings', format: 'json', entries: 'rest' },
    { place: 'claude-skills', format: 'frontmatter' },
    { place: 'claude-agents', format: 'frontmatter' },
    { place: 'named-skills', format: 'frontmatter' },
    { place: 'root-plugin', format: 'json' },
    { place: 'claude-plugins', format: 'json' },
    { place: 'plugins', format: 'json' },
    { place: 'named-plugins', format: 'json' },
  ],
  loader: async () => (await import('./load.ts')).load,
};
