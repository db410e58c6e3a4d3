/**
 * The meaning of Factory Droid's hooks, as data: nine events in the grammar that several agents share. Exit 2 blocks, exit 3 ends the run, and
 * every failure lets things pass.
 */
import type { EventKind } from '../../core/event/event.ts';
import type { Facet } from '../../core/event/facet.ts';
import type { EventRule, ExitRow, Profile } from '../../core/meaning/profile.ts';
import { nameTest } from '../kit/event-names.ts';
import { EXIT_FAILS, EXIT_PASSES, exitParsed, STATUS_FAILS } from '../kit/reply-rows.ts';

/** Exit code 3 also ends the whole run; only the denial counts here. */
const BLOCKS: ExitRow = {
  exit: [2, 3],
  means: { say: 'deny', reason: ['stderr'], otherwise: "Hook '{name}' blocked this and gave no reason." },
};
/** JSON is read with every exit code. */
const BLOCKS_OR_SAYS: ExitRow = { ...BLOCKS, alsoCounts: 'json' };
const FAILS_OR_SAYS: ExitRow = { ...EXIT_FAILS, alsoCounts: 'json' };
const READ: ExitRow = exitParsed('pass');
/** Plain text is for the agent. */
const READ_TEXT: ExitRow = exitParsed('context');

export const profile = {
  events: {
    PreToolUse: gate('tool.before', 'tool', ['allow', 'ask', 'deny', 'rewrite', 'context', 'notice', 'halt'], READ),
    PostToolUse: observer('tool.after', ['context', 'notice', 'halt'], READ, 'tool'),
    UserPromptSubmit: gate('prompt.submit', null, ['deny', 'rewrite', 'context', 'notice', 'halt'], READ_TEXT),
    Stop: gate('stop.before', null, ['deny', 'notice', 'halt'], READ),
    SubagentStop: gate('subagent.after', null, ['deny', 'notice'], READ),
    PreCompact: { ...observer('compact.before', ['deny'], EXIT_PASSES), read: { exit: [EXIT_PASSES, BLOCKS, EXIT_FAILS] } },
    SessionStart: observer('session.start', ['context', 'notice'], READ_TEXT, 'cause'),
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
    judge: null,
  },
  read: { exit: [READ, BLOCKS, EXIT_FAILS], status: [STATUS_FAILS] },
  fail: { otherwise: 'pass' },
  rewrite: 'merges',
  fold: { contextStart: 'all', contextEnd: 'joined' },
} as const satisfies Profile;

export type EventName = keyof typeof profile.events;

export const isEventName = nameTest(profile.events);

function gate(kind: EventKind, facet: Facet | null, grants: EventRule['grants'], success: ExitRow): EventRule {
  return { kinds: [kind], run: 'parallel', grants, facet, read: { exit: [success, BLOCKS_OR_SAYS, FAILS_OR_SAYS] } };
}

function observer(kind: EventKind, grants: EventRule['grants'], success: ExitRow, facet: Facet | null = null): EventRule {
  return { kinds: [kind], run: 'parallel', grants, facet, read: { exit: [success, FAILS_OR_SAYS] } };
}
