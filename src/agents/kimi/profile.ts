/** The meaning of Kimi Code's hooks, as data: 20 events, of which three can be denied; it never asks, and every failure lets things pass. */
import type { EventKind } from '../../core/event/event.ts';
import type { EventRule, Profile } from '../../core/meaning/profile.ts';
import { nameTest } from '../kit/event-names.ts';
import { EXIT_2_DENIES, EXIT_FAILS, exitJson, STATUS_FAILS } from '../kit/reply-rows.ts';

export const profile = {
  events: {
    PreToolUse: gate('tool.before', ['deny']),
    PostToolUse: observer('tool.after'),
    PostToolUseFailure: observer('tool.error'),
    PermissionRequest: observer('permission.request'),
    PermissionResult: { ...observer('permission.denied'), kinds: ['permission.denied', 'notification'] },
    UserPromptSubmit: gate('prompt.submit', ['deny', 'context']),
    UserPromptQueued: observer('message.received'),
    TurnStarted: observer('turn.before'),
    Stop: gate('stop.before', ['deny']),
    StopFailure: observer('stop.error'),
    Interrupt: observer('agent.interrupt'),
    SessionStart: observer('session.start'),
    SessionEnd: observer('session.end'),
    SessionHeartbeat: observer('heartbeat'),
    SubagentStart: observer('subagent.before'),
    SubagentStop: observer('subagent.after'),
    TaskStarted: observer('task.created'),
    PreCompact: observer('compact.before'),
    PostCompact: observer('compact.after'),
    Notification: observer('notification'),
  },
  load: { unknownEvent: 'error', maxHooks: null, auditFolder: false },
  match: { anchor: 'search', missingFacet: 'holds' },
  run: { order: 'declared', stopOn: [], inputs: 'original' },
  ask: {
    timeout: { unit: 's', fallbackMs: 30_000, minMs: 1000, maxMs: 600_000 },
    command: { launch: 'shell', input: 'stdin', json: 'compact', capture: 'split', environment: 'inherits' },
    http: { redirects: 0 },
  },
  read: {
    exit: [exitJson('pass'), EXIT_FAILS],
    status: [STATUS_FAILS],
  },
  fail: { otherwise: 'pass' },
  rewrite: 'replaces',
  fold: { contextStart: 'all', contextEnd: 'joined' },
} as const satisfies Profile;

export type EventName = keyof typeof profile.events;

export const isEventName = nameTest(profile.events);

function gate(kind: EventKind, grants: EventRule['grants']): EventRule {
  return {
    kinds: [kind],
    run: 'parallel',
    grants,
    facet: null,
    read: {
      exit: [exitJson('pass'), EXIT_2_DENIES, EXIT_FAILS],
    },
  };
}

function observer(kind: EventKind): EventRule {
  return { kinds: [kind], run: 'detach', grants: [], facet: null };
}
