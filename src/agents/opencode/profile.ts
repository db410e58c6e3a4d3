/**
 * The meaning of OpenCode's plugin hooks, as data. They are functions in its process. Hookline's plugin asks Hookline and carries out the answer,
 * so the format is Hookline's own. A gate that cannot be asked denies, as a hook that throws does there.
 */
import type { EventKind } from '../../core/event/event.ts';
import type { EventRule, Profile } from '../../core/meaning/profile.ts';
import { nameTest } from '../kit/event-names.ts';
import { EXIT_2_DENIES, EXIT_FAILS, exitJson, STATUS_FAILS } from '../kit/reply-rows.ts';

export const profile = {
  events: {
    'tool.execute.before': gate('tool.before', ['deny', 'rewrite']),
    'tool.execute.after': observer('tool.after', ['replace', 'context']),
    'chat.message': gate('prompt.submit', ['deny', 'rewrite', 'context']),
    'command.execute.before': gate('prompt.expand', ['deny']),
    'experimental.session.compacting': observer('compact.before', ['context']),
    'session.created': observer('session.start'),
    'session.idle': observer('stop.before'),
    'session.error': observer('stop.error'),
    'session.compacted': observer('compact.after'),
    'file.edited': observer('file.changed'),
    dispose: observer('session.end'),
  },
  load: { unknownEvent: 'warning', maxHooks: null, auditFolder: false },
  match: { anchor: 'search', missingFacet: 'holds' },
  run: { order: 'declared', stopOn: ['deny'], inputs: 'piped' },
  ask: {
    timeout: { unit: 's', fallbackMs: 600_000 },
    command: { launch: 'shell', input: 'stdin', json: 'compact', capture: 'split', environment: 'inherits' },
    http: { redirects: 0 },
    judge: null,
  },
  read: {
    exit: [exitJson('fault'), EXIT_FAILS],
    status: [STATUS_FAILS],
  },
  fail: { otherwise: 'deny' },
  rewrite: 'replaces',
  fold: { contextStart: 'all', contextEnd: 'joined' },
} as const satisfies Profile;

export type EventName = keyof typeof profile.events;

export const isEventName = nameTest(profile.events);

function gate(kind: EventKind, grants: EventRule['grants']): EventRule {
  return {
    kinds: [kind],
    run: 'sequence',
    grants,
    facet: null,
    read: {
      exit: [exitJson('fault'), EXIT_2_DENIES, EXIT_FAILS],
    },
  };
}

function observer(kind: EventKind, grants: EventRule['grants'] = []): EventRule {
  return { kinds: [kind], run: 'sequence', grants, facet: null };
}
