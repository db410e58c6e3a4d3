/**
 * Which host really calls. Several agents also run the hooks they find in another agent's files, so the name in an entry says for whom it was
 * written, not who reads the answer: that shows in the payload, and less surely in the environment, which a child inherits.
 */

import type { Host } from '../../core/contracts/host.ts';
import type { Environment } from '../../core/values/environment.ts';
import { isObject, type JsonObject, textOf } from '../../core/values/json.ts';
import { suggest } from '../../core/values/suggest.ts';
import { type HostWords, noOpinion, protects, refusal, withLines } from '../answer/encode.ts';

/** The entry's own host, unless another one shows by more. */
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
  const said = identifiedBy.payload.some((key) => Object.hasOwn(payload, key)) ? IN_PAYLOAD : 0;
  const set = identifiedBy.env.some((name) => (environment[name] ?? '') !== '') ? IN_ENVIRONMENT : 0;
  return said + set;
}

/** What a host says on stdin, understood: who calls, which of its events it is, and the payload; or what it is told where that can't be. */

export interface HostCall {
  /** Who calls, and reads the answer. */
  readonly host: Host;
  /** For whom the entry was written. */
  readonly entry: Host;
  /** In the host's own names; the first is the one it is answered on. */
  readonly events: readonly string[];
  readonly payload: JsonObject;
}

export function readHostCall(
  hostId: string,
  text: string | JsonObject,
  asked: string | undefined,
  environment: Environment,
  hosts: readonly Host[],
): HostCall | { readonly words: HostWords } {
  const payload = typeof text === 'string' ? parsed(text) : text;
  const entry = hosts.find(({ id }) => id === hostId);
  if (!entry) return { words: unknownHost(hostId, payload, asked, hosts) };
  if (typeof payload === 'string') return { words: unreadable(entry, asked, `The event could not be read: ${payload}.`) };
  const host = identifyCaller(entry, payload, environment, hosts);
  // An event that the entry names is a word of the host for which it was written.
  const events = host.eventsOf(payload, host === entry ? asked : undefined);
  if (typeof events === 'string') return { words: unreadable(host, host === entry ? asked : undefined, events) };
  const known = events.filter((event) => Object.hasOwn(host.dialect.profile.events, event));
  if (known.length === 0) return { words: unheardOf(host, events) };
  return { host, entry, events: known, payload };
}

/**
 * Nobody knows how to say no to a host that does not exist. Exit code 2 does nearly everywhere, so it is that, unless the payload names an
 * event that no host lets deny, or that a deny would only prolong.
 */
function unknownHost(id: string, payload: JsonObject | string, asked: string | undefined, hosts: readonly Host[]): HostWords {
  const near = suggest(
    id,
    hosts.map((host) => host.id),
  );
  const hint = near === undefined ? `Hosts: ${hosts.map((host) => host.id).join(', ')}.` : `Did you mean \`hookline hook ${near}\`?`;
  const name = asked ?? (typeof payload === 'string' ? undefined : nameIn(payload, hosts));
  return { stdout: '', stderr: `hookline: There is no host \`${id}\`. ${hint}\n`, exit: mayDeny(name, hosts) ? BLOCKED : USAGE };
}

const BLOCKED = 2;
const USAGE = 64;

function nameIn(payload: JsonObject, hosts: readonly Host[]): string | undefined {
  return hosts.map(({ eventKey }) => (eventKey === null ? undefined : textOf(payload[eventKey]))).find((name) => name !== undefined);
}

function mayDeny(name: string | undefined, hosts: readonly Host[]): boolean {
  const rules = hosts.flatMap(({ dialect: { profile } }) =>
    name !== undefined && Object.hasOwn(profile.events, name) ? [profile.events[name]] : [],
  );
  if (rules.length === 0) return true;
  return rules.some((rule) => rule && protects(rule));
}

/** What can't be read is refused, unless it is known to be about something that can't be. */
function unreadable(host: Host, asked: string | undefined, why: string): HostWords {
  const reason = `Hookline could not judge this. ${why}`;
  const rule = asked === undefined ? undefined : host.dialect.profile.events[asked];
  if (!rule) return refusal(host, undefined, reason);
  return protects(rule) ? refusal(host, asked, reason) : withLines(host, asked ?? '', noOpinion(host, asked), [reason]);
}

/** An event of a newer version: no hook could be written for it. */
function unheardOf(host: Host, events: readonly string[]): HostWords {
  const names = events.length === 0 ? 'This event' : events.join(', ');
  return {
    ...noOpinion(host, undefined),
    stderr: `hookline: ${names} is no event of ${host.title} that Hookline knows; no hook was asked.\n`,
  };
}

/** The payload, or what is wrong with it. */
function parsed(text: string): JsonObject | string {
  if (text.trim() === '') return 'nothing came on stdin';
  try {
    const value: unknown = JSON.parse(text.startsWith('\ufeff') ? text.slice(1) : text);
    return isObject(value) ? value : 'it is no JSON object';
  } catch {
    return 'it is not JSON';
  }
}
