/** Events: the canonical kinds, what each carries, and which part of it a hook may replace. */
import { isObject, type Json, type JsonObject, textOf } from '../values/json.ts';

/** What a firing of this kind is about and what a verdict can do to it; one row per kind, so none can be forgotten. */
export interface KindRule {
  /** The key of `data` that a rewrite replaces, and what it must be. */
  readonly rewrites?: { readonly key: string; readonly type: 'object' | 'text' };
  /** The key of `data` that holds what came back, which a hook may replace. `byDeny`: a deny is what the agent is told in its place. */
  readonly replaces?: { readonly key: string; readonly byDeny?: true };
  /** A deny sends the agent back to work with the reason as feedback. */
  readonly denyContinues?: true;
  /** A deny sends back somebody else than the agent itself. */
  readonly denySendsBack?: true;
}

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
  'model.resolve': { rewrites: { key: 'model', type: 'text' } },
  'prompt.build': prompt,
  'llm.before': {},
  'llm.tools': {},
  'llm.after': { replaces: { key: 'output' } },
  'tool.before': input,
  'tool.after': { replaces: { key: 'result', byDeny: true } },
  'tool.error': {},
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

export function isEventKind(name: string): name is EventKind {
  return Object.hasOwn(KINDS, name);
}

export function kindRule(kind: EventKind): KindRule {
  return KINDS[kind];
}

export interface HookEvent {
  readonly id: string;
  readonly kind: EventKind;
  /** ISO 8601. */
  readonly at: string;
  readonly session: { readonly id: string; readonly cwd: string };
  /** The canonical payload, see docs/events.md. */
  readonly data: JsonObject;
  /** Set when the event was fired in a dialect's own words: only hooks of that very native event fire in that dialect. */
  readonly native?: { readonly dialect: string; readonly name: string };
  /** What the same tool is called by other agents: a matcher written for one of them fires as well. */
  readonly toolAliases?: readonly string[];
}

/** What a rewrite of this kind of event would put in place; undefined if it is not of the kind this event carries. */
export function fitRewrite(kind: EventKind, value: Json): Json | undefined {
  const target = kindRule(kind).rewrites;
  if (!target) return undefined;
  if (target.type === 'object') return isObject(value) ? value : undefined;
  // A hook that was shown `{prompt}` may well answer with `{prompt}`.
  return textOf(value) ?? (isObject(value) ? textOf(value[target.key]) : undefined);
}

/** The event as it stands after a hook replaced its input, prompt or text. */
export function withRewrite(event: HookEvent, value: Json): HookEvent {
  const target = kindRule(event.kind).rewrites;
  return target ? { ...event, data: { ...event.data, [target.key]: value } } : event;
}

/** The event as hooks have left it: what is to be done, and what came back. */
export function applyChanges(event: HookEvent, { rewrite, replace }: { readonly rewrite?: Json; readonly replace?: Json }): HookEvent {
  const changed = rewrite === undefined ? event : withRewrite(event, rewrite);
  const target = replace === undefined ? undefined : kindRule(event.kind).replaces;
  return target ? { ...changed, data: { ...changed.data, [target.key]: replace } } : changed;
}
