/** The meaning of agenthooks, as data: every event can be blocked, exit code 2 blocks, and after any failure the agent continues. */
import type { Grant } from '../../core/decision/decision.ts';
import type { EventRule, Profile } from '../../core/meaning/profile.ts';
import { EXIT_2_DENIES, EXIT_FAILS, exitJson, STATUS_FAILS, statusJson } from '../kit/reply-rows.ts';

const speaks: readonly Grant[] = ['allow', 'ask', 'deny', 'context'];
const rewrites: readonly Grant[] = [...speaks, 'rewrite'];

const observed = { run: 'sequence', grants: speaks, facet: null } as const satisfies Partial<EventRule>;
const tool = { run: 'sequence', grants: speaks, facet: 'tool' } as const satisfies Partial<EventRule>;

export const profile = {
  events: {
    session_start: { kinds: ['session.start'], ...observed },
    session_end: { kinds: ['session.end'], ...observed, wants: ['durationSeconds', 'totalSteps'] },
    before_agent: { kinds: ['prompt.submit'], ...observed, grants: rewrites },
    after_agent: { kinds: ['turn.after'], ...observed },
    before_stop: { kinds: ['stop.before'], ...observed, wants: ['stepCount'] },
    before_tool: { kinds: ['tool.before'], ...tool, grants: rewrites },
    after_tool: { kinds: ['tool.after'], ...tool },
    after_tool_failure: { kinds: ['tool.error'], ...tool },
    subagent_start: { kinds: ['subagent.before'], ...observed, wants: ['depth'] },
    subagent_stop: { kinds: ['subagent.after'], ...observed, wants: ['depth', 'durationMs'] },
    pre_compact: { kinds: ['compact.before'], ...observed },
  },
  load: { unknownEvent: 'error', maxHooks: null, auditFolder: false },
  match: { anchor: 'search', missingFacet: 'holds' },
  run: { order: 'priority', stopOn: ['deny'], inputs: 'piped' },
  ask: {
    timeout: { unit: 'ms', fallbackMs: 30_000, minMs: 100, maxMs: 600_000 },
    command: { launch: 'script', input: 'stdin', json: 'spaced', capture: 'split', environment: [] },
    http: { redirects: 3 },
    judge: null,
  },
  read: {
    exit: [exitJson('fault'), EXIT_2_DENIES, EXIT_FAILS],
    status: [statusJson('fault'), STATUS_FAILS],
  },
  fail: { otherwise: 'pass' },
  rewrite: 'replaces',
  fold: { contextStart: 'all', contextEnd: 'each' },
} as const satisfies Profile;

export type Trigger = keyof typeof profile.events;

/** The names later releases of the format gave the same events. */
export const RENAMED: Readonly<Record<string, Trigger>> = {
  'pre-session': 'session_start',
  'post-session': 'session_end',
  'pre-agent-turn': 'before_agent',
  'post-agent-turn': 'after_agent',
  'pre-agent-turn-stop': 'before_stop',
  'pre-tool-call': 'before_tool',
  'post-tool-call': 'after_tool',
  'post-tool-call-failure': 'after_tool_failure',
  'pre-subagent': 'subagent_start',
  'post-subagent': 'subagent_stop',
  'pre-context-compact': 'pre_compact',
};

export const PRIORITY = { fallback: 100, min: 0, max: 1000 } as const;

export function triggerNamed(name: string): Trigger | undefined {
  if (Object.hasOwn(profile.events, name)) return name as Trigger;
  return Object.hasOwn(RENAMED, name) ? RENAMED[name] : undefined;
}
