/** The meaning of Kimi Code's hooks, as data: 20 events, of which three can be denied; it never asks, and every failure lets things pass. */
import type { EventKind } from '../../core/event/event.ts';
import type { Facet } from '../../core/event/facet.ts';
import type { EventRule, ExitRow, Profile } from '../../core/meaning/profile.ts';
import { nameTest } from '../kit/event-names.ts';
import { EXIT_2_DENIES, EXIT_FAILS, EXIT_PASSES, exitParsed, STATUS_FAILS } from '../kit/reply-rows.ts';

export const profile = {
  events: {
    PreToolUse: gate('tool.before', 'tool', ['deny']),
    PostToolUse: observer('tool.after', 'tool'),
    PostToolUseFailure: observer('tool.error', 'tool'),
    PermissionRequest: observer('permission.request', 'tool'),
    PermissionResult: { ...observer('permission.denied', 'tool'), kinds: ['permission.denied', 'notification'] },
    UserPromptSubmit: gate('prompt.submit', 'text', ['deny', 'context'], exitParsed('context')),
    UserPromptQueued: observer('message.received', 'text'),
    TurnStarted: observer('turn.before'),
    Stop: gate('stop.before', null, ['deny']),
    StopFailure: observer('stop.error', 'cause'),
    Interrupt: observer('agent.interrupt'),
    SessionStart: awaited('session.start', 'cause'),
    SessionEnd: awaited('session.end', 'cause'),
    SessionHeartbeat: observer('heartbeat'),
    SubagentStart: awaited('subagent.before', 'subagent'),
    SubagentStop: observer('subagent.after', 'subagent'),
    TaskStarted: observer('task.created'),
    PreCompact: awaited('compact.before', 'cause'),
    PostCompact: observer('compact.after', 'cause'),
    Notification: observer('notification', 'cause'),
  },
  load: { unknownEvent: 'error', maxHooks: null, auditFolder: false },
  match: { anchor: 'search', missingFacet: 'fails' },
  run: { order: 'declared', stopOn: [], inputs: 'original' },
  ask: {
    timeout: { unit: 's', fallbackMs: 30_000, minMs: 1000, maxMs: 600_000 },
    command: { launch: 'shell', input: 'stdin', json: 'compact', capture: 'split', environment: 'inherits' },
    http: { redirects: 0 },
    judge: null,
  },
  read: {
    exit: [EXIT_PASSES, EXIT_FAILS],
    status: [STATUS_FAILS],
  },
  fail: { otherwise: 'pass' },
  rewrite: 'replaces',
  fold: { contextStart: 'all', contextEnd: 'joined' },
} as const satisfies Profile;

export type EventName = keyof typeof profile.events;

export const isEventName = nameTest(profile.events);

/** Text on stdout means nothing before a tool and at a stop. Text that begins like JSON and is none is a fault. */
function gate(kind: EventKind, facet: Facet | null, grants: EventRule['grants'], success: ExitRow = exitParsed('pass')): EventRule {
  return { kinds: [kind], run: 'parallel', grants, facet, read: { exit: [success, EXIT_2_DENIES, EXIT_FAILS] } };
}

/** Kimi Code waits for its hooks, and does not read their output. */
function awaited(kind: EventKind, facet: Facet): EventRule {
  return { kinds: [kind], run: 'parallel', grants: [], facet };
}

function observer(kind: EventKind, facet: Facet | null = null): EventRule {
  return { kinds: [kind], run: 'detach', grants: [], facet };
}
