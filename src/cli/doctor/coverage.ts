/** Events of other agents that a host's hooks never get, or get and cannot stop: derived from the profiles of all hosts. */

import type { Host } from '../../core/contracts/host.ts';
import type { Blind } from '../../core/contracts/host-limits.ts';
import { EVENT_KINDS, type EventKind } from '../../core/event/event.ts';
import { type EventRule, isGating } from '../../core/meaning/profile.ts';

export interface Coverage {
  /** Kinds of events that other agents have, and this one does not. */
  readonly noEvent: readonly EventKind[];
  /** Kinds of events that no hook can deny there, although other agents permit it. */
  readonly onlyTold: readonly EventKind[];
  /** Events that it has and an installation leaves alone, by native name. */
  readonly leftOut: readonly string[];
  readonly blind: readonly Blind[];
}

export function coverageOf({ dialect, entry }: Host, hosts: readonly Host[], blind: readonly Blind[]): Coverage {
  const all = hosts.flatMap((host) => rulesOf(host));
  const own = Object.values<EventRule>(dialect.profile.events);
  const isTold = (rules: readonly EventRule[], kind: EventKind) => rules.some(({ kinds }) => kinds.includes(kind));
  const isDeniable = (rules: readonly EventRule[], kind: EventKind) => rules.some((rule) => rule.kinds.includes(kind) && isGating(rule));
  return {
    noEvent: EVENT_KINDS.filter((kind) => isTold(all, kind) && !isTold(own, kind)),
    onlyTold: EVENT_KINDS.filter((kind) => isTold(own, kind) && isDeniable(all, kind) && !isDeniable(own, kind)),
    leftOut: leftOut(Object.keys(dialect.profile.events), entry.events),
    blind,
  };
}

function rulesOf({ dialect }: Host): readonly EventRule[] {
  return Object.values<EventRule>(dialect.profile.events);
}

/** One that is told in another spelling as well is not left out. */
function leftOut(all: readonly string[], installed: readonly string[]): readonly string[] {
  const told = new Set(installed.map((event) => event.toLowerCase()));
  return all.filter((event) => !told.has(event.toLowerCase()));
}
