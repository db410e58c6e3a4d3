/** Gemini CLI as a host. It reads stderr where stdout is empty, and asks its user before a tool runs if a hook says so. */
import type { Host } from '../../core/contracts/host.ts';
import { knownEventNamedBy } from '../kit/event-names.ts';
import { dialect } from './dialect.ts';

/** Milliseconds. */
const PATIENCE = 600_000;

export const geminiCliHost: Host = {
  id: dialect.id,
  title: 'Gemini CLI',
  dialect,
  eventsOf: knownEventNamedBy('hook_event_name', dialect.profile.events, 'Gemini CLI'),
  eventKey: dialect.wire.eventKey,
  decidedBy: ['hook_event_name', 'tool_name'],
  // Others set `GEMINI_PROJECT_DIR` too.
  signs: {
    payload: [],
    env: ['GEMINI_SESSION_ID', 'GEMINI_PLANS_DIR'],
    markers: ['GEMINI_CLI', 'GEMINI_SESSION_ID'],
    project: 'GEMINI_PROJECT_DIR',
    programs: ['gemini', '@google/gemini-cli'],
    editors: [],
  },
  tells: { version: null, agent: [], parent: [] },
  asksPeople: ['BeforeTool'],
  attendance: {
    nobody: { payload: {}, env: { CI: ['true'], GITHUB_ACTIONS: ['true'] }, words: ['-p', '--prompt'] },
    somebody: { env: {}, words: ['-i', '--prompt-interactive', '--acp', '--experimental-acp'] },
    promptEnds: false,
    terminals: [0, 1],
    // A question that no person answers waits until the run is killed.
    otherwise: 'ticket',
  },
  unleashed: {
    words: ['--yolo', '-y', '--approval-mode yolo'],
    env: { GEMINI_CLI_HOME: ['*'], GEMINI_CLI_SYSTEM_SETTINGS_PATH: ['*'] },
  },
  timeoutMs: () => PATIENCE,
  deniesByExit: false,
  mcpTools: { prefix: 'mcp_', between: '_', except: [] },
  emptyFails: [],
  asksAhead: [],
  fileHead: null,
  alsoReads: [],
  entry: {
    files: { user: '.gemini/settings.json', project: '.gemini/settings.json' },
    reads: { comments: 'read', trailingCommas: false, bom: false, harmless: { description: true, matcher: ['', '.*'] } },
    traces: ['.gemini'],
    // `AfterModel` would start a process for every piece of an answer, and a reply to `BeforeToolSelection` has no effect.
    events: Object.keys(dialect.profile.events).filter((event) => event !== 'AfterModel' && event !== 'BeforeToolSelection'),
    http: false,
    entry: (event, command) => ({
      path: ['hooks', event],
      value: { hooks: [{ type: 'command', command, name: 'hookline', timeout: PATIENCE }] },
    }),
  },
  limits: async () => (await import('./host-limits.ts')).limits,
};
