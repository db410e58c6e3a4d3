/** Events of other agents that a host's hooks never get, or get and cannot stop: derived from the profiles of all hosts. */

import type { Host } from '../../core/contracts/host.ts';
import type { Blind } from '../../core/contracts/host-limits.ts';
import { EVENT_KINDS, type EventKind } from '../../core/event/event.ts';
import { type EventRule, isBlockingEvent, isGating, type Profile } from '../../core/meaning/profile.ts';

export interface Coverage {
  /** Kinds of events that other agents have, and this one does not. */
  readonly noEvent: readonly EventKind[];
  /** Kinds of events that no hook can deny there, although other agents permit it. */
  readonly onlyTold: readonly EventKind[];
  /** Kinds of events that no hook can deny there, with the calls on which Hookline asks their hooks earlier and can deny. */
  readonly deniedEarlier: readonly DeniedEarlier[];
  /** Events that only a whole answer denies, by native name: if Hookline's program cannot start, its exit code is not enough. */
  readonly byReplyOnly: readonly string[];
  /** Events that it has and an installation leaves alone, by native name. */
  readonly leftOut: readonly string[];
  readonly blind: readonly Blind[];
}

export interface DeniedEarlier {
  readonly kind: EventKind;
  readonly calls: string;
}

export function coverageOf({ dialect, entry, asksAhead }: Host, hosts: readonly Host[], blind: readonly Blind[]): Coverage {
  const all = hosts.flatMap((host) => rulesOf(host));
  const own = Object.values<EventRule>(dialect.profile.events);
  const isTold = (rules: readonly EventRule[], kind: EventKind) => rules.some(({ kinds }) => kinds.includes(kind));
  const isDeniable = (rules: readonly EventRule[], kind: EventKind) => rules.some((rule) => rule.kinds.includes(kind) && isGating(rule));
  const deniedEarlier = asksAhead.flatMap(({ event, calls }) => {
    const kinds: readonly EventKind[] = dialect.profile.events[event]?.kinds ?? [];
    return kinds.map((kind) => ({ kind, calls }));
  });
  const isEarlier = (kind: EventKind): boolean => deniedEarlier.some((one) => one.kind === kind);
  return {
    noEvent: EVENT_KINDS.filter((kind) => isTold(all, kind) && !isTold(own, kind)),
    onlyTold: EVENT_KINDS.filter((kind) => isTold(own, kind) && isDeniable(all, kind) && !isDeniable(own, kind) && !isEarlier(kind)),
    deniedEarlier,
    byReplyOnly: entry.events.filter((event) => needsReply(dialect.profile.events[event], dialect.profile)),
    leftOut: leftOut(Object.keys(dialect.profile.events), entry.events),
    blind,
  };
}

function rulesOf({ dialect }: Host): readonly EventRule[] {
  return Object.values<EventRule>(dialect.profile.events);
}

/** Whether the event can be blocked, and the exit code for that is only a warning there. */
function needsReply(rule: EventRule | undefined, { read }: Profile): boolean {
  if (!rule || !isBlockingEvent(rule)) return false;
  const row = (rule.read?.exit ?? read.exit).find(({ exit }) => exit === 'other' || exit.includes(BLOCKED));
  const means = row?.means;
  if (means?.say !== 'parse') return means?.say !== 'deny';
  return !(typeof means.notJson === 'object' && 'means' in means.notJson && means.notJson.means.say === 'deny');
}

/** The exit code that means "blocked" nearly everywhere. */
const BLOCKED = 2;

/** One that is told in another spelling as well is not left out. */
function leftOut(all: readonly string[], installed: readonly string[]): readonly string[] {
  const told = new Set(installed.map((event) => event.toLowerCase()));
  return all.filter((event) => !told.has(event.toLowerCase()));
}
