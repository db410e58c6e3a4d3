/**
 * One crossing of a boundary: fires the event, shows it to observers, and says whether the agent may go on. Whatever fails on the way is a refusal,
 * so nothing behind a boundary runs unless its hooks were asked.
 */
import type { Hookline } from '../api/hookline.ts';
import type { DecidedOutcome as Outcome, TicketRef } from '../core/decision/outcome.ts';
import type { EventKind } from '../core/event/event.ts';
import type { EventPayloads } from '../core/event/payloads.ts';
import type { Json, JsonObject } from '../core/values/json.ts';
import type { FireContext } from '../engine/receive/events.ts';
import { type CallContext, type Engine, failure } from '../sdk/kit/gate.ts';
import type { AgentEvent, HeldAction, HoldPlan } from './contract.ts';

/** The agent may go on. */
export interface Passed {
  readonly kind: 'pass';
  /** The value that a hook put in place of the payload's own; absent if unchanged. */
  readonly rewrite?: Json;
  /** The result that a hook put in place of the agent's own; absent if unchanged. */
  readonly replace?: Json;
  readonly context: readonly string[];
}

/** The agent must not go on. With `halt` the whole run ends. */
export interface Refusal {
  readonly kind: 'refuse';
  readonly reason: string;
  readonly context: readonly string[];
  readonly halt?: string;
  /** The feedback with which a hook sends the agent back to work. */
  readonly feedback?: string;
}

/** A person must decide, and the turn does not wait. */
export interface HeldBack {
  readonly kind: 'hold';
  readonly held: HeldAction;
}

export type Crossing = Passed | Refusal | HeldBack;

/** Where and for whom the agent works, and who watches. */
export interface BoundarySettings {
  readonly hookline: Hookline;
  /** Absent for events of the process. */
  readonly session?: string;
  readonly agent: string;
  readonly cwd: string;
  readonly depth: number;
  readonly channel?: string | undefined;
  readonly user?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  emit(event: AgentEvent): void;
  /** Receives the texts of hooks for the user. */
  notice(texts: readonly string[]): void;
  onHold(held: HeldAction): HoldPlan | Promise<HoldPlan>;
}

export interface Boundary {
  /**
   * Asks whether the agent may go on. Never rejects.
   * @param ticket of the same crossing, which was held before
   */
  cross<K extends EventKind>(kind: K, payload: EventPayloads[K], ticket?: string): Promise<Passed | Refusal | HeldBack>;
  /** Tells the hooks of something that has happened. Never rejects. An abort of the run does not end these hooks. */
  tell<K extends EventKind>(kind: K, payload: EventPayloads[K]): Promise<Passed | Refusal>;
  /** Tells people and hooks that an action waits, and returns whether its turn waits too. A refusal means that a hook denied the request itself. */
  hold(held: HeldAction, request?: EventPayloads['permission.request']): Promise<HoldPlan | Refusal>;
  /** Whether no person has settled the ticket yet. */
  isOpen(ticket: string): Promise<boolean>;
  /** Withdraws a ticket that no one needs any more. */
  withdraw(ticket: string, note: string): Promise<void>;
  /** Texts for the model from events that gave them no other place: they join the next turn. */
  readonly leftovers: string[];
  /** For the gates of tools and models: the same engine, and observers see its events. */
  readonly engine: Engine & Pick<Hookline, 'plan'>;
  /** The caller as gates need it. */
  readonly caller: CallContext;
  /** Adds data to the payload of every event of tools from now on. */
  setSkill(skill: Json | undefined): void;
  readonly skill: Json | undefined;
}

const NO_REASON = 'A hook denied it and gave no reason.';

export function createBoundary(settings: BoundarySettings): Boundary {
  const { hookline, session = '', agent, cwd, depth, channel, user, signal, emit } = settings;
  const leftovers: string[] = [];
  let skill: Json | undefined;
  const place: FireContext = {
    ...(settings.session !== undefined && { session: settings.session }),
    ...{ cwd, agent },
    ...(channel !== undefined && { channel }),
    ...(user !== undefined && { user }),
  };
  const seen = <T extends Outcome | undefined>(kind: EventKind, outcome: T): T => {
    if (!outcome) return outcome;
    if (outcome.notices.length > 0) settings.notice(outcome.notices);
    emit({ type: 'hook', session, kind, depth, outcome });
    return outcome;
  };
  const withSkill = (kind: unknown, payload: unknown): unknown =>
    skill !== undefined && typeof kind === 'string' && kind.startsWith('tool.') ? { skill, ...(payload as JsonObject) } : payload;
  // The overloads of an engine take native events too, which an agent never fires.
  const engine = {
    async fire(kind: EventKind, payload: never, context: FireContext) {
      return seen(kind, await hookline.fire(kind, withSkill(kind, payload) as never, { ...place, ...context }));
    },
    async settle(ticket: string, kind: EventKind, payload: never, context: FireContext) {
      return seen(kind, await hookline.settle(ticket, kind, withSkill(kind, payload) as never, { ...place, ...context }));
    },
    async waitFor(ticket: string, options: { readonly signal?: AbortSignal }) {
      const outcome = await hookline.waitFor(ticket, options);
      return outcome && seen(outcome.kind, outcome);
    },
    plan: (kind: EventKind, payload: never, context: FireContext) => hookline.plan(kind, payload, { ...place, ...context }),
  } as unknown as Boundary['engine'];

  const asking: FireContext = { bind: 'call', ...(signal && { signal }) };
  const refusal = (error: unknown): Refusal => ({ kind: 'refuse', reason: failure(error), context: [] });

  const tell: Boundary['tell'] = async (kind, payload) => {
    try {
      const crossing = crossingOf(await engine.fire(kind, payload, {}));
      return crossing.kind === 'hold' ? { kind: 'refuse', reason: crossing.reason, context: [] } : crossing;
    } catch (error) {
      emit({ type: 'problem', message: `${kind} could not be told: ${failure(error)}` });
      return refusal(error);
    }
  };

  const hold: Boundary['hold'] = async (held, request) => {
    const asked = request && (await tell('permission.request', request));
    if (asked?.kind === 'refuse') {
      await withdraw(held.ticket, asked.reason);
      return asked;
    }
    const what = held.tool === undefined ? held.kind : `the tool ${held.tool}`;
    const told = await tell('notification', {
      message: `A person must decide on ${what} (ticket ${held.ticket}): ${held.reason}`,
      type: 'permission_prompt',
    });
    leftovers.push(...told.context);
    emit({ type: 'hold', session, held });
    try {
      return await settings.onHold(held);
    } catch (error) {
      emit({ type: 'problem', message: `onHold failed, so the turn is parked: ${failure(error)}` });
      return 'park';
    }
  };

  const withdraw = async (ticket: string, note: string): Promise<void> => {
    try {
      // One that a person has settled meanwhile needs no withdrawal.
      if (await isOpen(ticket)) await hookline.approvals.withdraw(ticket, { note });
    } catch (error) {
      emit({ type: 'problem', message: `Ticket ${ticket} stays open: ${failure(error)}` });
    }
  };

  const cross: Boundary['cross'] = async (kind, payload, ticket) => {
    try {
      if (signal?.aborted) return { kind: 'refuse', reason: ABORTED, context: [] };
      const fired = ticket === undefined ? engine.fire(kind, payload, asking) : engine.settle(ticket, kind, payload, asking);
      const crossing = crossingOf(await fired);
      if (crossing.kind !== 'hold') return crossing;
      const held = heldAction(crossing, session, kind);
      const plan = await hold(held);
      if (plan !== 'wait') return plan === 'park' ? { kind: 'hold', held } : plan;
      const outcome = await engine.waitFor(held.ticket, { ...(signal && { signal }) });
      const settled = outcome && crossingOf(outcome);
      if (!settled || settled.kind === 'hold')
        return { kind: 'refuse', reason: `No person settled the ticket in time: ${held.reason}`, context: [] };
      return settled;
    } catch (error) {
      return refusal(error);
    }
  };

  const isOpen = async (ticket: string): Promise<boolean> => {
    try {
      return (await hookline.approvals.get(ticket))?.state === 'open';
    } catch {
      // The crossing itself then says what is wrong, as a refusal.
      return false;
    }
  };

  return {
    ...{ cross, tell, hold, isOpen, withdraw, leftovers, engine },
    caller: { session, cwd, signal, agent, user, channel, ...(depth > 0 && { depth }) },
    setSkill(value) {
      skill = value;
    },
    get skill() {
      return skill;
    },
  };
}

export const ABORTED = 'The run was aborted.';

export function heldAction(
  { ticket, reason }: { readonly ticket: TicketRef; readonly reason: string },
  session: string,
  kind: EventKind,
): HeldAction {
  return { ticket: ticket.id, expiresAt: ticket.expiresAt, session, kind, reason };
}

function crossingOf(outcome: Outcome): Passed | Refusal | { readonly kind: 'hold'; readonly ticket: TicketRef; readonly reason: string } {
  const { decision, reason, context, rewrite, replace, halt, ticket } = outcome;
  if (decision === 'deny') {
    const feedback = outcome.continue;
    return {
      ...{ kind: 'refuse', reason: reason ?? NO_REASON, context },
      ...(halt !== undefined && { halt }),
      ...(feedback !== undefined && { feedback }),
    };
  }
  if (halt !== undefined) return { kind: 'refuse', reason: halt, context, halt };
  if (decision === 'hold' && ticket) return { kind: 'hold', ticket, reason };
  if (decision !== 'pass' && decision !== 'allow')
    return { kind: 'refuse', reason: `${reason} (A person must be asked, but no person can answer here.)`, context };
  return { kind: 'pass', context, ...(rewrite !== undefined && { rewrite }), ...(replace !== undefined && { replace }) };
}
