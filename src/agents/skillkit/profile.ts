/** The meaning of skillkit, as data: sixteen events, of which the eight before an action can deny or suspend it and the rest only watch. */

import type { Condition } from '../../core/contracts/hook.ts';
import type { EventKind } from '../../core/event/event.ts';
import type { Facet } from '../../core/event/facet.ts';
import type { EventRule, Profile } from '../../core/meaning/profile.ts';
import { nameTest } from '../kit/event-names.ts';
import { EXIT_FAILS, EXIT_PASSES, STATUS_FAILS, statusJson } from '../kit/reply-rows.ts';

export const profile = {
  events: {
    PreToolUse: before('tool.before', 'toolTail'),
    PostToolUse: after(['tool.after', 'tool.error'], 'toolTail'),
    PreSubagent: { ...before('subagent.before', 'subagent'), wants: ['depth'] },
    PostSubagent: after(['subagent.after'], 'subagent'),
    PreSkillActivation: before('skill.before', 'skill'),
    PostSkillActivation: after(['skill.after'], 'skill'),
    PreLlmRequest: before('llm.before', 'model'),
    PostLlmRequest: after(['llm.after'], 'model'),
    PreConversationSave: before('conversation.save.before', 'agent'),
    PostConversationSave: after(['conversation.save.after'], 'agent'),
    PreConversationLoad: before('conversation.load.before', 'agent'),
    PostConversationLoad: after(['conversation.load.after'], 'agent'),
    PreTurn: before('turn.before', 'agent'),
    PostTurn: after(['turn.after'], 'agent'),
    PreAgent: before('agent.start', 'agent'),
    PostAgent: after(['agent.end'], 'agent'),
  },
  load: { unknownEvent: 'warning', maxHooks: null, auditFolder: false },
  match: { anchor: 'search', missingFacet: 'fails' },
  run: { order: 'declared', stopOn: ['deny', 'hold'], inputs: 'original' },
  ask: {
    timeout: { unit: 's', fallbackMs: 60_000 },
    command: { launch: 'shell', input: { env: 'HOOK_INPUT' }, json: 'compact', capture: 'joined', environment: [] },
    // The document: every status but 2xx denies.
    http: { redirects: 0 },
    judge: null,
  },
  read: {
    exit: [
      EXIT_PASSES,
      { exit: [2], means: { say: 'deny', reason: ['output'], otherwise: "Hook '{name}' denied this without giving a reason." } },
      EXIT_FAILS,
    ],
    status: [statusJson('pass'), { status: 'other', means: { say: 'deny', reason: [], otherwise: 'HTTP hook returned status {status}' } }],
  },
  // A handler that was asked and made no sense must not count as consent; one that could not be reached does not block.
  fail: { otherwise: 'pass', threw: 'deny', malformed: 'deny' },
  rewrite: 'replaces',
  fold: { contextStart: 'all', contextEnd: 'each' },
} as const satisfies Profile;

export type EventName = keyof typeof profile.events;
export const EVENT_NAMES: readonly EventName[] = Object.keys(profile.events) as EventName[];

export const isEventName = nameTest(profile.events);

export function isGate(name: string): boolean {
  return isEventName(name) && profile.events[name].grants.length > 0;
}

function before(kind: EventKind, facet: Facet): EventRule {
  return { kinds: [kind], run: 'sequence', grants: ['deny', 'hold'], facet };
}

/** An observer cannot deny, so a server in trouble is told as what it is and not as a refusal that is then cut. */
function after(kinds: readonly EventKind[], facet: Facet): EventRule {
  const status = [statusJson('pass'), STATUS_FAILS] as const;
  return { kinds, run: 'sequence', grants: [], facet, read: { status } };
}

/** Returns the condition of a matcher, in a file and in code: a pattern that is searched for in the subject of the event. */
export function matcherCondition(event: EventName, source: string, flags?: string): Condition {
  const { facet } = profile.events[event];
  const { anchor, missingFacet } = profile.match;
  return { facet: facet ?? 'agent', test: { kind: 'pattern', source, ...(flags && { flags }), anchor }, missing: missingFacet };
}
