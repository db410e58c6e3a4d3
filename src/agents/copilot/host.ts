/**
 * GitHub Copilot CLI as a host. Its camelCase payloads do not name their event, so the installed entry does. A loopback address it passes over
 * in silence unless a variable permits it, which would let everything through: it is asked by a command.
 */
import type { Host } from '../../core/contracts/host.ts';
import { type JsonObject, textOf } from '../../core/values/json.ts';
import { firstKnown, subagentAhead, unknownEvent } from '../kit/event-names.ts';
import { dialect } from './dialect.ts';

/** Seconds. */
const PATIENCE = 600;

export const copilotHost: Host = {
  id: dialect.id,
  title: 'GitHub Copilot CLI',
  dialect,
  eventsOf(payload, asked) {
    // The name in a payload tells the spelling, but a notification has it in the other one's.
    const own = textOf(payload['sessionId']) === undefined ? textOf(payload['hook_event_name']) : undefined;
    const name = firstKnown([own, asked, guess(payload), textOf(payload['hook_event_name'])], dialect.profile.events);
    if (name !== undefined && Object.hasOwn(dialect.profile.events, name)) return [name];
    return name === undefined
      ? 'The payload does not show which event it is, and the entry does not name one.'
      : unknownEvent('GitHub Copilot CLI', name);
  },
  eventKey: dialect.wire.eventKey,
  decidedBy: null,
  signs: {
    payload: ['sessionId', 'toolArgs'],
    env: ['COPILOT_CLI'],
    markers: ['COPILOT_CLI', 'COPILOT_HOOK_DIR'],
    project: null,
    programs: ['copilot', '@github/copilot'],
    editors: [],
  },
  tells: { version: { variable: 'COPILOT_CLI_BINARY_VERSION' }, agent: [], parent: ['parentAgentId'] },
  asksPeople: ['preToolUse', 'permissionRequest', 'PreToolUse', 'PermissionRequest'],
  attendance: {
    nobody: { payload: {}, env: {}, words: ['-p', '--prompt'] },
    somebody: { env: {}, words: ['-i', '--interactive', '--acp'] },
    promptEnds: false,
    terminals: [0, 1],
    otherwise: 'ticket',
  },
  unleashed: {
    words: ['--allow-all-tools', '--allow-all', '--yolo'],
    env: { COPILOT_ALLOW_ALL: ['*'] },
  },
  timeoutMs: () => PATIENCE * 1000,
  deniesByExit: false,
  mcpTools: { prefix: '', between: '-', except: [] },
  emptyFails: [],
  asksAhead: [
    subagentAhead({
      on: 'preToolUse',
      event: 'subagentStart',
      tools: ['task'],
      toolKeys: ['toolName', 'toolArgs'],
      typeIn: 'agent_type',
      typeKey: 'agentName',
    }),
  ],
  fileHead: { version: 1 },
  alsoReads: [{ host: 'claude-code', scopes: ['project'] }],
  entry: {
    files: { user: '.copilot/hooks/hookline.json', project: '.github/hooks/hookline.json' },
    // It passes over a file that is no plain JSON, in silence, and runs the tool.
    reads: { comments: 'refused', trailingCommas: false, bom: false, harmless: { matcher: ['.*'] } },
    traces: ['.copilot'],
    movedBy: { variable: 'COPILOT_HOME', holds: '.copilot' },
    events: Object.keys(dialect.profile.events).filter((event) => /^[a-z]/.test(event)),
    http: false,
    whyNoHttp:
      'GitHub Copilot CLI passes over addresses of this machine in silence and lets the tool run, unless COPILOT_HOOK_ALLOW_LOCALHOST=1 is in its environment.',
    entry: (event, command) => ({ path: ['hooks', event], value: { type: 'command', bash: command, timeoutSec: PATIENCE } }),
  },
  limits: async () => (await import('./host-limits.ts')).limits,
};

/** By what only one event has; the first that fits. */
const MARKS: readonly (readonly [event: string, ...keys: string[]])[] = [
  ['notification', 'notification_type'],
  ['permissionRequest', 'toolName', 'toolInput'],
  ['postToolUse', 'toolName', 'toolResult'],
  ['postToolUseFailure', 'toolName', 'error'],
  ['preToolUse', 'toolName', 'toolArgs'],
  ['userPromptTransformed', 'transformedPrompt'],
  ['userPromptSubmitted', 'prompt'],
  ['errorOccurred', 'errorContext'],
  ['subagentStop', 'agentName', 'stopReason'],
  ['subagentStart', 'agentName'],
  ['agentStop', 'stopReason'],
  ['preCompact', 'trigger'],
  ['sessionStart', 'source'],
  ['sessionEnd', 'reason'],
];

function guess(payload: JsonObject): string | undefined {
  return MARKS.find(([, ...keys]) => keys.every((key) => Object.hasOwn(payload, key)))?.[0];
}
