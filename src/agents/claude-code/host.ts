/** Claude Code as a host. It names the event in every payload, and asks its user if a hook wants a person to decide. */
import type { Host } from '../../core/contracts/host.ts';
import { eventNamedBy } from '../kit/event-names.ts';
import { dialect } from './dialect.ts';

/** Seconds: the most that an entry may ask for at the end of a session. Without it Claude Code waits only a few seconds. */
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
    // It drops the whole file for one comment or one comma too many.
    reads: { comments: 'refused', trailingCommas: false, bom: true, harmless: { statusMessage: true, matcher: ['', '*', '.*'] } },
    traces: ['.claude'],
    movedBy: { variable: 'CLAUDE_CONFIG_DIR', holds: '.claude' },
    // Without events that fire for every piece of text, and without those whose hooks must produce something.
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

/** On events that can be stopped, an entry that cannot be started or does not answer must not count as consent. */
function closed(event: string): { readonly onFailure?: 'block' } {
  const rule = Object.hasOwn(dialect.profile.events, event) ? dialect.profile.events[event] : undefined;
  return rule?.grants.includes('deny') && !IGNORES_FAILURE.includes(event) ? { onFailure: 'block' } : {};
}

const IGNORES_FAILURE = ['Stop', 'SubagentStop', 'TaskCompleted', 'TeammateIdle', 'PostToolUse', 'PostToolUseFailure', 'PostToolBatch'];
