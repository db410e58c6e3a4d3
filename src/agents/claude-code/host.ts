/** Claude Code as a host. It names the event in every payload, and asks people itself where a hook wants it. */
import type { Host } from '../../core/contracts/host.ts';
import { eventNamedBy } from '../kit/event-names.ts';
import { dialect } from './dialect.ts';

/** What it gives the hooks at the end of a session is counted in seconds, and little; the most it lets an entry ask for. */
const GOODBYE = 60;

export const claudeCodeHost: Host = {
  id: dialect.id,
  title: 'Claude Code',
  dialect,
  eventsOf: eventNamedBy('hook_event_name'),
  eventKey: dialect.wire.eventKey,
  identifiedBy: { payload: [], env: ['CLAUDECODE', 'CLAUDE_CODE_SESSION_ID'] },
  markers: ['CLAUDECODE', 'CLAUDE_CODE_SESSION_ID'],
  projectVariable: 'CLAUDE_PROJECT_DIR',
  asksPeople: ['PreToolUse', 'PermissionRequest', 'PreModelSwitch'],
  timeoutMs: null,
  deniesByExit: false,
  fileHead: null,
  alsoReads: [],
  entry: {
    files: { user: '.claude/settings.json', project: '.claude/settings.json' },
    movedBy: { variable: 'CLAUDE_CONFIG_DIR', holds: '.claude' },
    // Not those that fire for every piece of text, or whose hooks must make something themselves.
    events: [
      'PreToolUse',
      'PostToolUse',
      'PostToolUseFailure',
      'PermissionRequest',
      'Notification',
      'UserPromptSubmit',
      'UserPromptExpansion',
      'SessionStart',
      'SessionEnd',
      'Stop',
      'StopFailure',
      'SubagentStart',
      'SubagentStop',
      'PreCompact',
      'PostCompact',
      'PreModelSwitch',
      'TaskCreated',
      'TaskCompleted',
      'Elicitation',
      'ElicitationResult',
      'ConfigChange',
    ],
    http: { blocksWhenDead: (event) => closed(event).onFailure === 'block', never: ['SessionStart'] },
    entry: (event, command) => ({
      path: ['hooks', event],
      value: { hooks: [{ type: 'command', command, ...(event === 'SessionEnd' && { timeout: GOODBYE }), ...closed(event) }] },
    }),
  },
  limits: async () => (await import('./host-limits.ts')).limits,
};

/** Events that can be stopped: an entry that can't be started, or has no answer, must not read as consent there. */
function closed(event: string): { readonly onFailure?: 'block' } {
  const rule = Object.hasOwn(dialect.profile.events, event) ? dialect.profile.events[event] : undefined;
  return rule?.grants.includes('deny') && !IGNORES_FAILURE.includes(event) ? { onFailure: 'block' } : {};
}

const IGNORES_FAILURE = ['Stop', 'SubagentStop', 'TaskCompleted', 'TeammateIdle', 'PostToolUse', 'PostToolUseFailure', 'PostToolBatch'];
