/** Looks up dialects, kinds and native events by the name a caller gave; what is unknown is an error with the nearest known name. */
import type { Dialect } from '../../core/contracts/dialect.ts';
import type { Outcome } from '../../core/decision/outcome.ts';
import { EVENT_KINDS, type EventKind, type HookEvent, isEventKind } from '../../core/event/event.ts';
import { aliasesOf } from '../../core/event/tool-names.ts';
import type { Environment } from '../../core/values/environment.ts';
import { HooklineError } from '../../core/values/errors.ts';
import { isObject, type JsonObject } from '../../core/values/json.ts';
import { suggest } from '../../core/values/suggest.ts';
import type { FireOptions } from '../engine.ts';
import type { Clock } from '../ports.ts';

export function dialectNamed(id: string, dialects: readonly Dialect[]): Dialect {
  const found = dialects.find((dialect) => dialect.id === id);
  if (found) return found;
  const known = dialects.map((dialect) => dialect.id);
  throw new HooklineError('unknown-dialect', `There is no dialect \`${id}\`.`, { hint: nearest(id, known, 'Dialects') });
}

export function kindNamed(name: string, dialects: readonly Dialect[]): EventKind {
  if (isEventKind(name)) return name;
  // Who writes a dialect's name for an event has most likely forgotten to say which dialect.
  const speakers = dialects.filter(({ profile }) => Object.hasOwn(profile.events, name)).map(({ id }) => id);
  const hint =
    speakers.length > 0
      ? `It is an event of ${speakers.join(', ')}: add \`--as ${speakers[0]}\`, in code \`{ as: '${speakers[0]}', event }\`.`
      : nearest(name, EVENT_KINDS, 'Kinds');
  throw new HooklineError('unknown-event', `There is no event kind \`${name}\`.`, { hint });
}

/** The event's own name, also where it was called by another. */
export function nativeNamed(name: string, { id, aliases, profile }: Dialect): string {
  const own = Object.hasOwn(aliases, name) ? (aliases[name] as string) : name;
  if (Object.hasOwn(profile.events, own)) return own;
  const hint = nearest(name, Object.keys(profile.events), 'Its events');
  throw new HooklineError('unknown-event', `${id} has no event \`${name}\`.`, { hint });
}

function nearest(name: string, known: readonly string[], label: string): string {
  const near = suggest(name, known);
  return near === undefined ? `${label}: ${known.join(', ')}.` : `Did you mean \`${near}\`?`;
}

/** Turns what a caller fires, canonical or in a dialect's own words, into an event. Misuse is an error that says what to write. */

/** An event in the words of a dialect. */
export interface NativeEvent {
  /** The dialect. */
  readonly as: string;
  /** Its name for the event. */
  readonly event: string;
  readonly payload?: JsonObject;
}

export interface FireContext {
  readonly session?: string;
  /** Where the session works; hooks run there unless their format says otherwise. */
  readonly cwd?: string;
  /** If the action is held: wait so many milliseconds for somebody to settle it. */
  readonly wait?: number;
  /** Ends the hooks that still run; the action is then denied. */
  readonly signal?: AbortSignal;
  /** Set where a host is answered that fired this at its own hooks. */
  readonly host?: HostFiring;
}

export interface HostFiring {
  /** Formats whose hooks the host runs itself: they are not asked again. */
  readonly except: readonly string[];
  /** The host asks people itself: an `ask` stays one. */
  readonly asks: boolean;
  /** The environment of whoever called for the host; undefined: it is that of this process. */
  readonly environment?: Environment | undefined;
  /** The last word on what came of it, before it is written down. */
  review(outcome: Outcome): Outcome;
}

/** The session of those who name none. */
export const NAMELESS_SESSION = 'default';

export interface EventFactory {
  canonical(kind: string, payload: unknown, context: FireContext): HookEvent;
  native(fired: NativeEvent, context: FireContext): HookEvent;
}

export function createEventFactory(dialects: readonly Dialect[], cwd: string, clock: Clock, newId: () => string): EventFactory {
  const here = { id: NAMELESS_SESSION, cwd };
  const sessionOf = (context: FireContext): HookEvent['session'] =>
    context.session === undefined && context.cwd === undefined ? here : { id: context.session ?? here.id, cwd: context.cwd ?? cwd };
  return {
    canonical(kind, payload, context) {
      const known = isEventKind(kind) ? kind : kindNamed(kind, dialects);
      if (!isObject(payload)) throw badPayload(kind);
      return { id: newId(), kind: known, at: clock.iso(), session: sessionOf(context), data: payload };
    },
    native({ as, event: given, payload = {} }, context) {
      const dialect = dialectNamed(as, dialects);
      const name = nativeNamed(given, dialect);
      if (!isObject(payload)) throw badPayload(name);
      const decoded = dialect.wire.decodeEvent(name, payload);
      const session = {
        id: context.session ?? decoded.session ?? here.id,
        cwd: context.cwd ?? decoded.cwd ?? cwd,
      };
      const event: { -readonly [K in keyof HookEvent]: HookEvent[K] } = {
        id: newId(),
        kind: decoded.kind,
        at: decoded.at ?? clock.iso(),
        session,
        data: decoded.data,
        native: { dialect: dialect.id, name },
      };
      const toolAliases = context.host ? aliasesIn(decoded.data) : NONE;
      // Assigned, not spread: this is on the way of every event of a host.
      if (toolAliases.length > 0) event.toolAliases = toolAliases;
      return event;
    },
  };
}

/** A hook written for one agent names its tools as that agent does, and fires in all of them. */
function aliasesIn({ tool }: JsonObject): readonly string[] {
  return typeof tool === 'string' ? aliasesOf(tool) : NONE;
}

const NONE: readonly string[] = [];

/** What the engine is told of a firing. */
export function firingOf(context: FireContext): FireOptions {
  if (!context.host) return context;
  const { except, asks, environment, review } = context.host;
  // Functions are the caller's own, in whatever format.
  const isExcepted: FireOptions['except'] = ({ dialect, run }) => run === undefined && except.includes(dialect);
  return { signal: context.signal, except: isExcepted, asks, environment, review };
}

function badPayload(name: string): HooklineError {
  return new HooklineError('bad-payload', `The payload of ${name} must be a JSON object.`, {
    hint: 'Give an object, {} if there is nothing to say.',
  });
}
