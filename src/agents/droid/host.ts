/** Factory Droid as a host: events stand at the top of its file, each with groups of hooks. */
import type { Host } from '../../core/contracts/host.ts';
import { type JsonObject, textOf } from '../../core/values/json.ts';
import { dialect } from './dialect.ts';

/** Seconds that its entry gives us; then it goes on as if nobody had objected. */
const PATIENCE = 600;

export const droidHost: Host = {
  id: dialect.id,
  title: 'Factory Droid',
  speaks: dialect,
  eventsOf,
  degrade: { ask: 'deny', rewrite: 'deny', context: 'say', notice: 'say' },
  waitsMs: () => PATIENCE * 1000,
  signs: { env: ['FACTORY_PROJECT_DIR', 'DROID_PROJECT_DIR'] },
  entry: {
    files: { user: '.factory/hooks.json', project: '.factory/hooks.json' },
    events: Object.keys(dialect.profile.events),
    http: false,
    entry: (event, command) => ({ path: [event], value: { hooks: [{ type: 'command', command, timeout: PATIENCE }] } }),
  },
  limits: async () => (await import('./host-limits.ts')).limits,
};

function eventsOf(payload: JsonObject, asked: string | undefined): readonly string[] | string {
  const name = textOf(payload['hook_event_name']) ?? asked;
  return name === undefined ? 'The payload has no `hook_event_name`.' : [name];
}
