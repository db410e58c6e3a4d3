/** OpenCode as a host: one plugin file, which asks us about everything and carries out the answer. */
import type { Host } from '../../core/contracts/host.ts';
import { type JsonObject, textOf } from '../../core/values/json.ts';
import { dialect } from './dialect.ts';
import { pluginText } from './plugin-text.ts';

export const opencodeHost: Host = {
  id: dialect.id,
  title: 'OpenCode',
  speaks: dialect,
  eventsOf,
  degrade: { ask: 'deny', rewrite: 'deny', context: 'say', notice: 'say' },
  signs: { payload: ['opencode'] },
  entry: {
    files: { user: '.config/opencode/plugin/hookline.js', project: '.opencode/plugin/hookline.js' },
    movedBy: { variable: 'XDG_CONFIG_HOME', holds: '.config' },
    events: Object.keys(dialect.profile.events),
    http: false,
    // One file for all events: it names the event itself, so that the line must not.
    entry: (event, command) => ({
      path: [],
      value: pluginText(command.endsWith(` ${event}`) ? command.slice(0, -event.length - 1) : command),
    }),
  },
  limits: async () => (await import('./host-limits.ts')).limits,
};

function eventsOf(payload: JsonObject, asked: string | undefined): readonly string[] | string {
  const name = textOf(payload['opencode']) ?? asked;
  return name === undefined ? 'The payload has no `opencode`.' : [name];
}
