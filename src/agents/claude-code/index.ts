/** Claude Code: the dialect, the places of its files and the host. */
import { type Agent, ending, file, type Location, type Place } from '../../core/contracts/agent.ts';
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
import { claudeCodeHost as host } from './host.ts';

/** Written by whoever manages the machine. */
const MANAGED: readonly Location[] = [
  {
    id: 'claude-managed',
    base: 'system',
    path: 'etc/claude-code',
    find: file('managed-settings.json'),
    scope: 'managed',
    kind: 'settings',
  },
  {
    id: 'claude-managed',
    base: 'system',
    path: 'etc/claude-code/managed-settings.d',
    find: ending('.json'),
    scope: 'managed',
    kind: 'settings',
  },
  {
    id: 'claude-managed',
    base: 'system',
    path: 'Library/Application Support/ClaudeCode',
    find: file('managed-settings.json'),
    scope: 'managed',
    kind: 'settings',
  },
];

/** Many plugins and skills of Claude Code are in folders that belong to no agent. Their files show it. */
function bySigns(place: Place): Place {
  return { ...place, evidence: async () => (await import('./evidence.ts')).findEvidence };
}

export const claudeCode: Agent = {
  id: dialect.id,
  title: host.title,
  dialect,
  places: [
    ...readable('loose-frontmatter', [...SKILLS, ...NAMED_SKILLS]).map(bySigns),
    ...owned('json', MANAGED),
    ...owned('json', CLAUDE_SETTINGS).map((place): Place => ({ ...place, sharedWith: { agent: 'claude-agent', entries: 'groups' } })),
    ...owned('loose-frontmatter', CLAUDE_FRONTMATTER),
    ...owned('json', [...CLAUDE_PLUGINS, ...ROOT_PLUGIN]),
    ...readable('json', ARAWN_PLUGINS),
    ...readable('json', PLUGINS).map(bySigns),
  ],
  host,
};
