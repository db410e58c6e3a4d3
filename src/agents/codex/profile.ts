/**
 * The meaning of Codex's hooks, as data: JSON with exit code 0, a denial by exit code 2; after any other failure the action runs. No person can be
 * asked.
 */
import type { Profile } from '../../core/meaning/profile.ts';
import { nameTest } from '../kit/event-names.ts';
import { EXIT_2_DENIES, EXIT_FAILS, EXIT_PASSES, exitParsed, STATUS_FAILS, statusJson } from '../kit/reply-rows.ts';
import { SERVER_FILES } from './servers.ts';

/**
 * Returns the key under which Codex keeps whether its user wants and trusts a hook: the file, the event, and the index of its group and of its
 * handler.
 */
export function hookKey(file: string, event: string, group: number, handler: number): string {
  return `${file}:${event.replace(/(?!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase()}:${group}:${handler}`;
}

/** Plain text means nothing; text that begins like JSON and is none is a fault. */
const answers = exitParsed('pass');
const informs = exitParsed('context');

const gating = { run: 'parallel', read: { exit: [answers, EXIT_2_DENIES, EXIT_FAILS] } } as const;
const observing = { run: 'parallel', read: { exit: [answers, EXIT_FAILS] } } as const;
const starting = { run: 'parallel', read: { exit: [informs, EXIT_FAILS] } } as const;
const unheard = { run: 'parallel', grants: [], facet: null, read: { exit: [EXIT_PASSES, EXIT_FAILS] } } as const;

export const profile = {
  events: {
    PreToolUse: { kinds: ['tool.before'], grants: ['deny', 'rewrite', 'context', 'notice'], facet: 'tool', ...gating },
    PermissionRequest: { kinds: ['permission.request'], grants: ['allow', 'deny', 'notice'], facet: 'tool', ...gating },
    PostToolUse: { kinds: ['tool.after'], grants: ['deny', 'context', 'notice', 'halt'], facet: 'tool', ...gating },
    PreCompact: { kinds: ['compact.before'], grants: ['deny', 'notice'], facet: 'cause', ...observing },
    PostCompact: { kinds: ['compact.after'], grants: ['notice', 'halt'], facet: 'cause', ...observing },
    SessionStart: { kinds: ['session.start'], grants: ['context', 'notice', 'halt'], facet: 'cause', ...starting },
    SessionEnd: { kinds: ['session.end'], ...unheard, facet: 'cause' },
    UserPromptSubmit: {
      kinds: ['prompt.submit'],
      run: 'parallel',
      grants: ['deny', 'context', 'notice', 'halt'],
      facet: null,
      read: { exit: [informs, EXIT_2_DENIES, EXIT_FAILS] },
    },
    SubagentStart: { kinds: ['subagent.before'], grants: ['context', 'notice'], facet: 'subagent', ...starting },
    SubagentStop: { kinds: ['subagent.after'], grants: ['deny', 'notice', 'halt'], facet: 'subagent', ...gating },
    Stop: { kinds: ['stop.before'], grants: ['deny', 'notice', 'halt'], facet: null, ...gating },
    PreModelRequest: { kinds: ['llm.before'], ...unheard },
    PostModelRequest: { kinds: ['llm.after'], ...unheard },
    Interrupt: { kinds: ['agent.interrupt'], grants: ['notice'], facet: null, ...observing },
  },
  load: { unknownEvent: 'warning', maxHooks: null, auditFolder: false, servers: SERVER_FILES },
  match: { anchor: 'search', missingFacet: 'fails' },
  run: { order: 'declared', stopOn: ['deny'], inputs: 'original' },
  ask: {
    timeout: { unit: 's', fallbackMs: 600_000, minMs: 1000 },
    command: { launch: 'own-shell', input: 'stdin', json: 'compact', capture: 'split', environment: 'inherits' },
    http: { redirects: 0 },
    judge: null,
  },
  read: {
    exit: [answers, EXIT_2_DENIES, EXIT_FAILS],
    status: [statusJson('fault'), STATUS_FAILS],
  },
  fail: { otherwise: 'pass' },
  rewrite: 'replaces',
  fold: { contextStart: 'all', contextEnd: 'joined' },
} as const satisfies Profile;

export type EventName = keyof typeof profile.events;

export const isEventName = nameTest(profile.events);
