/** The claude-code dialect: hooks as Claude Code itself reads them from settings, plugins, skills and subagents. */
import type { Dialect } from '../../core/contracts/dialect.ts';
import { profile } from './profile.ts';
import { wire } from './wire.ts';

export const claudeCode: Dialect = {
  id: 'claude-code',
  title: 'Claude Code',
  profile,
  wire,
  aliases: {},
  reads: [
    { place: 'claude-managed', format: 'json' },
    { place: 'claude-settings', format: 'json', entries: 'groups' },
    { place: 'claude-skills', format: 'loose-frontmatter' },
    { place: 'claude-agents', format: 'loose-frontmatter' },
    { place: 'named-skills', format: 'loose-frontmatter' },
    { place: 'root-plugin', format: 'json' },
    { place: 'claude-plugins', format: 'json' },
    { place: 'plugins', format: 'json' },
    { place: 'named-plugins', format: 'json' },
  ],
  loader: async () => (await import('./load.ts')).load,
};
