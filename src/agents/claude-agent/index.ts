/** claude-agent settings, plugins and frontmatter: the dialect and the places of its files. */
import type { Agent, Place } from '../../core/contracts/agent.ts';
import { CLAUDE_FRONTMATTER, CLAUDE_PLUGINS, CLAUDE_SETTINGS, NAMED_SKILLS, owned, PLUGINS, ROOT_PLUGIN, readable } from '../kit/places.ts';
import { dialect } from './dialect.ts';

export const claudeAgent: Agent = {
  id: dialect.id,
  title: dialect.title,
  dialect,
  places: [
    ...readable('frontmatter', NAMED_SKILLS),
    ...owned('json', CLAUDE_SETTINGS).map((place): Place => ({ ...place, sharedWith: { agent: 'claude-code', entries: 'rest' } })),
    ...readable('frontmatter', CLAUDE_FRONTMATTER),
    ...readable('json', [...CLAUDE_PLUGINS, ...ROOT_PLUGIN, ...PLUGINS]),
  ],
  host: null,
};
