/** Hooks written as functions against the canonical events. Every kind is an event of its own name. */
import type { Grant } from '../../core/decision/decision.ts';
import { EVENT_KINDS, type EventKind, kindRule } from '../../core/event/event.ts';
import type { Facet } from '../../core/event/facet.ts';
import type { EventRule, Profile } from '../../core/meaning/profile.ts';

const OBSERVED = [
  'gateway.start',
  'gateway.stop',
  'heartbeat',
  'session.end',
  'agent.end',
  'turn.after',
  'llm.after',
  'tool.error',
  'skill.after',
  'subagent.after',
  'conversation.load.after',
  'conversation.save.after',
  'message.sent',
  'notification',
  'session.delete',
  'model.switch.after',
  'llm.tools',
  'tool.batch',
  'permission.denied',
  'compact.after',
  'stop.error',
  'agent.interrupt',
  'setup',
  'instructions.loaded',
  'cwd.changed',
  'directory.added',
  'file.changed',
  'worktree.remove',
  'message.display',
] as const satisfies readonly EventKind[];
export type ObservedKind = (typeof OBSERVED)[number];

/** Events that tell of what has happened, and whose result a denial keeps from the agent. */
const WITHHELD = ['tool.after'] as const satisfies readonly EventKind[];
export type WithheldKind = (typeof WITHHELD)[number];

const OBSERVE: readonly Grant[] = ['context', 'notice', 'quiet', 'halt'];
const WITHHOLD: readonly Grant[] = ['deny', ...OBSERVE];
const GATE: readonly Grant[] = ['allow', 'ask', 'hold', 'deny', 'rewrite', ...OBSERVE];

/** The facet that `match` tests, by the first word of the kind. */
const FACETS: Readonly<Record<string, Facet>> = {
  tool: 'tool',
  permission: 'tool',
  skill: 'skill',
  subagent: 'subagent',
  llm: 'model',
  model: 'model',
  message: 'channel',
  cron: 'channel',
  docs: 'channel',
};

function ruleOf(kind: EventKind): EventRule {
  const isAmong = (kinds: readonly EventKind[]): boolean => kinds.includes(kind);
  const grants = isAmong(OBSERVED) ? OBSERVE : isAmong(WITHHELD) ? WITHHOLD : GATE;
  const all: readonly Grant[] = kindRule(kind).replaces ? [...grants, 'replace'] : grants;
  return { kinds: [kind], run: 'sequence', grants: all, facet: FACETS[kind.split('.', 1)[0] as string] ?? 'agent' };
}

export const profile: Profile = {
  events: Object.fromEntries(EVENT_KINDS.map((kind) => [kind, ruleOf(kind)])),
  load: { unknownEvent: 'error', maxHooks: null, auditFolder: false },
  match: { anchor: 'search', missingFacet: 'fails' },
  run: { order: 'priority', stopOn: ['deny'], inputs: 'piped' },
  ask: {
    timeout: { unit: 'ms', fallbackMs: 60_000 },
    command: { launch: 'shell', input: 'stdin', json: 'compact', capture: 'split', environment: [] },
    http: { redirects: 3 },
    judge: null,
  },
  read: { exit: [], status: [] },
  fail: { otherwise: 'deny' },
  rewrite: 'replaces',
  fold: { contextStart: 'all', contextEnd: 'each' },
};
