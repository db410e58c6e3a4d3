/** Reads everything that one look at the agents shows: the sessions at work, the last decisions, the waiting actions and the hooks. */
import type { Store, TicketRecord } from '../../../core/contracts/store.ts';
import type { JsonObject } from '../../../core/values/json.ts';
import { redact, redactText } from '../../../core/values/redact.ts';
import { subjectOf } from '../../../views/read-entry.ts';
import type { Figure, FoldedItem, HookFigures, LaneState, LaneView, Progress, SessionView, Views } from '../../../views/views.ts';
import { visibleLine } from '../../../views/visible-text.ts';

export interface Top {
  readonly at: number;
  /** The figures of hooks begin at this whole hour. */
  readonly since: number;
  readonly progress: Progress;
  /** The last hour. */
  readonly totals: Figure;
  readonly waiting: readonly WaitingAction[];
  /** There may be more than are listed. */
  readonly waitingCount: number;
  readonly sessions: readonly SessionAtWork[];
  /** Newest first. */
  readonly decisions: readonly FoldedItem[];
  readonly hooks: readonly HookFigures[];
}

/** A held action, with its secrets masked. */
export interface WaitingAction {
  readonly id: string;
  readonly session: string;
  readonly project: string;
  readonly what: string;
  readonly reason: string;
  readonly heldBy: readonly string[];
  readonly openedAt: number;
  readonly expiresAt: number;
}

export interface SessionAtWork extends SessionView {
  readonly state: LaneState;
  readonly refused: number;
  /** How many sessions are above this one. */
  readonly depth: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** A session that did nothing for so long is not at work. */
const AT_WORK_MS = 15 * MINUTE_MS;
const MOST_DECISIONS = 200;
const MOST_WAITING = 200;
const LONGEST = 500;

/** @param text only what contains it, in upper or lower case; empty for everything */
export async function readTop(views: Views, { tickets }: Store, text: string, now: number): Promise<Top> {
  const since = Math.floor((now - HOUR_MS) / HOUR_MS) * HOUR_MS;
  const isWanted = (...parts: readonly (string | null)[]): boolean =>
    parts.some((part) => part?.toLowerCase().includes(text.toLowerCase()));
  const open = await tickets.list({ state: 'open', limit: MOST_WAITING }, now);
  const lanes = flatten(await views.lanes({ since: now - AT_WORK_MS, until: now }), 0);
  const hooks = await views.hooks({ since, until: now });
  const { items } = await views.folded(text === '' ? {} : { text }, { limit: MOST_DECISIONS });
  return {
    ...{ at: now, since, progress: await views.progress(), totals: await views.totals({ since: now - HOUR_MS, until: now }) },
    waiting: open.map(waitingAction).filter(({ id, what, reason, session }) => isWanted(id, what, reason, session)),
    waitingCount: open.length < MOST_WAITING ? open.length : await tickets.count({ state: 'open' }, now),
    sessions: lanes.filter(({ id, title, project, host, user }) => isWanted(id, title, project, host, user)),
    decisions: items,
    hooks: hooks
      .filter(({ asked, skipped, faulted }) => asked + skipped + faulted > 0)
      .filter(({ name, file }) => isWanted(name, file))
      .sort(byTrouble),
  };
}

function waitingAction(ticket: TicketRecord): WaitingAction {
  const { id, session, root, reason, action, kind, tool, openedAt, expiresAt } = ticket;
  const data = redact(action.event.data).value as JsonObject;
  const what = `${tool ?? kind}  ${subjectOf({ kind, tool, data })}`.trim();
  const line = (text: string): string => visibleLine(text, LONGEST);
  return {
    ...{ id: line(id), session: line(session), project: line(root), what: line(what), reason: line(redactText(reason)) },
    heldBy: action.heldBy.map(({ name }) => line(redactText(name))),
    ...{ openedAt, expiresAt },
  };
}

function flatten(lanes: readonly LaneView[], depth: number): SessionAtWork[] {
  return lanes.flatMap(({ session, state, refused, children }) => [{ ...session, state, refused, depth }, ...flatten(children, depth + 1)]);
}

/** Hooks that fail come first, because they protect nothing. */
function byTrouble(one: HookFigures, other: HookFigures): number {
  return other.faulted - one.faulted || other.denied - one.denied || other.asked - one.asked || (one.name < other.name ? -1 : 1);
}
