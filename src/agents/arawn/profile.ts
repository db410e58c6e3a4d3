/** The meaning of arawn, as data: only PreToolUse can block, by any non-zero exit code; everything else informs. */
import type { Profile } from '../../core/meaning/profile.ts';
import { nameTest } from '../kit/event-names.ts';
import { EXIT_FAILS, EXIT_PASSES, STATUS_FAILS, statusJson } from '../kit/reply-rows.ts';

const aboutTool = { run: 'sequence', grants: ['notice'], facet: 'tool' } as const;
const informing = { run: 'sequence', grants: ['notice'], facet: null } as const;

/** The shell's own codes for a command that could not be started, so no hook judged anything. */
const notStarted = { exit: [126, 127], means: { say: 'fault', fault: 'spawn' } } as const;

export const profile = {
  events: {
    PreToolUse: {
      kinds: ['tool.before'],
      run: 'sequence',
      grants: ['deny'],
      facet: 'tool',
      read: {
        exit: [
          EXIT_PASSES,
          notStarted,
          {
            exit: 'other',
            means: {
              say: 'deny',
              reason: ['stdout', 'stderr'],
              otherwise: "Hook '{name}' blocked this with exit code {exit} and gave no reason.",
            },
          },
        ],
      },
    },
    PostToolUse: { kinds: ['tool.after'], ...aboutTool },
    PostToolUseFailure: { kinds: ['tool.error'], ...aboutTool },
    PermissionRequest: { kinds: ['permission.request'], ...aboutTool },
    UserPromptSubmit: { kinds: ['prompt.submit'], ...informing },
    Notification: { kinds: ['notification'], ...informing },
    SubagentStop: { kinds: ['subagent.after'], ...informing, wants: ['durationMs'] },
    PreCompact: { kinds: ['compact.before'], ...informing },
    // quirk session-context
    SessionStart: {
      kinds: ['session.start'],
      run: 'sequence',
      grants: ['notice', 'context'],
      facet: null,
      read: { exit: [{ exit: [0], means: { say: 'notice', alsoContext: true } }, notStarted, EXIT_FAILS] },
    },
    SessionEnd: { kinds: ['session.end'], ...informing, wants: ['turnCount'] },
    Stop: { kinds: ['stop.before'], ...informing },
    SubagentStarted: { kinds: ['subagent.before'], ...informing },
    SubagentCompleted: { kinds: ['subagent.after'], ...informing, wants: ['durationMs'] },
  },
  load: { unknownEvent: 'warning', maxHooks: null, auditFolder: false },
  match: { anchor: 'whole', missingFacet: 'fails' },
  run: { order: 'declared', stopOn: ['deny'], inputs: 'original' },
  ask: {
    timeout: { unit: 'ms', fallbackMs: 10_000 },
    command: { launch: 'shell', input: 'stdin', json: 'compact', capture: 'split', environment: [] },
    http: { redirects: 3 },
    judge: { answers: ['ok', 'decision'], also: [] },
  },
  read: {
    exit: [{ exit: [0], means: { say: 'notice' } }, notStarted, EXIT_FAILS],
    status: [statusJson('fault'), STATUS_FAILS],
  },
  fail: { otherwise: 'pass' },
  rewrite: 'replaces',
  fold: { contextStart: 'all', contextEnd: 'joined' },
} as const satisfies Profile;

export type EventName = keyof typeof profile.events;

export const isEventName = nameTest(profile.events);
