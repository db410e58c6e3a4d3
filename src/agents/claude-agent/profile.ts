/**
 * The meaning of claude-agent, as data: ten events, of which four can block. Any exit code but 0 blocks, and JSON on stdout may add more. The
 * document spells an event in three ways: PascalCase, camelCase in settings, snake_case on the wire.
 */
import type { EventKind } from '../../core/event/event.ts';
import type { EventRule, Profile } from '../../core/meaning/profile.ts';
import { nameTest } from '../kit/event-names.ts';
import { EXIT_FAILS, exitJson, STATUS_FAILS, statusJson } from '../kit/reply-rows.ts';

export const profile = {
  events: {
    PreToolUse: { kinds: ['tool.before'], run: 'sequence', grants: ['deny', 'rewrite', 'context', 'quiet'], facet: 'tool' },
    PostToolUse: observing('tool.after'),
    PostToolUseFailure: observing('tool.error'),
    UserPromptSubmit: blocking('prompt.submit'),
    Stop: observing('stop.before'),
    SubagentStart: blocking('subagent.before'),
    SubagentStop: observing('subagent.after'),
    PreCompact: observing('compact.before'),
    SessionStart: blocking('session.start'),
    SessionEnd: observing('session.end'),
  },
  load: { unknownEvent: 'warning', maxHooks: null, auditFolder: false },
  match: { anchor: 'search', missingFacet: 'holds' },
  run: { order: 'priority', stopOn: ['deny'], inputs: 'original' },
  ask: {
    timeout: { unit: 's', fallbackMs: 60_000 },
    // The document's `extra_env` comes on top of what the agent has, and its `notify-send` finds the session by it.
    command: { launch: 'shell', input: 'stdin', json: 'compact', capture: 'split', environment: 'inherits' },
    http: { redirects: 3 },
    judge: null,
  },
  read: {
    exit: [
      exitJson('pass'),
      { exit: 'other', means: { say: 'deny', reason: [], otherwise: "Hook '{name}' failed with exit code: {exit}{stderr}" } },
    ],
    status: [statusJson('pass'), STATUS_FAILS],
  },
  fail: { otherwise: 'deny' },
  rewrite: 'replaces',
  fold: { contextStart: 'last', contextEnd: 'joined' },
} as const satisfies Profile;

function blocking(kind: EventKind): EventRule {
  return { kinds: [kind], run: 'sequence', grants: ['deny', 'context', 'quiet'], facet: 'tool' };
}

/** An observer cannot block, so its failure is told as what it is and not as a refusal that is then cut. */
function observing(kind: EventKind): EventRule {
  const exit = [exitJson('pass'), EXIT_FAILS] as const;
  return { kinds: [kind], run: 'sequence', grants: ['context', 'quiet'], facet: 'tool', read: { exit } };
}

export type EventName = keyof typeof profile.events;
export const EVENT_NAMES: readonly EventName[] = Object.keys(profile.events) as EventName[];

export const isEventName = nameTest(profile.events);

/** The event a configuration key names: `preToolUse` or `PreToolUse`. */
export function eventOfKey(key: string): EventName | undefined {
  const name = key.charAt(0).toUpperCase() + key.slice(1);
  return isEventName(name) ? name : undefined;
}

export function camelCase(name: EventName): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

/** `toolName` for the key `tool_name`. */
export function camelKey(key: string): string {
  return key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

export function snakeCase(name: string): string {
  return name.replace(/(?!^)[A-Z]/g, '_$&').toLowerCase();
}

export function kindOf(name: EventName): EventKind {
  // Every event of this dialect stands for exactly one kind.
  return profile.events[name].kinds[0] as EventKind;
}

export function canBlock(name: EventName): boolean {
  const rule: { readonly grants: readonly string[] } = profile.events[name];
  return rule.grants.includes('deny');
}
