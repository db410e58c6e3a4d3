/** Factory Droid as a host: events are at the top of its file, each with groups of hooks. */
import type { Host } from '../../core/contracts/host.ts';
import { PLAIN_MCP } from '../../core/event/tool-names.ts';
import { eventNamedBy } from '../kit/event-names.ts';
import { dialect } from './dialect.ts';

/** Seconds that the agent waits for Hookline's entry; then it continues as if no hook had objected. */
const PATIENCE = 600;

export const droidHost: Host = {
  id: dialect.id,
  title: 'Factory Droid',
  dialect,
  eventsOf: eventNamedBy('hook_event_name', dialect.profile.events),
  eventKey: dialect.wire.eventKey,
  decidedBy: ['hook_event_name', 'tool_name'],
  signs: {
    payload: [],
    env: ['FACTORY_PROJECT_DIR', 'DROID_PROJECT_DIR'],
    markers: ['DROID_PROJECT_DIR'],
    project: 'FACTORY_PROJECT_DIR',
    programs: ['droid'],
    editors: [],
  },
  tells: { version: null, agent: [], parent: [] },
  asksPeople: ['PreToolUse'],
  attendance: {
    nobody: { payload: {}, env: {}, words: ['exec'] },
    somebody: { env: {}, words: [] },
    promptEnds: false,
    terminals: [1],
    otherwise: 'ticket',
  },
  unleashed: {
    words: ['--skip-permissions-unsafe', '--auto high'],
    env: {},
  },
  timeoutMs: () => PATIENCE * 1000,
  deniesByExit: false,
  mcpTools: PLAIN_MCP,
  emptyFails: [],
  asksAhead: [],
  fileHead: null,
  alsoReads: [],
  entry: {
    files: { user: '.factory/hooks.json', project: '.factory/hooks.json' },
    reads: { comments: 'read', trailingCommas: true, bom: true, harmless: { matcher: ['', '*', '.*'] } },
    traces: ['.factory'],
    events: Object.keys(dialect.profile.events),
    http: false,
    entry: (event, command) => ({ path: [event], value: { hooks: [{ type: 'command', command, timeout: PATIENCE }] } }),
  },
  limits: async () => (await import('./host-limits.ts')).limits,
};
