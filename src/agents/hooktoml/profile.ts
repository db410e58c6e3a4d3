/** The meaning of hooktoml, as data: void events only observe, modifying ones can be cancelled, and a tool call fails closed. */
import { type EventKind, kindRule } from '../../core/event/event.ts';
import type { EventRule, ExitRow, Profile } from '../../core/meaning/profile.ts';
import { nameTest } from '../kit/event-names.ts';
import { EXIT_2_DENIES, EXIT_FAILS, EXIT_PASSES, exitJson, STATUS_FAILS, statusJson } from '../kit/reply-rows.ts';

/** No agent waits for the hooks of a void event, so their output is not read. */
const observing = { run: 'detach', grants: [], facet: null, read: { exit: [EXIT_PASSES, EXIT_FAILS] } } as const;
const modifying = { run: 'sequence', grants: ['deny', 'rewrite', 'notice'], facet: null } as const;

/** A tool call is cancelled by every exit code other than 0. */
const EXIT_CANCELS: ExitRow = {
  exit: 'other',
  means: { say: 'deny', reason: ['stderr'], otherwise: "Hook '{name}' cancelled the tool call with exit code {exit}." },
};

export const profile = {
  events: {
    on_gateway_start: { kinds: ['gateway.start'], ...observing },
    on_gateway_stop: { kinds: ['gateway.stop'], ...observing },
    on_session_start: { kinds: ['session.start'], ...observing },
    on_session_end: { kinds: ['session.end'], ...observing },
    on_llm_input: { kinds: ['llm.before'], ...observing },
    on_llm_output: { kinds: ['llm.after'], ...observing },
    on_after_tool_call: { kinds: ['tool.after', 'tool.error'], ...observing },
    on_message_sent: { kinds: ['message.sent'], ...observing },
    on_heartbeat_tick: { kinds: ['heartbeat'], ...observing },
    before_model_resolve: { kinds: ['model.resolve'], ...modifying },
    before_prompt_build: { kinds: ['prompt.build'], ...modifying },
    before_llm_call: { kinds: ['llm.before'], ...modifying },
    before_tool_call: {
      kinds: ['tool.before'],
      ...modifying,
      read: { exit: [exitJson('pass'), EXIT_CANCELS] },
      fail: { otherwise: 'deny' },
    },
    on_message_received: { kinds: ['message.received'], ...modifying },
    on_message_sending: { kinds: ['message.sending'], ...modifying },
    on_cron_delivery: { kinds: ['cron.delivery'], ...modifying },
    on_docs_sync_notify: { kinds: ['docs.sync'], ...modifying },
  },
  load: { unknownEvent: 'error', maxHooks: 50, auditFolder: true },
  match: { anchor: 'search', missingFacet: 'holds' },
  run: { order: 'priority', stopOn: ['deny'], inputs: 'piped' },
  ask: {
    timeout: { unit: 's', fallbackMs: 30_000, minMs: 1000 },
    command: { launch: 'shell', input: 'stdin', json: 'compact', capture: 'split', environment: [] },
    http: { redirects: 3 },
    judge: null,
  },
  read: {
    exit: [exitJson('pass'), EXIT_2_DENIES, EXIT_FAILS],
    status: [statusJson('pass'), STATUS_FAILS],
  },
  fail: { otherwise: 'pass' },
  rewrite: 'replaces',
  fold: { contextStart: 'all', contextEnd: 'each' },
} as const satisfies Profile;

export type EventName = keyof typeof profile.events;

export const isEventName = nameTest(profile.events);

/** The events that carry a prompt or a message, which can be added to. */
export function canInject(event: EventName): boolean {
  const key = changedKey(event);
  return key === 'prompt' || key === 'content';
}

/** The part of a modifying event that a hook may replace, by its canonical name. */
function changedKey(event: EventName): string | undefined {
  return isVoid(event) ? undefined : kindRule(profile.events[event].kinds[0]).rewrites?.key;
}

/** Events that tell where a message comes from and who wrote it. Code that fires other events may add both. */
export function namesSender(event: EventName): boolean {
  return profile.events[event].kinds.some((kind) => SENT.has(kind));
}

/** Returns the facet that `pattern` tests: the arguments of a tool, or the text of the event. Null if there is neither. */
export function searchedIn(event: EventName): 'input' | 'text' | null {
  const { kinds }: EventRule = profile.events[event];
  if (kinds.some((kind) => kind.startsWith('tool.'))) return 'input';
  return kinds.some((kind) => TEXTS.has(kind) || SENT.has(kind)) ? 'text' : null;
}

const SENT: ReadonlySet<EventKind> = new Set([
  'message.received',
  'message.sending',
  'message.sent',
  'cron.delivery',
  'docs.sync',
] satisfies EventKind[]);
const TEXTS: ReadonlySet<EventKind> = new Set(['prompt.build', 'llm.before', 'llm.after'] satisfies EventKind[]);

export function isVoid(event: EventName): boolean {
  return profile.events[event].run === 'detach';
}
