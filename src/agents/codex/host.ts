/**
 * Codex CLI as a host. It takes an answer with one key too many, or one word before it, for no answer and goes on. So it is told the least
 * that says it, and a deny by exit code 2, which neither can spoil.
 */
import type { Host } from '../../core/contracts/host.ts';
import { textOf } from '../../core/values/json.ts';
import { dialect } from './dialect.ts';

/** The most it gives a hook at the end of a session, in seconds. */
const GOODBYE = 3;
/** What it gives to all others, in seconds; then it goes on as if nobody had objected. */
const PATIENCE = 600;

export const codexHost: Host = {
  id: dialect.id,
  title: 'Codex',
  speaks: dialect,
  eventsOf(payload, asked) {
    const name = textOf(payload['hook_event_name']) ?? asked;
    if (name !== undefined && Object.hasOwn(dialect.profile.events, name)) return [name];
    return name === undefined ? 'The payload has no `hook_event_name`.' : `Codex has no event \`${name}\` that Hookline knows.`;
  },
  degrade: { ask: 'deny', rewrite: 'deny', context: 'say', notice: 'say' },
  waitsMs: (event) => (event === 'SessionEnd' ? GOODBYE : PATIENCE) * 1000,
  // There its shell is PowerShell, which makes a 1 of every other code.
  deniesByExit: process.platform !== 'win32',
  signs: { payload: ['turn_id'] },
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
