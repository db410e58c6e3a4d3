/** Kimi Code as a host: one list of hooks in the user's configuration; the timer behind its heartbeat is left alone. */
import type { Host } from '../../core/contracts/host.ts';
import { PLAIN_MCP } from '../../core/event/tool-names.ts';
import { eventNamedBy, subagentAhead } from '../kit/event-names.ts';
import { dialect } from './dialect.ts';

/** Seconds that the agent waits for Hookline's entry; then it continues as if no hook had objected. */
const PATIENCE = 600;

export const kimiHost: Host = {
  id: dialect.id,
  title: 'Kimi Code',
  dialect,
  eventsOf: eventNamedBy('hook_event_name', dialect.profile.events),
  eventKey: dialect.wire.eventKey,
  decidedBy: ['hook_event_name', 'tool_name'],
  signs: { payload: ['client_type'], env: [], markers: [], project: null, programs: ['kimi', 'kimi-cli'], editors: [] },
  tells: { version: null, agent: [], parent: [] },
  asksPeople: [],
  attendance: null,
  unleashed: {
    words: ['--yolo', '-y', '--yes', '--auto-approve'],
    env: {},
  },
  timeoutMs: () => PATIENCE * 1000,
  deniesByExit: false,
  mcpTools: PLAIN_MCP,
  emptyFails: [],
  asksAhead: [
    subagentAhead({
      on: 'PreToolUse',
      event: 'SubagentStart',
      tools: ['Agent', 'AgentSwarm'],
      typeIn: 'subagent_type',
      typeKey: 'agent_name',
    }),
    // A prompt begins the turn, and only the prompt can be denied.
    { on: 'UserPromptSubmit', event: 'TurnStarted', calls: 'a prompt', payloadOf: ({ prompt: _, ...rest }) => rest },
  ],
  fileHead: null,
  alsoReads: [],
  entry: {
    files: { user: '.kimi-code/config.toml' },
    reads: { comments: 'read', trailingCommas: true, bom: false, harmless: { matcher: ['', '.*'] } },
    traces: ['.kimi-code'],
    movedBy: { variable: 'KIMI_CODE_HOME', holds: '.kimi-code' },
    events: Object.keys(dialect.profile.events).filter((event) => event !== 'SessionHeartbeat'),
    http: false,
    entry: (event, command) => ({ path: ['hooks'], value: { event, command, timeout: PATIENCE } }),
  },
  limits: async () => (await import('./host-limits.ts')).limits,
};
