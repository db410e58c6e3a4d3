/**
 * Codex CLI as a host. It ignores a reply that has an unknown key or any text before the JSON, and then runs the tool. So it gets the shortest
 * reply with the meaning, and a denial by exit code 2, which neither can break.
 */
import type { Host } from '../../core/contracts/host.ts';
import { PLAIN_MCP } from '../../core/event/tool-names.ts';
import { knownEventNamedBy, subagentAhead } from '../kit/event-names.ts';
import { dialect } from './dialect.ts';
import { flawsIn } from './strictness.ts';

/** Seconds that it waits at most for a hook at the end of a session. */
const GOODBYE = 3;
/** Seconds that it waits for all other hooks; then it continues as if no hook had objected. */
const PATIENCE = 600;

export const codexHost: Host = {
  id: dialect.id,
  title: 'Codex',
  dialect,
  eventsOf: knownEventNamedBy('hook_event_name', dialect.profile.events, 'Codex'),
  eventKey: dialect.wire.eventKey,
  decidedBy: ['hook_event_name', 'tool_name'],
  signs: {
    payload: ['turn_id'],
    env: [],
    markers: ['CODEX_SANDBOX', 'CODEX_THREAD_ID'],
    project: null,
    programs: ['codex', '@openai/codex'],
    editors: [],
  },
  tells: { version: null, agent: ['agent_type', 'agent_id'], parent: [] },
  asksPeople: [],
  attendance: null,
  unleashed: {
    words: [
      '--dangerously-bypass-approvals-and-sandbox',
      '--dangerously-bypass-hook-trust',
      '--yolo',
      '--sandbox danger-full-access',
      '-s danger-full-access',
      '--ask-for-approval never',
      '-a never',
      '-c approval_policy=*never*',
      '--config approval_policy=*never*',
      '-c sandbox_mode=*danger-full-access*',
      '--config sandbox_mode=*danger-full-access*',
      '-c features.*hooks=false',
      '--config features.*hooks=false',
      '--disable *hooks',
    ],
    env: {},
  },
  timeoutMs: (event) => (event === 'SessionEnd' ? GOODBYE : PATIENCE) * 1000,
  // On Windows its shell is PowerShell, which turns every other code into 1.
  deniesByExit: process.platform !== 'win32',
  mcpTools: PLAIN_MCP,
  emptyFails: [],
  asksAhead: [
    subagentAhead({
      on: 'PreToolUse',
      event: 'SubagentStart',
      tools: ['spawn_agent'],
      typeIn: 'agent_type',
      typeKey: 'agent_type',
    }),
  ],
  fileHead: null,
  alsoReads: [],
  entry: {
    files: { user: '.codex/hooks.json', project: '.codex/hooks.json' },
    reads: {
      comments: 'refused',
      trailingCommas: false,
      bom: false,
      harmless: { statusMessage: true, matcher: ['', '*', '.*'] },
      drops: (document) => flawsIn(document)[0],
    },
    traces: ['.codex'],
    movedBy: { variable: 'CODEX_HOME', holds: '.codex' },
    // Requests to the model and its answers can only be observed, and each would cost a process.
    events: [
      'PreToolUse',
      'PermissionRequest',
      'PostToolUse',
      'PreCompact',
      'PostCompact',
      'SessionStart',
      'SessionEnd',
      'UserPromptSubmit',
      'SubagentStart',
      'SubagentStop',
      'Stop',
    ],
    http: false,
    entry: (event, command) => ({
      path: ['hooks', event],
      value: { hooks: [{ type: 'command', command, ...(event === 'SessionEnd' && { timeout: GOODBYE }) }] },
    }),
  },
  limits: async () => (await import('./host-limits.ts')).limits,
};
