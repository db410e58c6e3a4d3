/** OpenCode as a host: one plugin file, which asks Hookline about everything and carries out the answer. */
import type { Host } from '../../core/contracts/host.ts';
import { eventNamedBy } from '../kit/event-names.ts';
import { dialect } from './dialect.ts';
import { pluginText } from './plugin-text.ts';

export const opencodeHost: Host = {
  id: dialect.id,
  title: 'OpenCode',
  dialect,
  eventsOf: eventNamedBy('opencode', dialect.profile.events),
  eventKey: dialect.wire.eventKey,
  decidedBy: null,
  signs: { payload: ['opencode'], env: [], markers: [], project: null, programs: ['opencode', 'opencode-ai'], editors: [] },
  tells: { version: null, agent: [], parent: [] },
  asksPeople: [],
  attendance: null,
  unleashed: {
    words: ['--dangerously-skip-permissions', '--pure'],
    env: { OPENCODE_PERMISSION: ['*'], OPENCODE_CONFIG_CONTENT: ['*permission*'], OPENCODE_CONFIG: ['*'] },
  },
  timeoutMs: null,
  deniesByExit: false,
  mcpTools: { prefix: '', between: '_', except: ['apply_patch', 'plan_enter', 'plan_exit'] },
  emptyFails: [],
  asksAhead: [],
  fileHead: null,
  alsoReads: [],
  entry: {
    files: { user: '.config/opencode/plugin/hookline.js', project: '.opencode/plugin/hookline.js' },
    reads: null,
    traces: ['.config/opencode', '.local/share/opencode'],
    movedBy: { variable: 'XDG_CONFIG_HOME', holds: '.config' },
    events: Object.keys(dialect.profile.events),
    http: false,
    // One file serves all events and names the event itself, so the line must not name it.
    entry: (event, command) => ({
      path: [],
      value: pluginText(command.endsWith(` ${event}`) ? command.slice(0, -event.length - 1) : command),
    }),
  },
  limits: async () => (await import('./host-limits.ts')).limits,
};
