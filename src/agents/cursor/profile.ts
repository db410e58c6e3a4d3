/**
 * The meaning of Cursor's hooks, as data: 21 events, of which six ask for permission and three more can send the agent back or keep a prompt.
 * On the six an answer that cannot be read denies; every other failure lets things pass, unless the hook has `failClosed`.
 */
import type { Grant } from '../../core/decision/decision.ts';
import type { EventKind } from '../../core/event/event.ts';
import type { Facet } from '../../core/event/facet.ts';
import type { EventRule, ExitRow, Profile } from '../../core/meaning/profile.ts';
import { nameTest } from '../kit/event-names.ts';
import { EXIT_FAILS, exitJson, STATUS_FAILS } from '../kit/reply-rows.ts';

const BLOCKS: ExitRow = {
  exit: [2],
  means: { say: 'deny', reason: ['stdout', 'stderr'], otherwise: "Hook '{name}' blocked this and gave no reason." },
};
const LENIENT: ExitRow = exitJson('pass');
const STRICT: ExitRow = exitJson('fault');

export const profile = {
  events: {
    preToolUse: permission('tool.before', 'tool', ['allow', 'ask', 'deny', 'rewrite', 'context']),
    postToolUse: observing('tool.after', 'tool', ['context']),
    postToolUseFailure: observing('tool.error', 'tool', ['context']),
    beforeShellExecution: permission('tool.before', 'target', ['allow', 'ask', 'deny']),
    afterShellExecution: observing('tool.after', 'target'),
    beforeMCPExecution: permission('tool.before', 'tool', ['allow', 'ask', 'deny']),
    afterMCPExecution: observing('tool.after', 'tool'),
    beforeReadFile: permission('tool.before', null, ['allow', 'deny']),
    afterFileEdit: observing('tool.after'),
    beforeTabFileRead: permission('tool.before', null, ['allow', 'deny']),
    afterTabFileEdit: observing('tool.after'),
    beforeSubmitPrompt: { kinds: ['prompt.submit'], run: 'parallel', grants: ['deny', 'context'], facet: null },
    sessionStart: observing('session.start', null, ['context']),
    sessionEnd: observing('session.end'),
    subagentStart: permission('subagent.before', 'subagent', ['allow', 'ask', 'deny']),
    subagentStop: { kinds: ['subagent.after'], run: 'parallel', grants: ['deny'], facet: 'subagent' },
    preCompact: observing('compact.before', null, ['notice']),
    stop: { kinds: ['stop.before', 'stop.error', 'agent.interrupt'], run: 'parallel', grants: ['deny'], facet: null },
    afterAgentResponse: observing('llm.after'),
    afterAgentThought: observing('llm.after'),
    workspaceOpen: observing('directory.added'),
  },
  load: { unknownEvent: 'error', maxHooks: null, auditFolder: false },
  match: { anchor: 'search', missingFacet: 'fails' },
  run: { order: 'declared', stopOn: [], inputs: 'original' },
  ask: {
    timeout: { unit: 's', fallbackMs: 60_000 },
    command: { launch: 'shell', input: 'stdin', json: 'compact', capture: 'split', environment: 'inherits' },
    http: { redirects: 0 },
    judge: { answers: ['ok'], also: [] },
  },
  read: {
    exit: [LENIENT, BLOCKS, EXIT_FAILS],
    status: [STATUS_FAILS],
  },
  fail: { otherwise: 'pass' },
  rewrite: 'replaces',
  fold: { contextStart: 'all', contextEnd: 'joined' },
} as const satisfies Profile;

export type EventName = keyof typeof profile.events;

export const isEventName = nameTest(profile.events);

function permission(kind: EventKind, facet: Facet | null, grants: readonly Grant[]): EventRule {
  return { kinds: [kind], run: 'parallel', grants, facet, read: { exit: [STRICT, BLOCKS, EXIT_FAILS] }, fail: { malformed: 'deny' } };
}

/** Exit 2 has nothing to block here: it is told as the failure it is. */
function observing(kind: EventKind, facet: Facet | null = null, grants: readonly Grant[] = []): EventRule {
  return { kinds: [kind], run: 'parallel', grants, facet, read: { exit: [LENIENT, EXIT_FAILS] } };
}
