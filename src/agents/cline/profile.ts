/**
 * The meaning of Cline's hooks, as data: one file for each event, read by the JSON it prints, whatever its exit code. Only text around a
 * tool is waited for; every failure lets things pass.
 */
import type { EventRule, Profile } from '../../core/meaning/profile.ts';
import { nameTest } from '../kit/event-names.ts';
import { exitJson, STATUS_FAILS } from '../kit/reply-rows.ts';

export const profile = {
  events: {
    PreToolUse: { kinds: ['tool.before'], run: 'sequence', grants: ['deny', 'rewrite', 'context'], facet: null },
    PostToolUse: { kinds: ['tool.after', 'tool.error'], run: 'sequence', grants: ['context', 'halt'], facet: null },
    UserPromptSubmit: observer(['prompt.submit']),
    TaskStart: observer(['session.start']),
    TaskResume: observer(['session.start']),
    TaskCancel: observer(['agent.interrupt']),
    TaskComplete: observer(['stop.before']),
    TaskError: observer(['stop.error']),
    SessionShutdown: observer(['session.end']),
    PreCompact: observer(['compact.before']),
    Notification: observer(['notification']),
  },
  load: { unknownEvent: 'warning', maxHooks: null, auditFolder: false },
  match: { anchor: 'search', missingFacet: 'holds' },
  run: { order: 'declared', stopOn: [], inputs: 'original' },
  ask: {
    timeout: { unit: 's', fallbackMs: 120_000 },
    command: { launch: 'script', input: 'stdin', json: 'compact', capture: 'split', environment: 'inherits' },
    http: { redirects: 0 },
    judge: null,
  },
  read: {
    exit: [exitJson('fault'), { exit: 'other', means: { say: 'parse', notJson: 'fault' } }],
    status: [STATUS_FAILS],
  },
  fail: { otherwise: 'pass' },
  rewrite: 'replaces',
  fold: { contextStart: 'all', contextEnd: 'joined' },
} as const satisfies Profile;

/** The endings that a script may have. */
export const ENDINGS = ['', '.sh', '.bash', '.zsh', '.js', '.mjs', '.cjs', '.ts', '.mts', '.cts', '.py', '.ps1'];

export type EventName = keyof typeof profile.events;

export const isEventName = nameTest(profile.events);

function observer(kinds: EventRule['kinds']): EventRule {
  return { kinds, run: 'detach', grants: [], facet: null };
}
