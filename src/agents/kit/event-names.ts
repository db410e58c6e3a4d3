/** The names of a format's events: tests for them, and ways in which a host's payload gives them. */
import type { Host } from '../../core/contracts/host.ts';
import { type JsonObject, textOf } from '../../core/values/json.ts';

/** Returns a test for the names of these events. */
export function nameTest<E extends string>(events: Readonly<Record<E, unknown>>): (name: string) => name is E {
  return (name): name is E => Object.hasOwn(events, name);
}

/**
 * Reads the event's name under `key`, else takes the one that the entry names. An event that Hookline does not know is returned too: it belongs
 * to a newer version of the agent, for which no hook could be written.
 */
export function eventNamedBy(key: string): Host['eventsOf'] {
  return (payload, asked) => {
    const name = nameIn(payload, key, asked);
    return name === undefined ? noName(key) : [name];
  };
}

/** As `eventNamedBy`, but an unknown event is a problem. */
export function knownEventNamedBy(key: string, events: Readonly<Record<string, unknown>>, title: string): Host['eventsOf'] {
  return (payload, asked) => {
    const name = nameIn(payload, key, asked);
    if (name !== undefined && Object.hasOwn(events, name)) return [name];
    return name === undefined ? noName(key) : unknownEvent(title, name);
  };
}

export function unknownEvent(title: string, name: string): string {
  return `${title} has no event \`${name}\` that Hookline knows.`;
}

function nameIn(payload: JsonObject, key: string, asked: string | undefined): string | undefined {
  return textOf(payload[key]) ?? asked;
}

function noName(key: string): string {
  return `The payload has no \`${key}\`.`;
}
