/** Qwen Code as a host. It can ask its user before a tool runs; without a terminal it takes an `ask` for a denial. */
import type { Host } from '../../core/contracts/host.ts';
import { PLAIN_MCP } from '../../core/event/tool-names.ts';
import { knownEventNamedBy, subagentAhead } from '../kit/event-names.ts';
import { dialect } from './dialect.ts';

/** Milliseconds that it waits for any hook, whatever the entry says; then the tool runs. */
const WAITS_MS = 60_000;
const WAITS_FOR_BATCH_MS = 15_000;
/** Seconds, below the number from which on Qwen Code reads milliseconds. */
const PATIENCE = WAITS_MS / 1000;

const known = knownEventNamedBy('hook_event_name', dialect.profile.events, 'Qwen Code');

export const qwenHost: Host = {
  id: dialect.id,
  title: 'Qwen Code',
  dialect,
  eventsOf(payload, asked) {
    const events = known(payload, asked);
    // It also fires with an empty prompt for every result of a tool, although no person has submitted anything.
    return events[0] === 'UserPromptSubmit' && payload['prompt'] === '' ? [] : events;
  },
  eventKey: dialect.wire.eventKey,
  decidedBy: ['hook_event_name', 'tool_name'],
  signs: {
    payload: [],
    env: ['QWEN_PROJECT_DIR'],
    markers: [],
    project: 'QWEN_PROJECT_DIR',
    programs: ['qwen', '@qwen-code/qwen-code'],
    editors: [],
  },
  tells: { version: null, agent: ['agent_type', 'agent_id'], parent: [] },
  asksPeople: ['PreToolUse', 'PermissionRequest'],
  attendance: {
    nobody: { payload: {}, env: {}, words: ['-p', '--prompt'] },
    somebody: { env: {}, words: ['-i', '--prompt-interactive', '--acp', '--experimental-acp'] },
    promptEnds: true,
    terminals: [0],
    otherwise: 'ticket',
  },
  unleashed: {
    words: ['--yolo', '-y', '--approval-mode yolo', '--bare', '--safe-mode'],
    env: {},
  },
  timeoutMs: (event) => (event === 'PostToolBatch' ? WAITS_FOR_BATCH_MS : WAITS_MS),
  deniesByExit: false,
  mcpTools: PLAIN_MCP,
  emptyFails: [],
  asksAhead: [
    subagentAhead({
      on: 'PreToolUse',
      event: 'SubagentStart',
      tools: ['agent', 'task'],
      typeIn: 'subagent_type',
      otherwise: 'general-purpose',
      typeKey: 'agent_type',
    }),
  ],
  fileHead: null,
  alsoReads: [],
  entry: {
    files: { user: '.qwen/settings.json', project: '.qwen/settings.json' },
    reads: {
      comments: 'read',
      trailingCommas: false,
      bom: true,
      harmless: { name: true, description: true, statusMessage: true, matcher: ['', '.*'] },
    },
    traces: ['.qwen'],
    movedBy: { variable: 'QWEN_HOME', holds: '.qwen' },
    // `MessageDisplay` would start a process for every piece of a message.
    events: Object.keys(dialect.profile.events).filter((event) => event !== 'MessageDisplay'),
    // If anything is wrong with an address, the event happens.
    http: { blocksWhenDead: () => false },
    entry: (event, command) => ({ path: ['hooks', event], value: { hooks: [{ type: 'command', command, timeout: PATIENCE }] } }),
  },
  limits: async () => (await import('./host-limits.ts')).limits,
};
