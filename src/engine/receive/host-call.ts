/**
 * Reads a host's call: the caller, the native events, and the events themselves, decoded once. The entry names the caller. Only a host that
 * also reads the entry's file can be another caller, and its signs show whether it is one. Where they leave a doubt, the call keeps every host
 * that may be calling, so that the answer holds in all of them.
 */

import type { Host } from '../../core/contracts/host.ts';
import type { HookEvent } from '../../core/event/event.ts';
import { type EventRule, isBlockingEvent } from '../../core/meaning/profile.ts';
import type { Caller } from '../../core/record/who.ts';
import type { Environment } from '../../core/values/environment.ts';
import { isObject, type JsonObject, ownValue, textOf } from '../../core/values/json.ts';
import { alike } from '../../core/values/suggest.ts';

/** How strongly a payload and an environment show a host: a key of the payload outweighs a variable, which a child process inherits. */
export function weighSigns({ signs }: Host, payload: JsonObject, environment: Environment): number {
  const inPayload = signs.payload.some((key) => Object.hasOwn(payload, key)) ? IN_PAYLOAD : 0;
  const inEnvironment = signs.env.some((name) => (environment[name] ?? '') !== '') ? IN_ENVIRONMENT : 0;
  return inPayload + inEnvironment;
}

const IN_PAYLOAD = 2;
const IN_ENVIRONMENT = 1;

/** A call as one host means it. */
export interface Reading {
  /** The host that reads the answer. */
  readonly host: Host;
  /** Native names of the events that the call stands for. */
  readonly names: readonly string[];
  /** The first of them: the event on which the host is answered. */
  readonly answeredOn: string;
  readonly rule: EventRule;
}

/** A call whose caller and events are known. */
export interface IdentifiedCall extends Reading {
  /** The host for which the entry was written. */
  readonly entry: Host;
  /** Other hosts that share the entry's file and may be calling as well. The answer must not be weaker in them. */
  readonly others: readonly Reading[];
  readonly payload: JsonObject;
}

/** The same, with its events decoded. */
export interface HostCall extends IdentifiedCall {
  /** The event on which the host is answered: the first of `events`. */
  readonly event: HookEvent;
  readonly events: readonly HookEvent[];
  /** The number of events that the call reports. The events after them come later in the agent, so only the decision of their hooks counts here. */
  readonly standsFor: number;
}

/** Why a call cannot be judged. */
export type CallProblem =
  | { readonly problem: 'unknown-host'; readonly message: string; readonly mayDeny: boolean }
  | {
      readonly problem: 'unreadable';
      readonly host: Host;
      readonly event: string | undefined;
      readonly others: readonly Reading[];
      readonly reason: string;
    }
  | { readonly problem: 'unknown-event'; readonly host: Host; readonly message: string };

/** Turns a native payload into an event. */
export type ReceiveEvent = (host: Pick<Host, 'dialect' | 'mcpTools'>, name: string, payload: JsonObject, caller?: Caller) => HookEvent;

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
  const { host, names, answeredOn } = decoderOf(call);
  const caller = callerOf(call.host, call.payload, environment);
  const events = names.map((name) => receive(host, name, call.payload, caller));
  for (const ahead of host.asksAhead) {
    const later = ahead.on === answeredOn ? ahead.payloadOf(call.payload) : undefined;
    if (later) events.push(aheadOf(receive(host, ahead.event, later, caller), host));
  }
  // Without a spread, because this runs for every event.
  return {
    host: call.host,
    names: call.names,
    answeredOn: call.answeredOn,
    rule: call.rule,
    entry: call.entry,
    others: call.others,
    payload: call.payload,
    event: events[0] as HookEvent,
    events,
    standsFor: names.length,
  };
}

/** The agent that calls now starts the other one later: the subagent that the host names, or else the session's own agent. */
function aheadOf(event: HookEvent, { tells }: Host): HookEvent {
  if (tells.agent.length === 0) return { ...event, ahead: true };
  return { ...event, ahead: true, caller: Object.freeze({ ...event.caller, parent: event.caller?.agent ?? event.session.id }) };
}

/** Returns what a call says of its caller. The texts come from outside, so each is kept on one line and short. */
export function callerOf({ id, tells }: Pick<Host, 'id' | 'tells'>, payload: JsonObject, environment: Environment): Caller {
  const { version, agent, parent } = tells;
  const caller: { -readonly [K in keyof Caller]: Caller[K] } = { host: id };
  const said = version && (textOf(payload[version.key ?? '']) ?? environment[version.variable ?? '']);
  const hostVersion = said && short(version.pattern ? version.pattern.exec(said)?.[1]?.replaceAll('-', '.') : said);
  if (hostVersion) caller.hostVersion = hostVersion;
  const acting = short(firstText(payload, agent));
  if (acting) caller.agent = acting;
  const above = short(firstText(payload, parent));
  if (above) caller.parent = above;
  return caller;
}

function firstText(payload: JsonObject, keys: readonly string[]): string | undefined {
  const key = keys.find((name) => textOf(payload[name]));
  return key === undefined ? undefined : textOf(payload[key]);
}

const LONGEST = 100;

function short(text: string | undefined): string | undefined {
  return text
    ?.slice(0, LONGEST)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
}

/**
 * Returns the reading that decodes the events. In doubt it is the one that understands most keys of the payload, and not the one that a sign
 * shows: hooks must not judge less of a call because of a sign.
 */
function decoderOf(call: IdentifiedCall): Reading {
  const { entry, others, payload } = call;
  if (others.length === 0) return call;
  const unread = ({ host, answeredOn }: Reading): number => {
    const { metadata } = host.dialect.wire.decodeEvent(answeredOn, payload).data;
    return isObject(metadata) ? Object.keys(metadata).length : 0;
  };
  const all = [...others, call].sort((one, other) => Number(other.host === entry) - Number(one.host === entry));
  return all.reduce((best, one) => (unread(one) < unread(best) ? one : best));
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
  if (typeof payload === 'string') return unreadable(entry, asked, `The event could not be read: ${payload}.`, environment, hosts);
  const own = readAs(entry, payload, asked);
  // An event that the entry names is a name of the host for which it was written.
  const shared = sharing(entry, payload, environment, hosts).map((host) => readAs(host, payload, undefined));
  if (shared.length === 0 && 'reading' in own) return alone(own.reading, entry, payload);
  const [first, ...more] = [own, ...shared].flatMap((one) => ('reading' in one ? [one.reading] : []));
  if (!first)
    return 'why' in own ? unreadable(entry, asked, own.why, environment, hosts) : unknownEvent(entry, 'found' in own ? own.found : []);
  const caller = more.reduce((best, one) => (weigh(one) > weigh(best) ? one : best), first);
  const others = isCertain(caller.host, entry, payload) ? [] : [first, ...more].filter((one) => one !== caller);
  const { host, names, answeredOn, rule } = caller;
  return { host, names, answeredOn, rule, entry, others, payload };

  function weigh({ host }: Reading): number {
    return weighSigns(host, payload as JsonObject, environment);
  }
}

/** Most calls mean something to their entry's host alone. */
function alone({ host, names, answeredOn, rule }: Reading, entry: Host, payload: JsonObject): IdentifiedCall {
  return { host, names, answeredOn, rule, entry, others: NO_OTHERS, payload };
}

const NO_OTHERS: readonly Reading[] = [];

/** Returns the hosts that also read the entry's file, and that the payload or the environment shows. */
function sharing(entry: Host, payload: JsonObject, environment: Environment, hosts: readonly Host[]): readonly Host[] {
  return hosts.filter(
    (host) => host.alsoReads.some((files) => files.host === entry.id) && host !== entry && weighSigns(host, payload, environment) > 0,
  );
}

type ReadAs = { readonly reading: Reading } | { readonly found: readonly string[] } | { readonly why: string };

/** Returns the call as this host means it, the names of events that it does not have, or a sentence that says why it means nothing. */
function readAs(host: Host, payload: JsonObject, asked: string | undefined): ReadAs {
  const found = host.eventsOf(payload, asked);
  if (typeof found === 'string') return { why: found };
  const names = found.filter((event) => ownValue(host.dialect.profile.events, event) !== undefined);
  const [answeredOn] = names;
  const rule = ownValue(host.dialect.profile.events, answeredOn);
  return answeredOn === undefined || !rule ? { found } : { reading: { host, names, answeredOn, rule } };
}

/** Whether the payload names an event that the caller has and the entry's host does not have. Signs alone leave a doubt. */
function isCertain(caller: Host, entry: Host, payload: JsonObject): boolean {
  if (caller === entry) return false;
  const name = caller.eventKey === null ? undefined : textOf(payload[caller.eventKey]);
  return ownValue(caller.dialect.profile.events, name) !== undefined && ownValue(entry.dialect.profile.events, name) === undefined;
}

function unknownHost(id: string, payload: JsonObject | string, asked: string | undefined, hosts: readonly Host[]): CallProblem {
  const [near] = alike(
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

/** `asked` is the event that the entry names. Of a payload that cannot be read only the environment shows the caller. */
function unreadable(entry: Host, asked: string | undefined, why: string, environment: Environment, hosts: readonly Host[]): CallProblem {
  const event = ownValue(entry.dialect.profile.events, asked) === undefined ? undefined : asked;
  const others = sharing(entry, {}, environment, hosts).flatMap((host): Reading[] => {
    const rule = ownValue(host.dialect.profile.events, event);
    return event === undefined || !rule ? [] : [{ host, names: [event], answeredOn: event, rule }];
  });
  return { problem: 'unreadable', host: entry, event, others, reason: `Hookline could not judge this. ${why}` };
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
