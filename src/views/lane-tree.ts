/** Nests the subagents of a session below the agent that started them, and sessions below the session that started them. */
import type { AgentView, LaneMark, LaneState, LaneView, Range, SessionView, ViewEntry } from './views.ts';

export interface FlatAgent extends Omit<AgentView, 'children'> {
  readonly parent: string | null;
}

/** Returns the subagents. One whose parent is unknown, or which would be below itself, is at the top. */
export function nestAgents(agents: readonly FlatAgent[]): readonly AgentView[] {
  const known = new Map(agents.filter(({ agent }) => agent !== '').map((one) => [one.agent, one]));
  const parentOf = ({ agent, parent }: FlatAgent): string | null => {
    if (parent === null || !known.has(parent)) return null;
    const above = new Set([agent]);
    for (let next: string | null = parent; next !== null && known.has(next); next = known.get(next)?.parent ?? null) {
      if (above.has(next)) return null;
      above.add(next);
    }
    return parent;
  };
  const below = (name: string | null): AgentView[] =>
    [...known.values()]
      .filter((one) => parentOf(one) === name)
      .map(({ parent: _, ...agent }) => ({ ...agent, children: below(agent.agent) }));
  return below(null);
}

export interface FlatLane {
  readonly session: SessionView;
  readonly marks: readonly ViewEntry[];
  readonly isCut: boolean;
}

/** A session without an entry for this long does nothing. */
const IDLE_MS = 3 * 60_000;

/** No lane is as many points wide. */
const MOMENTS = 1000;

export function nestLanes(lanes: readonly FlatLane[], { since, until: now }: Range): readonly LaneView[] {
  const byId = new Map(lanes.map((lane) => [lane.session.id, lane]));
  const agentOf = new Map(lanes.flatMap(({ session }) => namesIn(session.agents).map((agent) => [agent, session.id] as const)));
  const parentOf = ({ session }: FlatLane): string | null => {
    const above = new Set([session.id]);
    const up = (one: SessionView): string | null => {
      if (one.parent === null) return null;
      const parent = byId.has(one.parent) ? one.parent : (agentOf.get(one.parent) ?? null);
      return parent === one.id ? null : parent;
    };
    const parent = up(session);
    for (let next = parent; next !== null; ) {
      if (above.has(next)) return null;
      above.add(next);
      const lane = byId.get(next);
      next = lane ? up(lane.session) : null;
    }
    return parent;
  };
  const below = (id: string | null): LaneView[] =>
    lanes
      .filter((lane) => parentOf(lane) === id)
      .map((lane) => ({
        ...lane,
        ...stateOf(lane, now),
        marks: joinAlike(lane.marks, (now - since) / MOMENTS),
        children: below(lane.session.id),
      }));
  return below(null);
}

/** Joins entries that a lane would draw at the same point. An agent makes hundreds in a second, and a page draws each of them. */
function joinAlike(entries: readonly ViewEntry[], moment: number): readonly LaneMark[] {
  const marks = new Map<string, LaneMark>();
  for (const entry of entries) {
    const { at, agent, sort, kind, decision, faults, isRewritten, isAlarm } = entry;
    const key = [Math.floor(at / moment), sort === 'act' ? kind : sort, decision, faults > 0, isRewritten, isAlarm, agent].join(' ');
    const times = (marks.get(key)?.times ?? 0) + 1;
    // At the end, so that the newest entry is the last mark.
    marks.delete(key);
    marks.set(key, { ...entry, times });
  }
  return [...marks.values()];
}

function namesIn(agents: readonly AgentView[]): string[] {
  return agents.flatMap(({ agent, children }) => [agent, ...namesIn(children)]);
}

/** A held action waits until it is settled, also if another part of the session works on. */
function hasOpenTicket(marks: readonly ViewEntry[]): boolean {
  const open = new Set<string>();
  for (const { ticket, kind, decision } of marks) {
    if (ticket === null) continue;
    if (kind === 'ticket.opened' || decision === 'hold' || decision === 'ask') open.add(ticket);
    else if (kind.startsWith('ticket.')) open.delete(ticket);
  }
  return open.size > 0;
}

/** Says what the newest entries show. */
function stateOf({ session, marks }: FlatLane, now: number): { readonly state: LaneState; readonly refused: number } {
  const events = marks.filter(({ sort }) => sort === 'event');
  const end = events.findLastIndex(({ decision }) => decision !== 'deny');
  const refused = events.length - 1 - end;
  const last = marks.findLast(({ sort }) => sort !== 'late');
  const isAsking = last !== undefined && (last.decision === 'hold' || last.decision === 'ask');
  if (isAsking || hasOpenTicket(marks)) return { state: 'waits', refused };
  if (now - session.lastAt > IDLE_MS) return { state: 'idle', refused };
  return { state: refused > 0 ? 'refused' : 'works', refused };
}
