/** Cursor as a host: its tools come through `preToolUse`, but for files it reads and tools of MCP servers, which have events of their own. */
import type { Flaw } from '../../core/contracts/file-reading.ts';
import type { Host } from '../../core/contracts/host.ts';
import { PLAIN_MCP } from '../../core/event/tool-names.ts';
import { isBlockingEvent } from '../../core/meaning/profile.ts';
import { type Document, fieldOf } from '../../core/values/document.ts';
import { ownValue } from '../../core/values/json.ts';
import { eventNamedBy } from '../kit/event-names.ts';
import { dialect } from './dialect.ts';

/** Seconds that the agent waits for Hookline's entry; then it continues as if no hook had objected. */
const PATIENCE = 600;

export const cursorHost: Host = {
  id: dialect.id,
  title: 'Cursor',
  dialect,
  eventsOf: eventNamedBy('hook_event_name', dialect.profile.events),
  eventKey: dialect.wire.eventKey,
  decidedBy: null,
  signs: {
    payload: ['cursor_version', 'conversation_id'],
    env: ['CURSOR_VERSION'],
    markers: ['CURSOR_AGENT'],
    project: 'CURSOR_PROJECT_DIR',
    programs: ['cursor-agent'],
    editors: ['cursor', 'Cursor', 'Cursor.app', '.cursor-server'],
  },
  tells: {
    version: { key: 'cursor_version', variable: 'CURSOR_VERSION' },
    agent: [],
    parent: ['parent_conversation_id', 'parent_tool_call_id'],
  },
  asksPeople: ['preToolUse', 'beforeShellExecution', 'beforeMCPExecution', 'subagentStart'],
  attendance: {
    // Its editor has a window, and no command line that could be found.
    nobody: { payload: {}, env: {}, words: ['-p', '--print'] },
    somebody: { env: {}, words: [] },
    promptEnds: false,
    terminals: [1],
    otherwise: 'ask',
  },
  unleashed: {
    words: ['--force', '-f', '--yolo'],
    env: {},
  },
  timeoutMs: () => PATIENCE * 1000,
  deniesByExit: false,
  mcpTools: PLAIN_MCP,
  emptyFails: Object.keys(dialect.profile.events).filter(isClosed),
  asksAhead: [],
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
    entry: (event, command) => ({
      path: ['hooks', event],
      value: { command, timeout: PATIENCE, ...(isClosed(event) && { failClosed: true }) },
    }),
  },
  limits: async () => (await import('./host-limits.ts')).limits,
};

/**
 * On events that can be stopped, an entry that cannot be started, breaks or does not answer must not count as consent. There Cursor takes an empty
 * answer for a broken one.
 */
function isClosed(event: string): boolean {
  const rule = ownValue(dialect.profile.events, event);
  return rule !== undefined && isBlockingEvent(rule);
}

/** An event that it does not know makes the whole file invalid. */
function drops({ root }: Document): Flaw | undefined {
  const hooks = fieldOf(root, 'hooks');
  const unknown = hooks?.kind === 'map' ? hooks.entries.find(({ key }) => !Object.hasOwn(dialect.profile.events, key)) : undefined;
  return unknown && { why: `it has hooks for \`${unknown.key}\`, which is no event of Cursor`, at: unknown.at };
}
