/** Looks up dialects, kinds and native events by the name a caller gave; what is unknown is an error with the nearest known name. */
import type { Dialect } from '../core/dialect.ts';
import { HooklineError } from '../core/errors.ts';
import { EVENT_KINDS, type EventKind, isEventKind } from '../core/event.ts';
import { suggest } from '../core/suggest.ts';

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
