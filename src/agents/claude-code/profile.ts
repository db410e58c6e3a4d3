/** The meaning of Claude Code's hooks, as data: 33 events, whose hooks run at once. Exit code 2 blocks if the event can be blocked; any other failure passes. */
import type { Grant } from '../../core/decision/decision.ts';
import type { EventKind } from '../../core/event/event.ts';
import type { Facet } from '../../core/event/facet.ts';
import type { EventRule, ExitRow, Profile, Read, StatusRow } from '../../core/meaning/profile.ts';
import { nameTest } from '../kit/event-names.ts';
import { STATUS_FAILS, statusJson } from '../kit/reply-rows.ts';
import { SERVER_FILES } from './servers.ts';

/** The meaning of plain text on stdout. */
type Plain = 'pass' | 'context';

const BLOCKED = 'The hook blocked this without giving a reason.';
/** quirk `json-beside-code` */
const FAILS: ExitRow = { exit: 'other', means: { say: 'fault', fault: 'exit' }, alsoCounts: 'json' };

const parsed = (text: Plain): ExitRow => ({ exit: [0], means: { say: 'parse', notJson: { text } } });
const blocks: ExitRow = { exit: [2], means: { say: 'deny', reason: ['stderr'], otherwise: BLOCKED }, alsoCounts: 'json' };
/** quirk http-json: a server that answers with words has failed, also where the words of a command are context. */
const STATUS: readonly StatusRow[] = [statusJson('fault'), STATUS_FAILS];

/** A notice for the user, and whether the event is hidden: on nearly every event. */
const TELLS = ['notice', 'quiet'] as const;

/** An event whose exit 2 blocks. */
function gate(kind: EventKind, facet: Facet | null, grants: readonly Grant[], text: Plain = 'pass'): EventRule {
  const read: Partial<Read> = text === 'pass' ? {} : { exit: [parsed(text), blocks, FAILS] };
  return { kinds: [kind], run: 'parallel', grants: ['deny', ...grants, ...TELLS], facet, ...(text === 'context' && { read }) };
}

/** An event on which exit 2 is a failure like any other, told to the user alone. */
function observe(kind: EventKind, facet: Facet | null, grants: readonly Grant[] = TELLS, text: Plain = 'pass'): EventRule {
  return { kinds: [kind], run: 'parallel', grants, facet, read: { exit: [parsed(text), FAILS] } };
}

export const profile = {
  events: {
    PreToolUse: gate('tool.before', 'tool', ['allow', 'ask', 'rewrite', 'context', 'halt']),
    PostToolUse: gate('tool.after', 'tool', ['replace', 'context', 'halt']),
    PostToolUseFailure: gate('tool.error', 'tool', ['context', 'halt']),
    PostToolBatch: gate('tool.batch', null, ['context', 'halt']),
    PermissionRequest: observe('permission.request', 'tool', ['deny', 'allow', 'rewrite', 'halt', ...TELLS]),
    PermissionDenied: observe('permission.denied', 'tool'),
    Notification: observe('notification', 'cause', ['context', ...TELLS]),
    UserPromptSubmit: gate('prompt.submit', null, ['context', 'halt'], 'context'),
    UserPromptExpansion: gate('prompt.expand', 'subject', ['context', 'halt'], 'context'),
    SessionStart: observe('session.start', 'cause', ['context', ...TELLS], 'context'),
    SessionEnd: observe('session.end', 'cause'),
    Setup: observe('setup', 'cause', ['context', ...TELLS]),
    Stop: gate('stop.before', null, ['halt']),
    StopFailure: observe('stop.error', 'cause', []),
    SubagentStart: observe('subagent.before', 'subagent', ['context', ...TELLS]),
    SubagentStop: gate('subagent.after', 'subagent', ['halt']),
    PreCompact: gate('compact.before', 'cause', ['context'], 'context'),
    PostCompact: observe('compact.after', 'cause'),
    PreModelSwitch: gate('model.switch.before', 'subject', ['allow', 'ask']),
    PostModelSwitch: observe('model.switch.after', 'subject', ['context', ...TELLS], 'context'),
    TeammateIdle: gate('teammate.idle', null, ['halt']),
    TaskCreated: gate('task.created', null, ['halt']),
    TaskCompleted: gate('task.completed', null, ['halt']),
    Elicitation: gate('elicitation.before', 'subject', ['allow', 'replace']),
    ElicitationResult: gate('elicitation.after', 'subject', ['allow', 'replace']),
    ConfigChange: gate('config.change', 'cause', []),
    InstructionsLoaded: observe('instructions.loaded', 'cause', []),
    WorktreeCreate: {
      kinds: ['worktree.create'],
      run: 'parallel',
      grants: ['deny'],
      facet: null,
      // Its stdout is a path, and any failure means that there is no worktree.
      read: { exit: [parsed('pass'), { exit: 'other', means: { say: 'deny', reason: ['stderr'], otherwise: BLOCKED } }] },
      fail: { otherwise: 'deny' },
    },
    WorktreeRemove: observe('worktree.remove', null),
    CwdChanged: observe('cwd.changed', null),
    FileChanged: observe('file.changed', 'subject'),
    DirectoryAdded: observe('directory.added', 'cause'),
    MessageDisplay: observe('message.display', null, ['replace']),
  },
  load: { unknownEvent: 'warning', maxHooks: null, auditFolder: false, servers: SERVER_FILES },
  match: { anchor: 'search', missingFacet: 'fails' },
  run: { order: 'declared', stopOn: [], inputs: 'original' },
  ask: {
    timeout: { unit: 's', fallbackMs: 600_000 },
    command: { launch: 'shell', input: 'stdin', json: 'line', capture: 'split', environment: 'inherits' },
    http: { redirects: 0 },
    judge: { answers: ['ok'], also: ['impossible'] },
  },
  read: { exit: [parsed('pass'), blocks, FAILS], status: STATUS },
  // The host continues if a hook fails; `onFailure: "block"` makes a hook strict.
  fail: { otherwise: 'pass' },
  rewrite: 'replaces',
  fold: { contextStart: 'all', contextEnd: 'joined' },
} as const satisfies Profile;

export type EventName = keyof typeof profile.events;

export const isEventName = nameTest(profile.events);

/** Every event stands for exactly one kind. */
export function kindOf(name: EventName): EventKind {
  return profile.events[name].kinds[0] as EventKind;
}
