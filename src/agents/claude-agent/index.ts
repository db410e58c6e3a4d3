/** claude-agent settings, plugins and frontmatter: the dialect and the places of its files. */
import type { Agent, Place } from '../../core/contracts/agent.ts';
import {
  ARAWN_PLUGINS,
  CLAUDE_FRONTMATTER,
  CLAUDE_PLUGINS,
  CLAUDE_SETTINGS,
  NAMED_SKILLS,
  owned,
  PLUGINS,
  ROOT_PLUGIN,
  readable,
  SKILLS,
} from '../kit/places.ts';
import { dialect } from './dialect.ts';

export const claudeAgent: Agent = {
  id: dialect.id,
  title: dialect.title,
  dialect,
  places: [
    ...readable('frontmatter', [...SKILLS, ...NAMED_SKILLS]),
    ...owned('json', CLAUDE_SETTINGS).map((place): Place => ({ ...place, sharedWith: { agent: 'claude-code', entries: 'rest' } })),
    ...readable('frontmatter', CLAUDE_FRONTMATTER),
    ...readable('json', [...CLAUDE_PLUGINS, ...ROOT_PLUGIN, ...ARAWN_PLUGINS, ...PLUGINS]),
  ],
  host: null,
};
