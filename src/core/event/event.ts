/** Events: the canonical kinds, the payload of each, and the part of it that a hook may replace. */

import type { PendingState } from '../decision/outcome.ts';
import type { Caller } from '../record/who.ts';
import { isObject, type Json, type JsonObject, textOf } from '../values/json.ts';

/** Describes the payload of a kind and the effects a verdict can have on it. There is one row per kind, so none can be forgotten. */
export interface KindRule {
  /** The key of `data` that a rewrite replaces, and the type of its value. */
  readonly rewrites?: { readonly key: string; readonly type: 'object' | 'text' };
  /** The key of `data` that holds a result, which a hook may replace. With `byDeny`, the agent sees the reason of a denial in its place. */
  readonly replaces?: { readonly key: string; readonly byDeny?: true };
  /** A denial sends the agent back to work with the reason as feedback. */
  readonly denyContinues?: true;
  /** A denial sends back someone other than the agent itself. */
  readonly denySendsBack?: true;
  /** The event reports that a tool ran. */
  readonly reportsRun?: true;
}

const model = { rewrites: { key: 'model', type: 'text' } } as const;
const input = { rewrites: { key: 'input', type: 'object' } } as const;
const prompt = { rewrites: { key: 'prompt', type: 'text' } } as const;
const content = { rewrites: { key: 'content', type: 'text' } } as const;

export const KINDS = {
  'gateway.start': {},
  'gateway.stop': {},
  heartbeat: {},
  'session.start': {},
  'session.end': {},
  'session.delete': {},
  'agent.start': {},
  'agent.end': {},
  'prompt.submit': prompt,
  'prompt.expand': prompt,
  'turn.before': {},
  'turn.after': {},
  'model.switch.before': {},
  'model.switch.after': {},
  'model.resolve': model,
  'prompt.build': prompt,
  'llm.before': model,
  'llm.tools': {},
  'llm.after': { replaces: { key: 'output' } },
  'tool.before': input,
  'tool.after': { replaces: { key: 'result', byDeny: true }, reportsRun: true },
  'tool.error': { reportsRun: true },
  'tool.batch': {},
  'permission.request': input,
  'permission.denied': {},
  'skill.before': {},
  'skill.after': {},
  'subagent.before': {},
  'subagent.after': { replaces: { key: 'result' }, denySendsBack: true },
  'conversation.load.before': {},
  'conversation.load.after': {},
  'conversation.save.before': {},
  'conversation.save.after': {},
  'compact.before': {},
  'compact.after': {},
  'stop.before': { denyContinues: true },
  'stop.error': {},
  'agent.interrupt': {},
  'teammate.idle': { denyContinues: true },
  'task.created': {},
  'task.completed': {},
  'elicitation.before': {},
  'elicitation.after': {},
  setup: {},
  'config.change': {},
  'instructions.loaded': {},
  'cwd.changed': {},
  'directory.added': {},
  'file.changed': {},
  'worktree.create': {},
  'worktree.remove': {},
  'message.display': { replaces: { key: 'text' } },
  'message.received': content,
  'message.sending': content,
  'message.sent': {},
  notification: {},
  'cron.delivery': content,
  'docs.sync': content,
} as const satisfies Record<string, KindRule>;

export type EventKind = keyof typeof KINDS;
export const EVENT_KINDS: readonly EventKind[] = Object.keys(KINDS) as EventKind[];

/** Every event looks its rule up, and a map finds a name in a fraction of the time that an object of this size takes. */
const RULES: ReadonlyMap<string, KindRule> = new Map(Object.entries(KINDS));

export function isEventKind(name: string): name is EventKind {
  return RULES.has(name);
}

export function kindRule(kind: EventKind): KindRule {
  return RULES.get(kind) as KindRule;
}

export interface HookEvent {
  readonly id: string;
  readonly kind: EventKind;
  /** ISO 8601. */
  readonly at: string;
  readonly session: { readonly id: string; readonly cwd: string };
  /** The canonical payload; see `docs/events.md`. */
  readonly data: JsonObject;
  /** Set if the event was fired in a dialect's own format. In that dialect, only hooks of exactly this native event run. */
  readonly native?: { readonly dialect: string; readonly name: string };
  /** The names of the same tool in other agents. A matcher written for one of them applies too. */
  readonly toolAliases?: readonly string[];
  /** The states of the hooks that suspended this action before a person approved it, in the order in which they did. */
  readonly pending?: readonly PendingState[];
  /** The agent that fired it. */
  readonly caller?: Caller;
  /** Asked on an earlier event, because the host cannot deny it when it tells of it. */
  readonly ahead?: true;
  /** If it is held: the approval counts for this call in this session alone. Absent: also for the same action in another session. */
  readonly bind?: 'call';
  /** If it is held: the caller's own data, which its ticket keeps. */
  readonly metadata?: JsonObject;
}

/** Returns the value that a rewrite of this event sets, or undefined if it has the wrong type. */
export function fitRewrite(kind: EventKind, value: Json): Json | undefined {
  const target = kindRule(kind).rewrites;
  if (!target) return undefined;
  if (target.type === 'object') return isObject(value) ? value : undefined;
  // A hook that received `{prompt}` may return `{prompt}`.
  return textOf(value) ?? (isObject(value) ? textOf(value[target.key]) : undefined);
}

/** Returns the event after a hook replaced its input, prompt or text. */
export function withRewrite(event: HookEvent, value: Json): HookEvent {
  const target = kindRule(event.kind).rewrites;
  return target ? withData(event, { [target.key]: value }) : event;
}

/** Returns the event with other values in its payload. The values are frozen already, and so is the result. */
export function withData(event: HookEvent, values: JsonObject): HookEvent {
  return Object.freeze({ ...event, data: Object.freeze({ ...event.data, ...values }) });
}

/** Returns the event with the changes that hooks made to its input and its result. */
export function applyChanges(event: HookEvent, { rewrite, replace }: { readonly rewrite?: Json; readonly replace?: Json }): HookEvent {
  const changed = rewrite === undefined ? event : withRewrite(event, rewrite);
  const target = replace === undefined ? undefined : kindRule(event.kind).replaces;
  return target && replace !== undefined ? withData(changed, { [target.key]: replace }) : changed;
}
