/** The meaning of hooktoml, as data: void events only observe, modifying ones can be cancelled, and a tool call fails closed. */
import type { Profile } from '../../core/meaning/profile.ts';
import { nameTest } from '../kit/event-names.ts';
import { EXIT_FAILS, EXIT_PASSES, STATUS_FAILS, statusJson } from '../kit/reply-rows.ts';

const observing = { run: 'detach', grants: [], facet: null } as const;
const modifying = { run: 'sequence', grants: ['deny'], facet: null } as const;
const injectable = { run: 'sequence', grants: ['deny', 'rewrite'], facet: null } as const;

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
    before_prompt_build: { kinds: ['prompt.build'], ...injectable },
    before_llm_call: { kinds: ['llm.before'], ...modifying },
    before_tool_call: {
      kinds: ['tool.before'],
      ...modifying,
      read: {
        exit: [
          EXIT_PASSES,
          {
            exit: 'other',
            means: { say: 'deny', reason: ['stderr'], otherwise: "Hook '{name}' cancelled the tool call with exit code {exit}." },
          },
        ],
      },
      fail: { otherwise: 'deny' },
    },
    on_message_received: { kinds: ['message.received'], ...modifying },
    on_message_sending: { kinds: ['message.sending'], ...injectable },
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
  },
  read: {
    exit: [EXIT_PASSES, EXIT_FAILS],
    status: [statusJson('pass'), STATUS_FAILS],
  },
  fail: { otherwise: 'pass' },
  rewrite: 'replaces',
  fold: { contextStart: 'all', contextEnd: 'each' },
} as const satisfies Profile;

export type EventName = keyof typeof profile.events;

export const isEventName = nameTest(profile.events);

/** Whether a text that could be added to is what this event carries. */
export function canInject(event: EventName): boolean {
  return (profile.events[event].grants as readonly string[]).includes('rewrite');
}

export function isVoid(event: EventName): boolean {
  return profile.events[event].run === 'detach';
}
