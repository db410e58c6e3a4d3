/**
 * Reads a host's call: the caller, the native events, and the events themselves, decoded once. Several agents also run the hooks they find in
 * another agent's files. So the name in an entry is the host for which it was written, which need not be the host that reads the answer. The
 * payload identifies the caller. The environment does too, with less weight, because a child process inherits it.
 */

import type { Host } from '../../core/contracts/host.ts';
import type { HookEvent } from '../../core/event/event.ts';
import { type EventRule, isBlockingEvent } from '../../core/meaning/profile.ts';
import type { Environment } from '../../core/values/environment.ts';
import { isObject, type JsonObject, textOf } from '../../core/values/json.ts';
import { suggest } from '../../core/values/suggest.ts';

/** Returns the entry's own host, unless another one has a higher score. */
export function identifyCaller(entry: Host, payload: JsonObject, environment: Environment, hosts: readonly Host[]): Host {
  let caller = entry;
  let best = score(entry, payload, environment);
  for (const host of hosts) {
    const found = host === entry ? 0 : score(host, payload, environment);
    if (found > best) [caller, best] = [host, found];
  }
  return caller;
}

const IN_PAYLOAD = 2;
const IN_ENVIRONMENT = 1;

function score({ identifiedBy }: Host, payload: JsonObject, environment: Environment): number {
  const inPayload = identifiedBy.payload.some((key) => Object.hasOwn(payload, key)) ? IN_PAYLOAD : 0;
  const inEnvironment = identifiedBy.env.some((name) => (environment[name] ?? '') !== '') ? IN_ENVIRONMENT : 0;
  return inPayload + inEnvironment;
}

/** A call whose caller and events are known. */
export interface IdentifiedCall {
  /** The host that calls and reads the answer. */
  readonly host: Host;
  /** The host for which the entry was written. */
  readonly entry: Host;
  /** Native names of the events that the call stands for. */
  readonly names: readonly string[];
  /** The first of them: the event on which the host is answered. */
  readonly answeredOn: string;
  readonly rule: EventRule;
  readonly payload: JsonObject;
}

/** The same, with its events decoded. */
export interface HostCall extends IdentifiedCall {
  /** The event on which the host is answered: the first of `events`. */
  readonly event: HookEvent;
  readonly events: readonly HookEvent[];
}

/** Why a call cannot be judged. */
export type CallProblem =
  | { readonly problem: 'unknown-host'; readonly message: string; readonly mayDeny: boolean }
  | { readonly problem: 'unreadable'; readonly host: Host; readonly event: string | undefined; readonly reason: string }
  | { readonly problem: 'unknown-event'; readonly host: Host; readonly message: string };

/** Turns a native payload into an event. */
export type ReceiveEvent = (host: Pick<Host, 'dialect' | 'mcpTools'>, name: string, payload: JsonObject) => HookEvent;

/** Reads a call as it came, or already parsed. `asked` is the event that the entry names. */
export function readHostCall(
  hostId: string,
  text: string | JsonObject,
  asked: string | undefined,
  environment: Environment,
  hosts: readonly Host[],
  receive: ReceiveEvent,
): HostCall | CallProblem {
  const call = identifyCall(hostId, text, asked, environment, hosts);
  if ('problem' in call) return call;
  const events = call.names.map((name) => receive(call.host, name, call.payload));
  return { ...call, event: events[0] as HookEvent, events };
}

/** Finds the caller and its events without decoding them, because a failure must be answered even if the payload is its cause. */
export function identifyCall(
  hostId: string,
  text: string | JsonObject,
  asked: string | undefined,
  environment: Environment,
  hosts: readonly Host[],
): IdentifiedCall | CallProblem {
  const payload = typeof text === 'string' ? parsed(text) : text;
  const entry = hosts.find(({ id }) => id === hostId);
  if (!entry) return unknownHost(hostId, payload, asked, hosts);
  if (typeof payload === 'string') return unreadable(entry, asked, `The event could not be read: ${payload}.`);
  const host = identifyCaller(entry, payload, environment, hosts);
  // An event that the entry names is a name of the host for which it was written.
  const named = host === entry ? asked : undefined;
  const found = host.eventsOf(payload, named);
  if (typeof found === 'string') return unreadable(host, named, found);
  const names = found.filter((event) => Object.hasOwn(host.dialect.profile.events, event));
  const [answeredOn] = names;
  const rule = answeredOn === undefined ? undefined : host.dialect.profile.events[answeredOn];
  if (answeredOn === undefined || !rule) return unknownEvent(host, found);
  return { host, entry, names, answeredOn, rule, payload };
}

function unknownHost(id: string, payload: JsonObject | string, asked: string | undefined, hosts: readonly Host[]): CallProblem {
  const near = suggest(
    id,
    hosts.map((host) => host.id),
  );
  const hint = near === undefined ? `Hosts: ${hosts.map((host) => host.id).join(', ')}.` : `Did you mean \`hookline hook ${near}\`?`;
  const name = asked ?? (typeof payload === 'string' ? undefined : nameIn(payload, hosts));
  return { problem: 'unknown-host', message: `There is no host \`${id}\`. ${hint}`, mayDeny: mayDeny(name, hosts) };
}

function nameIn(payload: JsonObject, hosts: readonly Host[]): string | undefined {
  return hosts.map(({ eventKey }) => (eventKey === null ? undefined : textOf(payload[eventKey]))).find((name) => name !== undefined);
}

/** False if the payload names an event on which a deny blocks nothing in any host that has it. */
function mayDeny(name: string | undefined, hosts: readonly Host[]): boolean {
  const rules = hosts.flatMap(({ dialect: { profile } }) =>
    name !== undefined && Object.hasOwn(profile.events, name) ? [profile.events[name]] : [],
  );
  if (rules.length === 0) return true;
  return rules.some((rule) => rule && isBlockingEvent(rule));
}

function unreadable(host: Host, event: string | undefined, why: string): CallProblem {
  return { problem: 'unreadable', host, event, reason: `Hookline could not judge this. ${why}` };
}

/** An event of a newer version of the host, for which no hook can exist yet. */
function unknownEvent(host: Host, events: readonly string[]): CallProblem {
  const names = events.length === 0 ? 'This event' : events.join(', ');
  return {
    problem: 'unknown-event',
    host,
    message: `${names} is not an event of ${host.title} that Hookline knows, so no hook was asked.`,
  };
}

/** Returns the payload, or a clause that says what is wrong with it. */
function parsed(text: string): JsonObject | string {
  if (text.trim() === '') return 'stdin is empty';
  try {
    const value: unknown = JSON.parse(text.startsWith('\ufeff') ? text.slice(1) : text);
    return isObject(value) ? value : 'it is not a JSON object';
  } catch {
    return 'it is not JSON';
  }
}
