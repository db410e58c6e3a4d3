/**
 * Turns a call of the API into an event: looks up dialects, kinds and native events by name, and decodes a native payload. Misuse is an error
 * that names the nearest known name or the expected form.
 */
import type { Dialect } from '../../core/contracts/dialect.ts';
import { EVENT_KINDS, type EventKind, type HookEvent, isEventKind } from '../../core/event/event.ts';
import { aliasesOf, type McpSpelling, mcpAliasesOf } from '../../core/event/tool-names.ts';
import { HooklineError } from '../../core/values/errors.ts';
import { frozenCopy } from '../../core/values/frozen.ts';
import { asJson, isObject, type JsonObject } from '../../core/values/json.ts';
import { alike } from '../../core/values/suggest.ts';
import type { Clock } from '../ports.ts';
import type { ReceiveEvent } from './host-call.ts';

export function dialectNamed(id: string, dialects: readonly Dialect[]): Dialect {
  const found = dialects.find((dialect) => dialect.id === id);
  if (found) return found;
  const known = dialects.map((dialect) => dialect.id);
  throw new HooklineError('unknown-dialect', `There is no dialect \`${id}\`.`, { hint: nearest(id, known, 'Dialects') });
}

export function kindNamed(name: string, dialects: readonly Dialect[]): EventKind {
  if (isEventKind(name)) return name;
  // A caller that gives a dialect's name for an event has most likely forgotten to name the dialect.
  const speakers = dialects.filter(({ profile }) => Object.hasOwn(profile.events, name)).map(({ id }) => id);
  const hint =
    speakers.length > 0
      ? `It is an event of ${speakers.join(', ')}: add \`--as ${speakers[0]}\`, in code \`{ dialect: '${speakers[0]}', event }\`.`
      : nearest(name, EVENT_KINDS, 'Kinds');
  throw new HooklineError('unknown-event', `There is no event kind \`${name}\`.`, { hint });
}

/** Returns the event's own name, also if the caller used another name for it. */
export function nativeNamed(name: string, { id, aliases, profile }: Dialect): string {
  const own = Object.hasOwn(aliases, name) ? (aliases[name] as string) : name;
  if (Object.hasOwn(profile.events, own)) return own;
  const hint = nearest(name, Object.keys(profile.events), 'Its events');
  throw new HooklineError('unknown-event', `${id} has no event \`${name}\`.`, { hint });
}

function nearest(name: string, known: readonly string[], label: string): string {
  const near = alike(name, known);
  return near.length === 0 ? `${label}: ${known.join(', ')}.` : `Did you mean ${near.map((one) => `\`${one}\``).join(' or ')}?`;
}

/** An event in the format of a dialect. */
export type NativeEvent = {
  /** The dialect's name for the event. */
  readonly event: string;
  readonly payload?: JsonObject;
} & (
  | { readonly dialect: string; readonly as?: undefined }
  /** The same as `dialect`. */
  | { readonly as: string; readonly dialect?: undefined }
);

export interface FireContext {
  readonly session?: string;
  /** The working directory of the session. Hooks run there unless their format defines another folder. */
  readonly cwd?: string;
  /** If the action is held: how many milliseconds to wait for a person to settle it. */
  readonly wait?: number;
  /** Ends the hooks that still run; the action is then denied. */
  readonly signal?: AbortSignal;
  /**
   * If the action is held: an approval counts for this call in this session alone, and not for the same action in another one. For adapters
   * whose session lives as long as the question; the call is `toolUseId` of the payload.
   */
  readonly bind?: 'call';
  /**
   * If the action is held: data of the caller that its ticket keeps, such as the key of the run that waits. People see it, with secrets masked.
   * No approval depends on it.
   */
  readonly metadata?: JsonObject;
  /** Variables for the command hooks of this call, in addition to those of this process, as far as the policy for the environment lets hooks see them. */
  readonly env?: Readonly<Record<string, string>>;
  /** The agent that acts, for a payload that names none. It wins over the agent of the engine. */
  readonly agent?: string;
  /** Where the agent is spoken to, for a payload that does not say. Hooks may be limited to it. */
  readonly channel?: string;
  /** The user of the channel, for a payload that does not say. It is a claim of the caller: it identifies no one and approves nothing. */
  readonly user?: string;
  /** How deep the agent is below the session's own, for a payload that does not say. */
  readonly depth?: number;
}

/** The session of callers that name none. */
export const NAMELESS_SESSION = 'default';

export interface EventFactory {
  /** `tick`: that of the clock, if the caller has just looked. */
  canonical(kind: string, payload: unknown, context: FireContext, tick?: number): HookEvent;
  native(fired: NativeEvent, context: FireContext): HookEvent;
  /** An event that a host fired at its own hooks. */
  readonly ofHost: ReceiveEvent;
}

/** @param agent the name of the agent, for events that name none */
export function createEventFactory(
  dialects: readonly Dialect[],
  cwd: string,
  clock: Clock,
  newId: () => string,
  agent?: string,
): EventFactory {
  const filled = (data: JsonObject, context: FireContext): JsonObject => {
    const acting = context.agent ?? agent;
    const named = acting === undefined || (data['agent'] !== undefined && data['agent'] !== null) ? data : { ...data, agent: acting };
    const { channel, user, depth } = context;
    if (channel === undefined && user === undefined && depth === undefined) return named;
    const said = { ...(channel !== undefined && { channel }), ...(user !== undefined && { user }), ...(depth !== undefined && { depth }) };
    return { ...said, ...named };
  };
  const here = Object.freeze({ id: NAMELESS_SESSION, cwd });
  const sessionOf = (context: FireContext): HookEvent['session'] =>
    context.session === undefined && context.cwd === undefined
      ? here
      : Object.freeze({ id: context.session ?? here.id, cwd: context.cwd ?? cwd });
  const decode = (dialect: Dialect, name: string, payload: JsonObject, context: FireContext): MutableEvent => {
    const decoded = dialect.wire.decodeEvent(name, payload);
    const event: MutableEvent = {
      id: newId(),
      kind: decoded.kind,
      at: decoded.at ?? clock.iso(),
      session: Object.freeze({ id: context.session ?? decoded.session ?? here.id, cwd: context.cwd ?? decoded.cwd ?? cwd }),
      data: filled(decoded.data, context),
      native: Object.freeze({ dialect: dialect.id, name }),
    };
    keepForTicket(event, context);
    return event;
  };
  return {
    canonical(kind, payload, context, tick) {
      const known = isEventKind(kind) ? kind : kindNamed(kind, dialects);
      if (!isObject(payload)) throw badPayload(kind);
      const event: MutableEvent = {
        id: newId(),
        kind: known,
        at: clock.iso(tick),
        session: sessionOf(context),
        data: filled(payload, context),
      };
      keepForTicket(event, context);
      return event;
    },
    native({ dialect: id, as = id, event: given, payload = {} }, context) {
      const dialect = dialectNamed(String(as), dialects);
      const name = nativeNamed(given, dialect);
      if (!isObject(payload)) throw badPayload(name);
      return decode(dialect, name, payload, context);
    },
    ofHost({ dialect, mcpTools }, name, payload, caller) {
      const event = decode(dialect, name, payload, NO_CONTEXT);
      const toolAliases = aliasesIn(event.data, mcpTools);
      // Assigned, not spread, because this runs for every event of a host.
      if (toolAliases.length > 0) event.toolAliases = Object.freeze(toolAliases);
      if (caller) event.caller = Object.freeze(caller);
      return event;
    },
  };
}

type MutableEvent = { -readonly [K in keyof HookEvent]: HookEvent[K] };
const NO_CONTEXT: FireContext = {};

/** Assigned, not spread, because this runs for every event. */
function keepForTicket(event: MutableEvent, { bind, metadata }: FireContext): void {
  if (bind) event.bind = bind;
  if (metadata === undefined) return;
  if (!isObject(metadata) || asJson(metadata) === undefined)
    throw new HooklineError('bad-payload', 'The `metadata` of an event must be a JSON object.');
  event.metadata = frozenCopy(metadata);
}

/** Adds the names that other agents use for the tool, because a hook that was written for one agent runs in all of them. */
function aliasesIn({ tool }: JsonObject, spelling: McpSpelling): readonly string[] {
  if (typeof tool !== 'string') return NONE;
  const common = aliasesOf(tool);
  const served = mcpAliasesOf(tool, spelling);
  if (served.length === 0) return common;
  return common.length === 0 ? served : [...common, ...served];
}

const NONE: readonly string[] = [];

function badPayload(name: string): HooklineError {
  return new HooklineError('bad-payload', `The payload of ${name} must be a JSON object.`, {
    hint: 'Give an object, `{}` if it is empty.',
  });
}

/**
 * Makes an event the engine's own: its payload is a frozen copy from then on. So neither the caller, which keeps the object that it passed, nor a
 * hook can change what is judged and recorded. It happens once and in place, when a hook or the log is about to see the event, because most
 * events concern neither.
 * @param isNew that nothing has taken it over yet is known, which saves a look
 * @throws HooklineError `bad-payload` if the payload cannot be copied, because it contains itself or a part of it throws
 */
export function takeOver(event: HookEvent, isNew = false): void {
  if (!isNew && Object.isFrozen(event)) return;
  try {
    (event as { data: HookEvent['data'] }).data = copyPayload(event.data);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new HooklineError('bad-payload', `The payload of ${event.kind} is not JSON: ${why}.`, {
      hint: 'Give an object of plain values.',
    });
  }
  Object.freeze(event);
}

/** Most programs fire a tool and its input and nothing else. Keys that are written out take half the time of keys that are found. */
function copyPayload(data: JsonObject): JsonObject {
  if (!isBareCall(data)) return frozenCopy(data);
  return Object.freeze({ tool: frozenCopy(data['tool']), input: frozenCopy(data['input']) });
}

/** Whether a frozen copy of it has the keys `tool` and `input`, in this order, and no other. */
function isBareCall(data: JsonObject): boolean {
  let keys = 0;
  for (const key in data) {
    if (key !== BARE_CALL[keys] || !isOwn.call(data, key)) return false;
    keys++;
  }
  return keys === BARE_CALL.length && typeof data['toJSON'] !== 'function';
}

const BARE_CALL = ['tool', 'input'];
/** Twice as fast as `Object.hasOwn` in Node 20. */
const isOwn = Object.prototype.hasOwnProperty;

export function isBadPayload(error: unknown): boolean {
  return error instanceof HooklineError && error.code === 'bad-payload';
}
