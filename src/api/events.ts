/** Turns what a caller fires, canonical or in a dialect's own words, into an event. Misuse is an error that says what to write. */
import type { Dialect } from '../core/dialect.ts';
import { HooklineError } from '../core/errors.ts';
import { EVENT_KINDS, type EventKind, type HookEvent, isEventKind } from '../core/event.ts';
import { isObject, type JsonObject } from '../core/json.ts';
import { suggest } from '../core/suggest.ts';
import type { Clock } from '../engine/ports.ts';

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
  /** Ends the hooks that still run; the action is then denied. */
  readonly signal?: AbortSignal;
}

export interface EventFactory {
  canonical(kind: string, payload: unknown, context: FireContext): HookEvent;
  native(fired: NativeEvent, context: FireContext): HookEvent;
}

export function createEventFactory(dialects: readonly Dialect[], cwd: string, clock: Clock, newId: () => string): EventFactory {
  const here = { id: 'default', cwd };
  const sessionOf = (context: FireContext): HookEvent['session'] =>
    context.session === undefined && context.cwd === undefined ? here : { id: context.session ?? here.id, cwd: context.cwd ?? cwd };
  return {
    canonical(kind, payload, context) {
      if (!isEventKind(kind)) throw unknownKind(kind);
      if (!isObject(payload)) throw badPayload(kind);
      return { id: newId(), kind, at: clock.iso(), session: sessionOf(context), data: payload };
    },
    native({ as, event: given, payload = {} }, context) {
      const dialect = dialects.find(({ id }) => id === as);
      if (!dialect) throw unknownDialect(as, dialects);
      const name = Object.hasOwn(dialect.aliases, given) ? (dialect.aliases[given] as string) : given;
      if (!Object.hasOwn(dialect.profile.events, name)) throw unknownNative(given, dialect);
      if (!isObject(payload)) throw badPayload(name);
      const decoded = dialect.wire.decodeEvent(name, payload);
      const session = {
        id: context.session ?? decoded.session ?? here.id,
        cwd: context.cwd ?? decoded.cwd ?? cwd,
      };
      return {
        id: newId(),
        kind: decoded.kind,
        at: decoded.at ?? clock.iso(),
        session,
        data: decoded.data,
        native: { dialect: dialect.id, name },
      };
    },
  };
}

function unknownKind(kind: string): HooklineError {
  const near = suggest(String(kind), EVENT_KINDS as readonly EventKind[]);
  const hint = near ? `Did you mean \`${near}\`?` : `Kinds: ${EVENT_KINDS.join(', ')}.`;
  return new HooklineError('unknown-event', `There is no event kind \`${kind}\`.`, { hint });
}

function unknownNative(name: string, dialect: Dialect): HooklineError {
  const known = Object.keys(dialect.profile.events);
  const near = suggest(name, known);
  const hint = near ? `Did you mean \`${near}\`?` : `Its events: ${known.join(', ')}.`;
  return new HooklineError('unknown-event', `${dialect.id} has no event \`${name}\`.`, { hint });
}

function unknownDialect(as: string, dialects: readonly Dialect[]): HooklineError {
  const known = dialects.map(({ id }) => id);
  const near = suggest(as, known);
  const hint = near ? `Did you mean \`${near}\`?` : `Dialects: ${known.join(', ')}.`;
  return new HooklineError('unknown-dialect', `There is no dialect \`${as}\`.`, { hint });
}

function badPayload(name: string): HooklineError {
  return new HooklineError('bad-payload', `The payload of ${name} must be a JSON object.`, {
    hint: 'Give an object, {} if there is nothing to say.',
  });
}
