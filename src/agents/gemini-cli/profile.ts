/**
 * The meaning of Gemini CLI's hooks, as data: eleven events, of which six can be denied. JSON counts whatever the exit code, on stderr too if stdout is
 * empty; without JSON exit 1 is a failure that lets go on, and every higher code a refusal.
 */
import type { Grant } from '../../core/decision/decision.ts';
import type { EventKind } from '../../core/event/event.ts';
import type { Facet } from '../../core/event/facet.ts';
import type { EventRule, ExitRow, Profile } from '../../core/meaning/profile.ts';
import { nameTest } from '../kit/event-names.ts';
import { STATUS_FAILS, statusJson } from '../kit/reply-rows.ts';

const from = ['stdout', 'stderr'] as const;
const succeeded = { exit: [0], means: { say: 'parse', from, notJson: { text: 'notice' } } } as const satisfies ExitRow;
const failed = { say: 'parse', from, notJson: { means: { say: 'fault', fault: 'exit' } } } as const;
const silence = "Hook '{name}' blocked this with exit code {exit} and gave no reason.";
const refused = { say: 'parse', from, notJson: { means: { say: 'deny', reason: from, otherwise: silence } } } as const;

export const profile = {
  events: {
    BeforeTool: gating(['tool.before'], ['ask', 'rewrite'], 'tool'),
    AfterTool: gating(['tool.after', 'tool.error'], ['context'], 'tool'),
    BeforeAgent: gating(['prompt.submit'], ['context']),
    AfterAgent: gating(['stop.before'], []),
    BeforeModel: gating(['llm.before'], []),
    AfterModel: gating(['llm.after'], ['replace']),
    BeforeToolSelection: observing('llm.tools', [], null),
    SessionStart: observing('session.start', ['context', 'notice', 'quiet'], 'cause'),
    SessionEnd: observing('session.end', ['notice', 'quiet'], 'cause'),
    PreCompress: observing('compact.before', ['notice', 'quiet'], 'cause'),
    Notification: observing('notification', ['notice', 'quiet'], 'cause'),
  },
  load: { unknownEvent: 'warning', maxHooks: null, auditFolder: false },
  match: { anchor: 'search', missingFacet: 'holds' },
  run: { order: 'declared', stopOn: [], inputs: 'piped' },
  ask: {
    timeout: { unit: 'ms', fallbackMs: 60_000 },
    command: { launch: 'bash', input: 'stdin', json: 'compact', capture: 'split', environment: 'inherits' },
    http: { redirects: 0 },
    judge: null,
  },
  read: {
    exit: [succeeded, { exit: 'other', means: failed }],
    status: [statusJson('fault'), STATUS_FAILS],
  },
  fail: { otherwise: 'pass' },
  rewrite: 'merges',
  fold: { contextStart: 'all', contextEnd: 'joined' },
} as const satisfies Profile;

export type EventName = keyof typeof profile.events;
export const EVENT_NAMES: readonly EventName[] = Object.keys(profile.events) as EventName[];

export const isEventName = nameTest(profile.events);

function gating(kinds: readonly EventKind[], grants: readonly Grant[], facet: Facet | null = null): EventRule {
  const exit: readonly ExitRow[] = [succeeded, { exit: [1], means: failed }, { exit: 'other', means: refused }];
  return { kinds, run: 'parallel', grants: ['deny', ...grants, 'halt', 'notice', 'quiet'], facet, read: { exit } };
}

/** Nothing can be refused there, so a higher exit code is a failure as well. */
function observing(kind: EventKind, grants: readonly Grant[], facet: Facet | null): EventRule {
  return { kinds: [kind], run: 'parallel', grants, facet };
}
