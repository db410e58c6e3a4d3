/**
 * The meaning of Factory Droid's hooks, as data: nine events in the grammar that several agents share. Exit 2 blocks, exit 3 ends the run, and
 * every failure lets things pass.
 */
import type { EventKind } from '../../core/event/event.ts';
import type { EventRule, ExitRow, Profile } from '../../core/meaning/profile.ts';
import { nameTest } from '../kit/event-names.ts';
import { EXIT_FAILS, EXIT_PASSES, exitParsed, STATUS_FAILS } from '../kit/reply-rows.ts';

/** Exit code 3 also ends the whole run; only the denial counts here. */
const BLOCKS: ExitRow = {
  exit: [2, 3],
  means: { say: 'deny', reason: ['stderr'], otherwise: "Hook '{name}' blocked this and gave no reason." },
};
const READ: ExitRow = exitParsed('pass');
/** Plain text is for the agent. */
const READ_TEXT: ExitRow = exitParsed('context');

export const profile = {
  events: {
    PreToolUse: gate('tool.before', ['allow', 'ask', 'deny', 'rewrite', 'context', 'notice', 'halt'], READ),
    PostToolUse: observer('tool.after', ['context', 'notice', 'halt'], READ),
    UserPromptSubmit: gate('prompt.submit', ['deny', 'rewrite', 'context', 'notice', 'halt'], READ_TEXT),
    Stop: gate('stop.before', ['deny', 'notice', 'halt'], READ),
    SubagentStop: gate('subagent.after', ['deny', 'notice'], READ),
    PreCompact: gate('compact.before', ['deny'], EXIT_PASSES),
    SessionStart: observer('session.start', ['context', 'notice'], READ_TEXT),
    SessionEnd: observer('session.end', [], READ),
    Notification: observer('notification', [], READ),
  },
  load: { unknownEvent: 'warning', maxHooks: null, auditFolder: false },
  match: { anchor: 'search', missingFacet: 'holds' },
  run: { order: 'declared', stopOn: [], inputs: 'original' },
  ask: {
    timeout: { unit: 's', fallbackMs: 60_000 },
    command: { launch: 'shell', input: 'stdin', json: 'compact', capture: 'split', environment: 'inherits' },
    http: { redirects: 0 },
  },
  read: { exit: [READ, BLOCKS, EXIT_FAILS], status: [STATUS_FAILS] },
  fail: { otherwise: 'pass' },
  rewrite: 'merges',
  fold: { contextStart: 'all', contextEnd: 'joined' },
} as const satisfies Profile;

export type EventName = keyof typeof profile.events;

export const isEventName = nameTest(profile.events);

function gate(kind: EventKind, grants: EventRule['grants'], success: ExitRow): EventRule {
  return { kinds: [kind], run: 'parallel', grants, facet: null, read: { exit: [success, BLOCKS, EXIT_FAILS] } };
}

function observer(kind: EventKind, grants: EventRule['grants'], success: ExitRow): EventRule {
  return { kinds: [kind], run: 'parallel', grants, facet: null, read: { exit: [success, EXIT_FAILS] } };
}
