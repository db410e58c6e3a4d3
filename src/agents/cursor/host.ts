/** Cursor as a host: its tools come through `preToolUse`, but for files it reads and tools of MCP servers, which have events of their own. */
import type { Host } from '../../core/contracts/host.ts';
import { type JsonObject, textOf } from '../../core/values/json.ts';
import { dialect } from './dialect.ts';

/** Seconds that its entry gives us; then it goes on as if nobody had objected. */
const PATIENCE = 600;

export const cursorHost: Host = {
  id: dialect.id,
  title: 'Cursor',
  speaks: dialect,
  eventsOf,
  degrade: { ask: 'deny', rewrite: 'deny', context: 'say', notice: 'say' },
  waitsMs: () => PATIENCE * 1000,
  signs: { env: ['CURSOR_VERSION'], payload: ['cursor_version'] },
  entry: {
    files: { user: '.cursor/hooks.json', project: '.cursor/hooks.json' },
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

function eventsOf(payload: JsonObject, asked: string | undefined): readonly string[] | string {
  const name = textOf(payload['hook_event_name']) ?? asked;
  return name === undefined ? 'The payload has no `hook_event_name`.' : [name];
}
