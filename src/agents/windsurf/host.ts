/** Windsurf as a host: it hears exit codes only, so whatever is no plain yes is a no with words on stderr. */
import type { Host } from '../../core/contracts/host.ts';
import { type JsonObject, textOf } from '../../core/values/json.ts';
import { dialect } from './dialect.ts';

export const windsurfHost: Host = {
  id: dialect.id,
  title: 'Windsurf',
  speaks: dialect,
  eventsOf,
  degrade: { ask: 'deny', rewrite: 'deny', context: 'say', notice: 'say' },
  signs: { payload: ['agent_action_name'] },
  entry: {
    files: { user: '.codeium/windsurf/hooks.json', project: '.windsurf/hooks.json' },
    events: Object.keys(dialect.profile.events).filter((event) => event !== 'post_cascade_response_with_transcript'),
    http: false,
    entry: (event, command) => ({ path: ['hooks', event], value: { command } }),
  },
  limits: async () => (await import('./host-limits.ts')).limits,
};

function eventsOf(payload: JsonObject, asked: string | undefined): readonly string[] | string {
  const name = textOf(payload['agent_action_name']) ?? asked;
  return name === undefined ? 'The payload has no `agent_action_name`.' : [name];
}
