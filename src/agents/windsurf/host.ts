/** Windsurf as a host: it reads exit codes only, so everything except plain consent is a denial with its reason on stderr. */
import type { Host } from '../../core/contracts/host.ts';
import { PLAIN_MCP } from '../../core/event/tool-names.ts';
import { eventNamedBy } from '../kit/event-names.ts';
import { dialect } from './dialect.ts';

export const windsurfHost: Host = {
  id: dialect.id,
  title: 'Windsurf',
  dialect,
  eventsOf: eventNamedBy('agent_action_name', dialect.profile.events),
  eventKey: dialect.wire.eventKey,
  decidedBy: null,
  signs: {
    payload: ['agent_action_name'],
    env: [],
    markers: [],
    project: null,
    programs: [],
    editors: ['windsurf', 'Windsurf', 'Windsurf.app', '.windsurf-server'],
  },
  tells: { version: null, agent: [], parent: [] },
  asksPeople: [],
  attendance: null,
  unleashed: null,
  timeoutMs: null,
  deniesByExit: false,
  mcpTools: PLAIN_MCP,
  emptyFails: [],
  asksAhead: [],
  fileHead: null,
  alsoReads: [],
  entry: {
    files: { user: '.codeium/windsurf/hooks.json', project: '.windsurf/hooks.json' },
    reads: { comments: 'read', trailingCommas: true, bom: true, harmless: { show_output: true } },
    traces: ['.codeium/windsurf'],
    events: Object.keys(dialect.profile.events).filter((event) => event !== 'post_cascade_response_with_transcript'),
    http: false,
    entry: (event, command) => ({ path: ['hooks', event], value: { command } }),
  },
  limits: async () => (await import('./host-limits.ts')).limits,
};
