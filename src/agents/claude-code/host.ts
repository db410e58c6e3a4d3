/** Claude Code as a host. It names the event in every payload, and asks its user if a hook wants a person to decide. */
import type { Host } from '../../core/contracts/host.ts';
import { PLAIN_MCP } from '../../core/event/tool-names.ts';
import { eventNamedBy, subagentAhead } from '../kit/event-names.ts';
import { dialect } from './dialect.ts';

/** Seconds: the most that an entry may ask for at the end of a session. Without it Claude Code waits only a few seconds. */
const GOODBYE = 60;

export const claudeCodeHost: Host = {
  id: dialect.id,
  title: 'Claude Code',
  dialect,
  eventsOf: eventNamedBy('hook_event_name', dialect.profile.events),
  eventKey: dialect.wire.eventKey,
  decidedBy: ['hook_event_name', 'tool_name'],
  signs: {
    payload: [],
    env: ['CLAUDECODE', 'CLAUDE_CODE_SESSION_ID'],
    markers: ['CLAUDECODE', 'CLAUDE_CODE_SESSION_ID'],
    project: 'CLAUDE_PROJECT_DIR',
    programs: ['claude', '@anthropic-ai/claude-code'],
    editors: [],
  },
  tells: {
    version: { variable: 'AI_AGENT', pattern: /^claude-code_(\d+(?:-\d+)+)(?:_|$)/ },
    agent: ['agent_type', 'agent_id'],
    parent: [],
  },
  asksPeople: ['PreToolUse', 'PermissionRequest', 'PreModelSwitch'],
  attendance: {
    // With `dontAsk` it takes every question for a denial.
    nobody: { payload: { permission_mode: ['dontAsk'] }, env: { CLAUDE_CODE_SESSION_ATTENDED: ['0'] }, words: ['-p', '--print'] },
    somebody: { env: { CLAUDE_CODE_SESSION_ATTENDED: ['1'] }, words: ['--permission-prompt-tool'] },
    promptEnds: false,
    terminals: [1],
    // It denies then, and loses nothing.
    otherwise: 'ask',
  },
  unleashed: {
    words: [
      '--dangerously-skip-permissions',
      '--allow-dangerously-skip-permissions',
      '--permission-mode bypassPermissions',
      '--settings *disableAllHooks*',
      '--setting-sources *',
      '--bare',
      '--safe-mode',
    ],
    env: { CLAUDE_CODE_SIMPLE: ['*'] },
  },
  timeoutMs: null,
  deniesByExit: false,
  mcpTools: PLAIN_MCP,
  emptyFails: [],
  // Exit code 2 on `SubagentStart` is told to the user alone. `Task` is the older name of the tool.
  asksAhead: [
    subagentAhead({
      on: 'PreToolUse',
      event: 'SubagentStart',
      tools: ['Agent', 'Task'],
      typeIn: 'subagent_type',
      otherwise: 'general-purpose',
      typeKey: 'agent_type',
    }),
  ],
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
