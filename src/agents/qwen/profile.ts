/** The meaning of Qwen Code's hooks, as data: JSON with any exit code, a denial by exit code 2; after any other failure the action runs. */
import type { ExitRow, Profile } from '../../core/meaning/profile.ts';
import { nameTest } from '../kit/event-names.ts';
import { EXIT_2_DENIES, EXIT_FAILS, EXIT_PASSES, exitParsed, STATUS_FAILS, statusJson } from '../kit/reply-rows.ts';

const answers = exitParsed('pass');
const informs = exitParsed('context');
/** quirk json-beats-exit */
const failed: ExitRow = { exit: 'other', means: { say: 'parse', notJson: { means: { say: 'fault', fault: 'exit' } } } };

const gating = { run: 'parallel', read: { exit: [answers, EXIT_2_DENIES, failed] } } as const;
const prompting = { run: 'parallel', read: { exit: [informs, EXIT_2_DENIES, failed] } } as const;
const observing = { run: 'parallel', read: { exit: [answers, failed] } } as const;
const starting = { run: 'parallel', read: { exit: [informs, failed] } } as const;
const unheard = {
  run: 'parallel',
  grants: [],
  read: { exit: [EXIT_PASSES, EXIT_FAILS], status: [{ status: '2xx', means: { say: 'pass' } }] },
} as const;

export const profile = {
  events: {
    PreToolUse: { kinds: ['tool.before'], grants: ['ask', 'deny', 'notice'], facet: 'tool', ...gating },
    PostToolUse: { kinds: ['tool.after'], grants: ['deny', 'context', 'notice'], facet: 'tool', ...observing },
    PostToolUseFailure: { kinds: ['tool.error'], grants: ['context', 'notice'], facet: 'tool', ...observing },
    PostToolBatch: { kinds: ['tool.batch'], grants: ['deny', 'context', 'notice'], facet: null, ...gating },
    UserPromptSubmit: { kinds: ['prompt.submit'], grants: ['deny', 'context', 'notice'], facet: null, ...prompting },
    UserPromptExpansion: { kinds: ['prompt.expand'], grants: ['deny', 'context', 'notice'], facet: 'subject', ...prompting },
    SessionStart: { kinds: ['session.start'], grants: ['context', 'notice'], facet: 'cause', ...starting },
    SessionEnd: { kinds: ['session.end'], facet: 'cause', ...unheard },
    SessionDelete: { kinds: ['session.delete'], facet: null, ...unheard },
    MessageDisplay: { kinds: ['message.display'], facet: null, ...unheard },
    Stop: { kinds: ['stop.before'], grants: ['deny', 'notice'], facet: null, ...gating },
    StopFailure: { kinds: ['stop.error'], facet: 'cause', ...unheard },
    SubagentStart: { kinds: ['subagent.before'], grants: ['context', 'notice'], facet: 'subagent', ...observing },
    SubagentStop: { kinds: ['subagent.after'], grants: ['deny', 'notice'], facet: 'subagent', ...gating },
    PreCompact: { kinds: ['compact.before'], grants: ['context', 'notice'], facet: 'cause', ...observing },
    PostCompact: { kinds: ['compact.after'], facet: 'cause', ...unheard },
    Notification: { kinds: ['notification'], facet: 'cause', ...unheard },
    PermissionRequest: { kinds: ['permission.request'], grants: ['allow', 'deny', 'rewrite', 'notice'], facet: 'tool', ...gating },
    PermissionDenied: { kinds: ['permission.denied'], facet: 'tool', ...unheard },
    TodoCreated: { kinds: ['task.created'], grants: ['deny', 'notice'], facet: null, ...gating },
    TodoCompleted: { kinds: ['task.completed'], grants: ['deny', 'notice'], facet: null, ...gating },
    InstructionsLoaded: { kinds: ['instructions.loaded'], facet: 'cause', ...unheard },
  },
  load: { unknownEvent: 'warning', maxHooks: null, auditFolder: false },
  match: { anchor: 'search', missingFacet: 'holds' },
  run: { order: 'declared', stopOn: ['deny'], inputs: 'original' },
  ask: {
    timeout: { unit: 's', fallbackMs: 60_000 },
    command: { launch: 'shell', input: 'stdin', json: 'compact', capture: 'split', environment: 'inherits' },
    // A redirect is never followed: it could lead to where hooks may not reach.
    http: { redirects: 0 },
    judge: { answers: ['ok'], also: ['additionalContext'] },
  },
  read: {
    exit: [answers, EXIT_2_DENIES, failed],
    status: [statusJson('pass'), STATUS_FAILS],
  },
  fail: { otherwise: 'pass' },
  rewrite: 'replaces',
  fold: { contextStart: 'all', contextEnd: 'joined' },
} as const satisfies Profile;

export type EventName = keyof typeof profile.events;

export const isEventName = nameTest(profile.events);
