/** Factory Droid as a host: events stand at the top of its file, each with groups of hooks. */
import type { Host } from '../../core/host.ts';
import { type JsonObject, textOf } from '../../core/json.ts';
import { droid as dialect } from '../../dialects/droid/index.ts';

export const droidHost: Host = {
  id: dialect.id,
  title: 'Factory Droid',
  speaks: dialect,
  eventsOf,
  degrade: { ask: 'deny', rewrite: 'deny', context: 'say', notice: 'say' },
  signs: { env: ['FACTORY_PROJECT_DIR', 'DROID_PROJECT_DIR'] },
  entry: {
    files: { user: '.factory/hooks.json', project: '.factory/hooks.json' },
    events: Object.keys(dialect.profile.events),
    http: false,
    entry: (event, command) => ({ path: [event], value: { hooks: [{ type: 'command', command, timeout: 600 }] } }),
  },
  limits: async () => (await import('./limits.ts')).limits,
};

function eventsOf(payload: JsonObject, asked: string | undefined): readonly string[] | string {
  const name = textOf(payload['hook_event_name']) ?? asked;
  return name === undefined ? 'The payload has no `hook_event_name`.' : [name];
}
