/**
 * The meaning of Copilot's hooks, as data. Fourteen events in camelCase, most of them once more in PascalCase: the same meaning, another wire. Before a
 * tool, and where permission is given, any failure but a timeout denies; everywhere else failures let go on.
 */
import type { Grant } from '../../core/decision/decision.ts';
import type { EventKind } from '../../core/event/event.ts';
import type { Facet } from '../../core/event/facet.ts';
import type { EventRule, ExitRow, Fail, Profile } from '../../core/meaning/profile.ts';
import { EXIT_FAILS, exitJson, STATUS_FAILS, statusJson } from '../kit/reply-rows.ts';

const succeeded = exitJson('pass');
/** A warning for the user, on stderr; what was answered counts. */
const warned = { exit: [2], means: { say: 'parse', notJson: { means: { say: 'fault', fault: 'exit' } } } } as const satisfies ExitRow;
const refused = { say: 'deny', reason: [], otherwise: "Hook '{name}' exited with code {exit}{stderr}" } as const;
/** Before a tool and on a permission exit 2 denies; JSON adds why. */
const denied = { exit: [2], means: { say: 'parse', notJson: { means: refused, always: true } } } as const satisfies ExitRow;

/** A crash denies. A hook that is slow, or whose reply cannot be read, has not crashed. */
const closed: Partial<Fail> = { otherwise: 'deny', timeout: 'pass', malformed: 'pass' };

const RULES = {
  sessionStart: event('session.start', ['context']),
  sessionEnd: event('session.end', []),
  userPromptSubmitted: event('prompt.submit', ['deny', 'rewrite', 'context']),
  userPromptTransformed: event('prompt.expand', ['rewrite']),
  preToolUse: {
    ...event('tool.before', ['allow', 'ask', 'deny', 'rewrite', 'context', 'quiet'], 'tool'),
    read: { exit: [succeeded, denied, { exit: 'other', means: refused }] },
    fail: closed,
  },
  postToolUse: event('tool.after', ['deny', 'replace', 'context'], 'tool'),
  postToolUseFailure: {
    ...event('tool.error', ['context']),
    read: { exit: [succeeded, { exit: [2], means: { say: 'parse', from: ['stderr'], notJson: { text: 'context' } } }, EXIT_FAILS] },
  },
  permissionRequest: {
    ...event('permission.request', ['allow', 'deny'], 'tool'),
    read: {
      exit: [exitJson('fault'), denied, { exit: 'other', means: refused }],
      status: [statusJson('fault'), STATUS_FAILS],
    },
    fail: { ...closed, malformed: 'deny' },
  },
  errorOccurred: event('stop.error', []),
  agentStop: event('stop.before', ['deny']),
  subagentStart: event('subagent.before', ['context'], 'subagent'),
  subagentStop: event('subagent.after', ['deny', 'replace']),
  preCompact: event('compact.before', [], 'cause'),
  notification: event('notification', ['context'], 'cause'),
} as const satisfies Readonly<Record<string, EventRule>>;

export type CamelName = keyof typeof RULES;

/** The names of the same events in the other spelling. */
const PASCAL = {
  SessionStart: 'sessionStart',
  SessionEnd: 'sessionEnd',
  UserPromptSubmit: 'userPromptSubmitted',
  PreToolUse: 'preToolUse',
  PostToolUse: 'postToolUse',
  PostToolUseFailure: 'postToolUseFailure',
  PermissionRequest: 'permissionRequest',
  ErrorOccurred: 'errorOccurred',
  Stop: 'agentStop',
  SubagentStart: 'subagentStart',
  SubagentStop: 'subagentStop',
  PreCompact: 'preCompact',
  Notification: 'notification',
} as const satisfies Readonly<Record<string, CamelName>>;

export const profile: Profile = {
  events: { ...RULES, ...Object.fromEntries(Object.entries(PASCAL).map(([name, camel]) => [name, RULES[camel]])) },
  load: { unknownEvent: 'warning', maxHooks: null, auditFolder: false },
  match: { anchor: 'whole', missingFacet: 'fails' },
  run: { order: 'declared', stopOn: ['deny', 'ask'], inputs: 'piped' },
  ask: {
    timeout: { unit: 's', fallbackMs: 30_000 },
    command: { launch: 'bash', input: 'stdin', json: 'compact', capture: 'split', environment: 'inherits' },
    http: { redirects: 0 },
    judge: null,
  },
  read: { exit: [succeeded, warned, EXIT_FAILS], status: [statusJson('pass'), STATUS_FAILS] },
  fail: { otherwise: 'pass' },
  rewrite: 'replaces',
  fold: { contextStart: 'all', contextEnd: 'joined' },
};

/** The event whatever its spelling; undefined if there is none of the name. */
export function camelOf(name: string): CamelName | undefined {
  if (isOwn(RULES, name)) return name;
  return isOwn(PASCAL, name) ? PASCAL[name] : undefined;
}

export function isPascal(name: string): boolean {
  return isOwn(PASCAL, name);
}

/** Three events have the payload of the other spelling under both names. */
const CAMEL_PAYLOAD: readonly string[] = ['PermissionRequest', 'SubagentStart', 'Notification'];

/** Whether the payload's keys are written in snake_case. */
export function isSnake(name: string): boolean {
  return isPascal(name) && !CAMEL_PAYLOAD.includes(name);
}

export const CAMEL_NAMES: readonly CamelName[] = Object.keys(RULES) as CamelName[];

function isOwn<T extends object>(table: T, name: string): name is keyof T & string {
  return Object.hasOwn(table, name);
}

function event(kind: EventKind, grants: readonly Grant[], facet: Facet | null = null): EventRule {
  return { kinds: [kind], run: 'sequence', grants, facet };
}
