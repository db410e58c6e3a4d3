/**
 * Which events an agent may put to an address itself. It takes a failed request for consent, so an event that can be denied is put there only
 * where the agent has words in JSON for a deny, and blocks while nobody answers; else it stays a command, which does without the server.
 */
import type { Host } from '../core/host.ts';
import { refusal } from '../core/host-words.ts';
import { isObject, type JsonObject } from '../core/json.ts';
import { isGating } from '../core/profile.ts';
import type { Reach } from './entry-line.ts';

/** How this event reaches us. */
export function reachFor(host: Host, event: string, reach: Reach): Reach {
  if (reach.via === 'command' || mayAskAddress(host, event, reach.failOpen)) return reach;
  return { via: 'command', program: reach.program };
}

/** The events of an installation that can be denied and may be put to an address. */
export function gatesOverHttp(host: Host, failOpen: boolean): readonly string[] {
  return host.entry.events.filter((event) => gates(host, event) && mayAskAddress(host, event, failOpen));
}

/** The same entry for a host that asks an address itself: where it would start our line, it asks it. */
export function asHttp(value: unknown, line: string, headers: Readonly<Record<string, string>>): unknown {
  if (Array.isArray(value)) return value.map((item) => asHttp(item, line, headers));
  if (!isObject(value)) return value;
  if (value['command'] !== line) return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, asHttp(item, line, headers)]));
  const { type: _, command: __, ...rest } = value as JsonObject;
  return { type: 'http', url: line, headers, ...rest };
}

function mayAskAddress(host: Host, event: string, failOpen: boolean): boolean {
  const { http } = host.entry;
  if (http === false || http.never?.includes(event)) return false;
  return !gates(host, event) || (deniesInJson(host, event) && (failOpen || http.blocksWhenDead(event)));
}

function gates(host: Host, event: string): boolean {
  const rule = host.speaks.profile.events[event];
  return rule !== undefined && isGating(rule);
}

function deniesInJson(host: Host, event: string): boolean {
  const { exit, stdout } = refusal(host, event, 'no');
  return exit === 0 && stdout.startsWith('{');
}
