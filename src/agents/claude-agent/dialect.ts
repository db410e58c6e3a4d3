/** The claude-agent dialect: commands in settings, plugins, skills and subagents that may block, rewrite and inform. */
import type { Dialect } from '../../core/contracts/dialect.ts';
import { camelCase, EVENT_NAMES, profile, snakeCase } from './profile.ts';
import { wire } from './wire.ts';

export const dialect: Dialect = {
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
  loader: async () => (await import('./load.ts')).load,
  schema: async () => (await import('./schema.ts')).schema(),
  scaffold: async () => (await import('./scaffold.ts')).scaffold,
};
