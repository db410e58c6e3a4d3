/** The meaning of Windsurf's hooks, as data: exit code 2 of a `pre_` hook blocks, with stderr for the agent; nothing else counts. */
import type { EventKind } from '../../core/event/event.ts';
import type { EventRule, Profile } from '../../core/meaning/profile.ts';
import { nameTest } from '../kit/event-names.ts';
import { EXIT_2_DENIES, EXIT_FAILS, EXIT_PASSES, STATUS_FAILS } from '../kit/reply-rows.ts';

export const profile = {
  events: {
    pre_run_command: gate('tool.before'),
    post_run_command: observer('tool.after'),
    pre_read_code: gate('tool.before'),
    post_read_code: observer('tool.after'),
    pre_write_code: gate('tool.before'),
    post_write_code: observer('tool.after'),
    pre_mcp_tool_use: gate('tool.before'),
    post_mcp_tool_use: observer('tool.after'),
    pre_user_prompt: gate('prompt.submit'),
    post_cascade_response: observer('stop.before'),
    post_cascade_response_with_transcript: observer('stop.before'),
    post_setup_worktree: observer('setup'),
  },
  load: { unknownEvent: 'warning', maxHooks: null, auditFolder: false },
  match: { anchor: 'search', missingFacet: 'fails' },
  run: { order: 'declared', stopOn: ['deny'], inputs: 'original' },
  ask: {
    // The format has no limit; somebody has to end a hook that hangs.
    timeout: { unit: 's', fallbackMs: 60_000 },
    command: { launch: 'shell', input: 'stdin', json: 'compact', capture: 'split', environment: 'inherits' },
    http: { redirects: 0 },
    judge: null,
  },
  read: {
    exit: [EXIT_PASSES, EXIT_FAILS],
    status: [STATUS_FAILS],
  },
  fail: { otherwise: 'pass' },
  rewrite: 'replaces',
  fold: { contextStart: 'all', contextEnd: 'each' },
} as const satisfies Profile;

export type EventName = keyof typeof profile.events;

export const isEventName = nameTest(profile.events);

function gate(kind: EventKind): EventRule {
  return {
    kinds: [kind],
    run: 'sequence',
    grants: ['deny'],
    facet: null,
    read: {
      exit: [EXIT_PASSES, EXIT_2_DENIES, EXIT_FAILS],
    },
  };
}

function observer(kind: EventKind): EventRule {
  return { kinds: [kind], run: 'sequence', grants: [], facet: null };
}
