/** The names of a format's events: tests for them, and ways in which a host's payload gives them. */
import type { AskedAhead, Host } from '../../core/contracts/host.ts';
import { isObject, type JsonObject, textOf } from '../../core/values/json.ts';

/** Returns a test for the names of these events. */
export function nameTest<E extends string>(events: Readonly<Record<E, unknown>>): (name: string) => name is E {
  return (name): name is E => Object.hasOwn(events, name);
}

/**
 * Reads the event's name under `key`. If there is none, or none that Hookline knows, takes the one that the entry names. An event that Hookline
 * does not know is returned too: it belongs to a newer version of the agent, for which no hook could be written.
 */
export function eventNamedBy(key: string, events: Events): Host['eventsOf'] {
  return (payload, asked) => {
    const name = nameIn(payload, key, asked, events);
    return name === undefined ? noName(key) : [name];
  };
}

/** As `eventNamedBy`, but an unknown event is a problem. */
export function knownEventNamedBy(key: string, events: Events, title: string): Host['eventsOf'] {
  return (payload, asked) => {
    const name = nameIn(payload, key, asked, events);
    if (name !== undefined && Object.hasOwn(events, name)) return [name];
    return name === undefined ? noName(key) : unknownEvent(title, name);
  };
}

/** Returns the first of these names that is an event, else the first name. */
export function firstKnown(names: readonly (string | undefined)[], events: Events): string | undefined {
  const given = names.filter((name) => name !== undefined);
  return given.find((name) => Object.hasOwn(events, name)) ?? given[0];
}

/** The call of a tool that starts a subagent, and the event of its start. */
export interface SubagentCall {
  readonly on: string;
  readonly event: string;
  readonly tools: readonly string[];
  /** The key of the tool's input that has the type of the subagent. */
  readonly typeIn: string;
  /** The type if the input has none; absent: unknown. */
  readonly otherwise?: string;
  /** The key of the type in the payload of the event. */
  readonly typeKey: string;
  /** The keys of the tool and of its input in the payload of the call. */
  readonly toolKeys?: readonly [tool: string, input: string];
}

/** Asks the hooks on the start of a subagent when the tool is called that starts it, because the start itself cannot be denied. */
export function subagentAhead({ on, event, tools, typeIn, otherwise, typeKey, toolKeys = TOOL_KEYS }: SubagentCall): AskedAhead {
  const [toolKey, inputKey] = toolKeys;
  return {
    on,
    event,
    calls: `a call of ${tools.map((tool) => `\`${tool}\``).join(' or ')}`,
    // In the call these keys are those of the agent that calls.
    payloadOf({ [toolKey]: tool, [inputKey]: input, [typeKey]: _type, agent_id: _id, agentId: _agentId, ...rest }) {
      if (!tools.includes(textOf(tool) ?? '')) return undefined;
      const type = (isObject(input) ? textOf(input[typeIn]) : undefined) ?? otherwise;
      return { ...rest, ...(type !== undefined && { [typeKey]: type }) };
    },
  };
}

const TOOL_KEYS = ['tool_name', 'tool_input'] as const;

export function unknownEvent(title: string, name: string): string {
  return `${title} has no event \`${name}\` that Hookline knows.`;
}

type Events = Readonly<Record<string, unknown>>;

function nameIn(payload: JsonObject, key: string, asked: string | undefined, events: Events): string | undefined {
  return firstKnown([textOf(payload[key]), asked], events);
}

function noName(key: string): string {
  return `The payload has no \`${key}\`.`;
}
