/**
 * Held actions. An action is stored before any person is notified, and is bound to the digest of exactly this action. Once a person
 * has approved it, this process or another one resumes it. An approval releases its action once. An expired ticket is never reported as a
 * denial, and a denied action is denied again for as long as its ticket lives.
 */

import type { SettledState, Store, TicketRecord } from '../../core/contracts/store.ts';
import { type Decision, PASS } from '../../core/decision/decision.ts';
import { emptyFoldState, type FoldState } from '../../core/decision/fold.ts';
import { type Outcome, pendingStates } from '../../core/decision/outcome.ts';
import { type HookEvent, withRewrite } from '../../core/event/event.ts';
import { EMBEDDING, type Who } from '../../core/record/who.ts';
import type { Diagnostic } from '../../core/values/diagnostic.ts';
import { HooklineError } from '../../core/values/errors.ts';
import { freezeOwn } from '../../core/values/frozen.ts';
import type { Json } from '../../core/values/json.ts';
import { Firing } from '../ask/firing.ts';
import type { HookSet } from '../hook-set.ts';
import type { FireOptions } from '../ports.ts';
import { type Granted, useGrants } from './grants.ts';
import { demandHooks, settledHere, waitingHere } from './hooks-here.ts';
import { buildOutcome, decide, type EngineState, type MutableOutcome, ownFailure } from './settle.ts';
import { actionDigests, type Bound, covers, fitEdit, foldStateOf, newTicket } from './ticket.ts';
import { unprovenApproval } from './unproven.ts';

export function deniedReason(ticket: TicketRecord): string {
  if (ticket.state === 'expired') return 'The ticket expired before a person settled it.';
  return sentence(ticket.state === 'withdrawn' ? 'Withdrawn' : 'Denied', ticket);
}

export function sentence(verb: string, { by: given, settledBy, note }: TicketRecord): string {
  const by = given ?? settledBy?.osUser ?? null;
  return `${verb}${by === null ? '' : ` by ${by}`}${note === null || note === '' ? '.' : `: ${note}`}`;
}

export function approvalOf(ticket: TicketRecord): NonNullable<Outcome['approval']> {
  const { id, state, by, note, settledAt, expiresAt, settledBy, anyone } = ticket;
  return {
    ticket: id,
    state: state as SettledState,
    by: by ?? settledBy?.osUser ?? null,
    ...(settledBy && { who: settledBy }),
    ...(anyone && { anyone }),
    note,
    at: new Date(settledAt ?? expiresAt).toISOString(),
  };
}

export function settledBefore(ticket: TicketRecord): HooklineError {
  const who = ticket.by === null ? '' : ` by ${ticket.by}`;
  const what = ticket.state === 'approved' && ticket.releasedAt !== null ? 'approved and used' : ticket.state;
  return new HooklineError('ticket-settled', `Ticket ${ticket.id} was already ${what}${who}.`, {
    hint:
      ticket.state === 'denied' ? 'The same action is denied again until its ticket expires.' : 'Fire the event again for a new ticket.',
  });
}

/** How a person settles a ticket. */
export interface Settlement {
  readonly approve: boolean;
  /** The person who settles it. */
  readonly by?: string;
  readonly note?: string;
  /** The input to run instead. All hooks judge it again. */
  readonly input?: Json;
  /** The way they used (default `api`). */
  readonly via?: string;
}

/** Whose action it is: of an approval for anyone, the one that uses it. */
type Whose = Pick<Bound, 'who'>;

/** The outcome of a held action, and the action. */
export interface Settled {
  readonly event: HookEvent;
  readonly outcome: Outcome;
  /** Whose action it is: often not that of the process that continues it. */
  readonly who?: Who | undefined;
}

/** Ends a firing that asks the caller's own user, or that no person can answer. A grant answers it instead. */
export async function askAction(
  engine: EngineState,
  set: HookSet,
  firing: Firing,
  decision: Decision,
  unmatched: number,
): Promise<Outcome> {
  const { ports } = engine.context;
  // The question stays if the grants cannot be read or their use cannot be recorded.
  const granted = await useGrants(engine.context, set, firing).catch(() => undefined);
  if (!granted) return buildOutcome(engine, firing, decision, unmatched);
  return resumeGranted(engine, set, firing, granted, { who: ports.who?.(firing.event.caller) });
}

/**
 * Ends a firing that asks for a person: uses up an approval that waits for this action, repeats a denial, uses grants, or opens a ticket.
 * @param whose whose action it is, if it was held before; otherwise that of this process
 * @param isJudgedAgain whether grants were used and the action then changed: they do not count for the new one
 */
export async function holdAction(
  engine: EngineState,
  set: HookSet,
  firing: Firing,
  decision: Decision & { kind: 'hold' },
  unmatched: number,
  whose?: Whose,
  isJudgedAgain = false,
): Promise<Outcome> {
  const { ports, settings } = engine.context;
  const now = ports.clock.now();
  let ticket: TicketRecord;
  try {
    const { tickets } = await ports.store();
    const { who } = whose ?? { who: ports.who?.(firing.event.caller) };
    const bound = { who, ...actionDigests(engine.context, set, firing.event, who) };
    const onUnproven = ({ id }: TicketRecord): unknown => firing.diagnostics.push(unprovenApproval(id));
    const approved = await tickets.release(bound.digest, now, { shared: bound.shared, onUnproven });
    if (approved && covers(approved.action, firing)) return await resumeHooks(engine, set, approved, bound);
    const denied = settings.denials === 'remember' ? await tickets.denied(bound.digest, now) : undefined;
    if (denied) return deniedAgain(engine, firing, denied, unmatched);
    const granted = isJudgedAgain ? undefined : await useGrants(engine.context, set, firing);
    if (granted) return await resumeGranted(engine, set, firing, granted, bound);
    const opened = await tickets.open(newTicket(engine.context, set, firing, decision.reason, bound, now), now);
    ticket = opened.ticket;
    if (opened.isNew) ports.notify('ticket.opened', ticket);
  } catch (error) {
    // An action that cannot be stored cannot be approved, because no person could be asked about it.
    return notHeld(engine, firing, error, unmatched);
  }
  const outcome = buildOutcome(engine, firing, decision, unmatched);
  outcome.ticket = { id: ticket.id, expiresAt: new Date(ticket.expiresAt).toISOString() };
  return outcome;
}

/** A person has denied this very action, so no person is asked about it again while that ticket lives. */
function deniedAgain(engine: EngineState, firing: Firing, ticket: TicketRecord, unmatched: number): Outcome {
  const outcome = buildOutcome(engine, firing, { kind: 'deny', reason: deniedReason(ticket) }, unmatched);
  outcome.approval = approvalOf(ticket);
  return outcome;
}

/** Settles a ticket and resumes its action. Throws if the ticket was settled before, or if hooks of the action are not loaded here. */
export async function resumeAction(engine: EngineState, set: HookSet, id: string, settlement: Settlement): Promise<Settled> {
  const { ports } = engine.context;
  const store = await ports.store();
  const found = await store.tickets.get(id, ports.clock.now());
  if (settlement.approve && found?.state === 'open') demandHooks(set, found);
  const edit = settlement.input === undefined ? null : found ? fitEdit(found.kind, settlement.input) : settlement.input;
  const who = ports.who?.();
  const settled = await store.tickets.settle(id, {
    state: settlement.approve ? 'approved' : 'denied',
    at: ports.clock.now(),
    by: settlement.by ?? null,
    note: settlement.note ?? null,
    via: settlement.via ?? 'api',
    edit,
    ...(who && { who }),
    actor: { ...EMBEDDING, via: settlement.via ?? EMBEDDING.via },
  });
  if (!settled) throw unknownTicket(id);
  const { ticket, won } = settled;
  if (!won && ticket.state !== 'expired') throw settledBefore(ticket);
  if (won) ports.notify('ticket.settled', ticket);
  // A person who settles in time has won, even if the ticket's life ends before the next line runs.
  return followUp(engine, set, store, ticket, ticket.settledAt ?? ports.clock.now());
}

/** Waits until a person settles the ticket, and resumes its action. Undefined if no person has in time. */
export async function awaitSettled(engine: EngineState, set: HookSet, id: string, signal: AbortSignal): Promise<Settled | undefined> {
  const { ports } = engine.context;
  const store = await ports.store();
  const since = ports.clock.now();
  const ticket = await store.tickets.waitFor(id, () => ports.clock.now(), signal);
  if (!ticket || ticket.state === 'open') return undefined;
  // A caller that was waiting when the approval came takes it, even if it learns of it after the ticket's life.
  const { settledAt } = ticket;
  return followUp(engine, set, store, ticket, settledAt !== null && settledAt >= since ? settledAt : ports.clock.now());
}

/**
 * Returns the outcome of a ticket for a caller that has its action again: a denial, or a hold while it is open. Undefined if it is approved and
 * unused. The caller then fires the action, which checks that it is the approved one and uses the approval.
 */
export async function lookUp(engine: EngineState, set: HookSet, id: string): Promise<Settled | undefined> {
  const { ports } = engine.context;
  const now = ports.clock.now();
  const ticket = await (await ports.store()).tickets.get(id, now);
  if (!ticket) throw unknownTicket(id);
  const settled = (outcome: Outcome): Settled => ({ event: ticket.action.event, outcome, who: ticket.who });
  if (ticket.state === 'open') {
    const outcome = outcomeOf(engine, set, ticket, { kind: 'hold', reason: ticket.reason });
    outcome.ticket = { id, expiresAt: new Date(ticket.expiresAt).toISOString() };
    return settled(outcome);
  }
  if (ticket.state !== 'approved') return settled(deniedOutcome(engine, set, ticket));
  if (ticket.releasedAt !== null) return settled(deniedOutcome(engine, set, ticket, USED_UP));
  return now < ticket.expiresAt ? undefined : settled(deniedOutcome(engine, set, ticket, LAPSED));
}

function unknownTicket(id: string): HooklineError {
  return new HooklineError('unknown-ticket', `There is no ticket ${id}.`, { hint: 'It may be in another store, or removed.' });
}

const USED_UP =
  'The action was approved, but another try has already used the approval, which counts once. Fire the event again for a new ticket.';

const LAPSED = 'The action was approved, but the approval was not used before the ticket expired. Fire the event again for a new ticket.';

/**
 * Returns the outcome of a ticket that is no longer open.
 * @param at the moment as of which its approval is used
 */
async function followUp(engine: EngineState, set: HookSet, store: Store, ticket: TicketRecord, at: number): Promise<Settled> {
  const { who, action } = ticket;
  const { event } = action;
  if (ticket.state !== 'approved') return { event, outcome: deniedOutcome(engine, set, ticket), who };
  demandHooks(set, ticket);
  let doubt: Diagnostic | undefined;
  const onUnproven = ({ id }: TicketRecord): void => {
    doubt = unprovenApproval(id);
  };
  const released = await store.tickets.releaseById(ticket.id, at, { onUnproven });
  if (doubt) {
    const denied = deniedOutcome(engine, set, ticket, doubt.message);
    return { event, outcome: { ...denied, diagnostics: [...denied.diagnostics, doubt] }, who };
  }
  if (!released) {
    const now = await store.tickets.get(ticket.id, at);
    return { event, outcome: deniedOutcome(engine, set, ticket, now?.releasedAt === null ? LAPSED : USED_UP), who };
  }
  const outcome = await resumeHooks(engine, set, released, { who }).catch((error: unknown) => ownFailure(engine.context, event, error));
  return { event, outcome, who };
}

/** A held action resumes without the caller that fired it. */
const NO_OPTIONS: FireOptions = {};

/** Continues as after an approval, which the grants stand for. */
function resumeGranted(engine: EngineState, set: HookSet, firing: Firing, granted: Granted, { who }: Whose): Promise<Outcome> {
  const { context } = engine;
  const now = context.ports.clock.now();
  const bound = { who, ...actionDigests(context, set, firing.event, who) };
  const held = newTicket(context, set, firing, granted.reason, bound, now);
  const settled = { state: 'approved', settledAt: now, by: null, note: null, via: null, edit: null, releasedAt: now } as const;
  return resumeHooks(engine, set, { ...held, ...settled }, { who }, { granted, firing });
}

/** The grants that stand for an approval, and the firing they were used in. */
interface Resumed {
  readonly granted: Granted;
  /** Its caller is still there, so the hooks that follow are asked on its terms. */
  readonly firing: Firing;
  /** The action has changed since, so the grants do not count for it. */
  readonly isJudgedAgain?: boolean;
}

/** Resumes with the hooks that were not asked yet. An input that was edited, or is rewritten now, is judged by all hooks again. */
async function resumeHooks(engine: EngineState, set: HookSet, ticket: TicketRecord, whose: Whose, by?: Resumed): Promise<Outcome> {
  const { heldBy, reports } = ticket.action;
  const event = withStates(ticket);
  const sum = foldStateOf(ticket.action);
  if (actionDigests(engine.context, set, event, ticket.who).digest !== ticket.digest) {
    // The hooks have changed since the action was held, so all of them judge it now and no new rule is missed.
    const shown = ticket.edit ?? sum.rewrite;
    const base = { ...emptyFoldState(), ...(shown !== undefined && { rewrite: shown }) };
    return judgeAgain(
      engine,
      set,
      ticket,
      whose,
      ticket.edit === null ? event : withRewrite(event, freezeOwn(ticket.edit)),
      base,
      undefined,
    );
  }
  const approved: Decision = { kind: 'allow', reason: by?.granted.reason ?? sentence('Approved', ticket) };
  if (ticket.edit !== null) {
    const base = { ...emptyFoldState(), decision: approved, rewrite: ticket.edit };
    return judgeAgain(engine, set, ticket, whose, withRewrite(event, freezeOwn(ticket.edit)), base, settledHere(set, heldBy));
  }
  const base: FoldState = { ...sum, decision: approved };
  const selected = set.index.select(event);
  const firing = new Firing(engine.context, set, event, selected, by?.firing ?? NO_OPTIONS, {
    state: base,
    earlierReports: reports,
    only: waitingHere(set, ticket.action),
  });
  await firing.run();
  if (firing.event !== event && firing.total.decision.kind !== 'deny') {
    // This is no longer the action that was approved, so it is judged again and, if need be, approved again.
    return judgeAgain(
      engine,
      set,
      ticket,
      whose,
      firing.event,
      { ...firing.total, decision: PASS },
      undefined,
      by && { ...by, isJudgedAgain: true },
    );
  }
  return settledOutcome(engine, set, firing, set.placed.length - selected.length, ticket, whose, by);
}

/** Returns the event with the states that its hooks suspended it with, for the hooks that follow, and with the data for its next ticket. */
function withStates({ action: { event, heldBy }, metadata }: TicketRecord): HookEvent {
  const states = pendingStates(heldBy);
  // The store has read it, so it is not frozen yet.
  return freezeOwn({
    ...event,
    ...(states.length > 0 && { pending: [...(event.pending ?? []), ...states] }),
    ...(metadata && { metadata }),
  });
}

async function judgeAgain(
  engine: EngineState,
  set: HookSet,
  ticket: TicketRecord,
  whose: Whose,
  event: HookEvent,
  base: FoldState,
  settled: ReadonlySet<string> | undefined,
  by?: Resumed,
): Promise<Outcome> {
  const selected = set.index.select(event);
  const firing = new Firing(engine.context, set, event, selected, by?.firing ?? NO_OPTIONS, { state: base, ...(settled && { settled }) });
  await firing.run();
  return settledOutcome(engine, set, firing, set.placed.length - selected.length, ticket, whose, by);
}

async function settledOutcome(
  engine: EngineState,
  set: HookSet,
  firing: Firing,
  unmatched: number,
  ticket: TicketRecord,
  whose: Whose,
  by?: Resumed,
): Promise<Outcome> {
  const decision = decide(engine, firing);
  if (by) return grantedOutcome(engine, set, firing, decision, unmatched, whose, by);
  // A second answer to the same event gets an id of its own.
  const id = engine.context.ports.newId();
  if (decision.kind === 'hold') return { ...(await holdAction(engine, set, firing, decision, unmatched, whose)), id };
  const outcome = buildOutcome(engine, firing, decision, unmatched);
  outcome.id = id;
  outcome.approval = approvalOf(ticket);
  return outcome;
}

/** Returns the first answer to an event whose hooks were answered by grants so far. A hook that came later may ask as well. */
async function grantedOutcome(
  engine: EngineState,
  set: HookSet,
  firing: Firing,
  decision: Decision,
  unmatched: number,
  whose: Whose,
  { granted, isJudgedAgain = false }: Resumed,
): Promise<Outcome> {
  const outcome =
    decision.kind === 'hold'
      ? await holdAction(engine, set, firing, decision, unmatched, whose, isJudgedAgain)
      : firing.total.decision.kind === 'ask' && !isJudgedAgain
        ? await askAction(engine, set, firing, decision, unmatched)
        : buildOutcome(engine, firing, decision, unmatched);
  return { ...outcome, id: firing.event.id, grants: [...granted.refs, ...(outcome.grants ?? [])] };
}

/** Returns the outcome of a ticket that was denied or withdrawn or has expired, and names which. */
function deniedOutcome(engine: EngineState, set: HookSet, ticket: TicketRecord, why?: string): Outcome {
  const outcome = outcomeOf(engine, set, ticket, { kind: 'deny', reason: why ?? deniedReason(ticket) });
  outcome.approval = approvalOf(ticket);
  return outcome;
}

/** Returns an outcome for the action of a ticket, without asking a hook. */
function outcomeOf(engine: EngineState, set: HookSet, { action }: TicketRecord, decision: Decision): MutableOutcome {
  const firing = new Firing(engine.context, set, action.event, [], NO_OPTIONS, {
    state: { ...foldStateOf(action), decision: PASS },
    earlierReports: action.reports,
  });
  const outcome = buildOutcome(engine, firing, decision, set.placed.length);
  outcome.id = engine.context.ports.newId();
  return outcome;
}

function notHeld(engine: EngineState, firing: Firing, error: unknown, unmatched: number): Outcome {
  const why = error instanceof Error ? error.message : String(error);
  const reason = `The action should wait for a person, but it could not be held: ${why}`;
  firing.diagnostics.push({
    severity: 'error',
    code: 'not-held',
    message: reason,
    hint: 'Fix the store. Until then such actions are denied.',
  });
  return buildOutcome(engine, firing, { kind: 'deny', reason }, unmatched);
}
