/** Finds the caller of `hookline guard` and the event. Loads the facts about every agent, so it is imported only where they matter. */
import { OTHER_PRODUCTS } from '../../agents/kit/other-products.ts';
import { DIALECTS, HOSTS } from '../../builtins.ts';
import type { Host } from '../../core/contracts/host.ts';
import { readNesting } from '../../core/contracts/nesting.ts';
import type { Environment } from '../../core/values/environment.ts';
import { type JsonObject, textOf } from '../../core/values/json.ts';
import { weighSigns } from '../../engine/receive/host-call.ts';
import { createAttendance } from '../../people/attendance.ts';

/** Agents come first: their keys are the least likely to mean anything else. */
const EVENT_KEYS: readonly (string | null)[] = [
  ...[...HOSTS, ...OTHER_PRODUCTS].map(({ eventKey }) => eventKey),
  ...DIALECTS.map(({ wire }) => wire.eventKey),
];

/** Returns the name that the payload gives its event, in any format. */
export function eventNameIn(payload: JsonObject): string | undefined {
  return EVENT_KEYS.map((key) => (key === null ? undefined : textOf(payload[key]))).find((name) => name !== undefined);
}

/** How an agent asks a person: it needs this reply for it, or it is about to ask anyway. Undefined if no person would be asked. */
export function waysToAsk(payload: JsonObject, reply: JsonObject, environment: Environment): 'reply' | 'already' | undefined {
  const event = eventNameIn(payload);
  const entry = event === undefined ? undefined : HOSTS.find((host) => isEventOf(host, event, payload));
  if (event === undefined || !entry) return undefined;
  const host = shownCaller(entry, payload, environment);
  const { asksPeople, dialect } = host;
  if (!asksPeople.includes(event)) return undefined;
  // A hook below Hookline asks Hookline, which opens a ticket where no person is.
  if (readNesting(environment).depth === 0 && !createAttendance()(host, payload, environment, process.ppid)) return undefined;
  if (dialect.profile.events[event]?.kinds.includes('permission.request')) return 'already';
  const { kind, data } = dialect.wire.decodeEvent(event, payload);
  const verdict = dialect.wire.decodeReply(reply, event, { id: '', kind, at: '', session: { id: '', cwd: '' }, data });
  return typeof verdict !== 'string' && verdict.decision.kind === 'ask' ? 'reply' : undefined;
}

/** No entry names the caller of a guard, so the signs of all hosts count. */
function shownCaller(first: Host, payload: JsonObject, environment: Environment): Host {
  const weight = (host: Host): number => weighSigns(host, payload, environment);
  return HOSTS.reduce((best, host) => (weight(host) > weight(best) ? host : best), first);
}

function isEventOf({ eventKey, dialect }: Host, event: string, payload: JsonObject): boolean {
  return eventKey !== null && payload[eventKey] === event && Object.hasOwn(dialect.profile.events, event);
}
