/**
 * Codex CLI as a host. It takes an answer with one key too many, or one word before it, for no answer and goes on. So it is told the least
 * that says it, and a deny by exit code 2, which neither can spoil.
 */
import type { Host } from '../../core/contracts/host.ts';
import { knownEventNamedBy } from '../kit/event-names.ts';
import { dialect } from './dialect.ts';

/** The most it gives a hook at the end of a session, in seconds. */
const GOODBYE = 3;
/** What it gives to all others, in seconds; then it goes on as if nobody had objected. */
const PATIENCE = 600;

export const codexHost: Host = {
  id: dialect.id,
  title: 'Codex',
  dialect,
  eventsOf: knownEventNamedBy('hook_event_name', dialect.profile.events, 'Codex'),
  eventKey: dialect.wire.eventKey,
  identifiedBy: { payload: ['turn_id'], env: [] },
  markers: ['CODEX_SANDBOX', 'CODEX_THREAD_ID'],
  projectVariable: null,
  asksPeople: [],
  timeoutMs: (event) => (event === 'SessionEnd' ? GOODBYE : PATIENCE) * 1000,
  // There its shell is PowerShell, which makes a 1 of every other code.
  deniesByExit: process.platform !== 'win32',
  fileHead: null,
  alsoReads: [],
  entry: {
    files: { user: '.codex/hooks.json', project: '.codex/hooks.json' },
    movedBy: { variable: 'CODEX_HOME', holds: '.codex' },
    // What is asked of the model, and what it answers, can only be watched, at the price of a process each.
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
