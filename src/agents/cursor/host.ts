/** Cursor as a host: its tools come through `preToolUse`, but for files it reads and tools of MCP servers, which have events of their own. */
import type { Host } from '../../core/contracts/host.ts';
import { isObject, type JsonObject } from '../../core/values/json.ts';
import { eventNamedBy } from '../kit/event-names.ts';
import { dialect } from './dialect.ts';

/** Seconds that the agent waits for Hookline's entry; then it continues as if no hook had objected. */
const PATIENCE = 600;

export const cursorHost: Host = {
  id: dialect.id,
  title: 'Cursor',
  dialect,
  eventsOf: eventNamedBy('hook_event_name'),
  eventKey: dialect.wire.eventKey,
  identifiedBy: { payload: ['cursor_version', 'conversation_id'], env: ['CURSOR_VERSION'] },
  markers: ['CURSOR_AGENT'],
  projectVariable: 'CURSOR_PROJECT_DIR',
  asksPeople: ['preToolUse', 'beforeShellExecution', 'beforeMCPExecution', 'subagentStart'],
  timeoutMs: () => PATIENCE * 1000,
  deniesByExit: false,
  fileHead: { version: 1 },
  alsoReads: [{ host: 'claude-code', scopes: ['user', 'project'] }],
  entry: {
    files: { user: '.cursor/hooks.json', project: '.cursor/hooks.json' },
    reads: { comments: 'everywhere', trailingCommas: false, bom: false, harmless: { type: ['command'], matcher: ['', '.*'] }, drops },
    traces: ['.cursor'],
    events: [
      'sessionStart',
      'sessionEnd',
      'beforeSubmitPrompt',
      'preToolUse',
      'postToolUse',
      'postToolUseFailure',
      'beforeMCPExecution',
      'beforeReadFile',
      'beforeTabFileRead',
      'subagentStart',
      'subagentStop',
      'preCompact',
      'stop',
    ],
    http: false,
    entry: (event, command) => ({ path: ['hooks', event], value: { command, timeout: PATIENCE } }),
  },
  limits: async () => (await import('./host-limits.ts')).limits,
};

/** An event that it does not know makes the whole file invalid. */
function drops({ hooks }: JsonObject): string | undefined {
  const unknown = Object.keys(isObject(hooks) ? hooks : {}).find((event) => !Object.hasOwn(dialect.profile.events, event));
  return unknown === undefined ? undefined : `it has hooks for \`${unknown}\`, which is no event of Cursor`;
}
