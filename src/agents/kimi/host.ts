/** Kimi Code as a host: one list of hooks in the user's configuration; the timer behind its heartbeat is left alone. */
import type { Host } from '../../core/contracts/host.ts';
import { type JsonObject, textOf } from '../../core/values/json.ts';
import { dialect } from './dialect.ts';

/** Seconds that its entry gives us; then it goes on as if nobody had objected. */
const PATIENCE = 600;

export const kimiHost: Host = {
  id: dialect.id,
  title: 'Kimi Code',
  speaks: dialect,
  eventsOf,
  degrade: { ask: 'deny', rewrite: 'deny', context: 'say', notice: 'say' },
  waitsMs: () => PATIENCE * 1000,
  signs: { payload: ['client_type'] },
  entry: {
    files: { user: '.kimi-code/config.toml' },
    events: Object.keys(dialect.profile.events).filter((event) => event !== 'SessionHeartbeat'),
    http: false,
    entry: (event, command) => ({ path: ['hooks'], value: { event, command, timeout: PATIENCE } }),
  },
  limits: async () => (await import('./host-limits.ts')).limits,
};

function eventsOf(payload: JsonObject, asked: string | undefined): readonly string[] | string {
  const name = textOf(payload['hook_event_name']) ?? asked;
  return name === undefined ? 'The payload has no `hook_event_name`.' : [name];
}
