/**
 * Held actions. An action is stored before any person is notified, and is bound to the digest of exactly this action. Once a person
 * has approved it, this process or another one resumes it. An approval releases its action once. An expired ticket is never reported as a denial.
 */

import type { SettledState, Store, TicketRecord } from '../../core/contracts/store.ts';
import { type Decision, PASS } from '../../core/decision/decision.ts';
import { emptyFoldState, type FoldState } from '../../core/decision/fold.ts';
import type { Outcome } from '../../core/decision/outcome.ts';
import { type HookEvent, withRewrite } from '../../core/event/event.ts';
import type { Diagnostic } from '../../core/values/diagnostic.ts';
import { HooklineError } from '../../core/values/errors.ts';
import type { Json } from '../../core/values/json.ts';
import { Firing } from '../ask/firing.ts';
import type { HookSet } from '../hook-set.ts';
import type { FireOptions } from '../ports.ts';
import { buildOutcome, decide, type EngineState, ownFailure } from './settle.ts';
import { actionDigest, covers, fitEdit, foldStateOf, newTicket, settledHere } from './ticket.ts';
import { unprovenApproval } from './unproven.ts';

export function deniedReason(ticket: TicketRecord): string {
  if (ticket.state === 'expired') return 'The ticket expired before a person settled it.';
  return sentence(ticket.state === 'withdrawn' ? 'Withdrawn' : 'Denied', ticket);
}

export function sentence(verb: string, { by, note }: TicketRecord): string {
  return `${verb}${by === null ? '' : ` by ${by}`}${note === null || note === '' ? '.' : `: ${note}`}`;
}

export function approvalOf({ id, state, by, note, settledAt, expiresAt }: TicketRecord): NonNullable<Outcome['approval']> {
  return { ticket: id, state: state as SettledState, by, note, at: new Date(settledAt ?? expiresAt).toISOString() };
}

export function settledBefore(ticket: TicketRecord): HooklineError {
  const who = ticket.by === null ? '' : ` by ${ticket.by}`;
  const what = ticket.state === 'approved' && ticket.releasedAt !== null ? 'approved and used' : ticket.state;
  return new HooklineError('ticket-settled', `Ticket ${ticket.id} was already ${what}${who}.`, {
    hint: 'Fire the event again for a new ticket.',
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

/** The outcome of a held action, and the action. */
export interface Settled {
  readonly event: HookEvent;
  readonly outcome: Outcome;
}

/** Ends a firing that asks for a person: uses up an approval that waits for this action, or opens a ticket. */
export async function holdAction(
  engine: EngineState,
  set: HookSet,
  firing: Firing,
  decision: Decision & { kind: 'hold' },
  unmatched: number,
): Promise<Outcome> {
  const { ports } = engine.context;
  const now = ports.clock.now();
  let ticket: TicketRecord;
  try {
    const store = await ports.store();
    const digest = actionDigest(engine.context, set, firing.event);
    const approved = await store.tickets.release(digest, now, ({ id }) => firing.diagnostics.push(unprovenApproval(id)));
    if (approved && covers(approved.action, firing)) return await resumeHooks(engine, set, approved);
    const opened = await store.tickets.open(newTicket(engine.context, firing, decision.reason, digest, now), now);
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

/** Settles a ticket and resumes its action. Throws if the ticket was settled before. */
export async function resumeAction(engine: EngineState, set: HookSet, id: string, settlement: Settlement): Promise<Settled> {
  const { ports } = engine.context;
  const store = await ports.store();
  const edit = settlement.input === undefined ? null : await editFor(store, id, settlement.input, ports.clock.now());
  const settled = await store.tickets.settle(id, {
    state: settlement.approve ? 'approved' : 'denied',
    at: ports.clock.now(),
    by: settlement.by ?? null,
    note: settlement.note ?? null,
    via: settlement.via ?? 'api',
    edit,
  });
  if (!settled) throw new HooklineError('unknown-ticket', `There is no ticket ${id}.`, { hint: 'It may be in another store, or removed.' });
  if (!settled.won && settled.ticket.state !== 'expired') throw settledBefore(settled.ticket);
  if (settled.won) ports.notify('ticket.settled', settled.ticket);
  const followed = await followUp(engine, set, store, settled.ticket);
  if (!followed) throw settledBefore(settled.ticket);
  return followed;
}

/** Waits until a person settles the ticket, and resumes its action. Undefined if no person has in time. */
export async function awaitSettled(engine: EngineState, set: HookSet, id: string, signal: AbortSignal): Promise<Settled | undefined> {
  const { ports } = engine.context;
  const store = await ports.store();
  const ticket = await store.tickets.waitFor(id, () => ports.clock.now(), signal);
  if (!ticket || ticket.state === 'open') return undefined;
  return (
    (await followUp(engine, set, store, ticket)) ?? { event: ticket.action.event, outcome: deniedOutcome(engine, set, ticket, USED_UP) }
  );
}

const USED_UP =
  'The action was approved, but another try has already used the approval, which counts once. Fire the event again for a new ticket.';

/** Returns the outcome of a ticket that is no longer open, or undefined if its approval was used already. */
async function followUp(engine: EngineState, set: HookSet, store: Store, ticket: TicketRecord): Promise<Settled | undefined> {
  const { event } = ticket.action;
  if (ticket.state !== 'approved') return { event, outcome: deniedOutcome(engine, set, ticket) };
  let doubt: Diagnostic | undefined;
  const released = await store.tickets.releaseById(ticket.id, engine.context.ports.clock.now(), ({ id }) => {
    doubt = unprovenApproval(id);
  });
  if (doubt) {
    const denied = deniedOutcome(engine, set, ticket, doubt.message);
    return { event, outcome: { ...denied, diagnostics: [...denied.diagnostics, doubt] } };
  }
  if (!released) return undefined;
  const outcome = await resumeHooks(engine, set, released).catch((error: unknown) => ownFailure(engine.context, event, error));
  return { event, outcome };
}

/** A held action resumes without the caller that fired it. */
const NO_OPTIONS: FireOptions = {};

async function editFor(store: Store, id: string, edit: Json, now: number): Promise<Json> {
  const ticket = await store.tickets.get(id, now);
  return ticket ? fitEdit(ticket.kind, edit) : edit;
}

/** Resumes with the hooks that were not asked yet. An input that was edited, or is rewritten now, is judged by all hooks again. */
async function resumeHooks(engine: EngineState, set: HookSet, ticket: TicketRecord): Promise<Outcome> {
  const { event, heldBy, waiting, reports } = ticket.action;
  const sum = foldStateOf(ticket.action);
  const gone = waiting.find((id) => !set.placed.some(({ hook }) => hook.id === id));
  if (gone !== undefined) return deniedOutcome(engine, set, ticket, `Hook \`${gone}\`, which was not asked yet, is not loaded here.`);
  if (actionDigest(engine.context, set, event) !== ticket.digest) {
    // The hooks have changed since the action was held, so all of them judge it now and no new rule is missed.
    const shown = ticket.edit ?? sum.rewrite;
    const base = { ...emptyFoldState(), ...(shown !== undefined && { rewrite: shown }) };
    return judgeAgain(engine, set, ticket, ticket.edit === null ? event : withRewrite(event, ticket.edit), base, undefined);
  }
  const approved: Decision = { kind: 'allow', reason: sentence('Approved', ticket) };
  if (ticket.edit !== null) {
    const base = { ...emptyFoldState(), decision: approved, rewrite: ticket.edit };
    return judgeAgain(engine, set, ticket, withRewrite(event, ticket.edit), base, settledHere(set, heldBy));
  }
  const base: FoldState = { ...sum, decision: approved };
  const selected = set.index.select(event);
  const firing = new Firing(engine.context, set, event, selected, NO_OPTIONS, {
    state: base,
    earlierReports: reports,
    only: new Set(waiting),
  });
  await firing.run();
  if (firing.event !== event && firing.total.decision.kind !== 'deny') {
    // This is no longer the action that was approved, so it is judged again and, if need be, approved again.
    return judgeAgain(engine, set, ticket, firing.event, { ...firing.total, decision: PASS }, undefined);
  }
  return settledOutcome(engine, set, firing, set.placed.length - selected.length, ticket);
}

async function judgeAgain(
  engine: EngineState,
  set: HookSet,
  ticket: TicketRecord,
  event: HookEvent,
  base: FoldState,
  settled: ReadonlySet<string> | undefined,
): Promise<Outcome> {
  const selected = set.index.select(event);
  const firing = new Firing(engine.context, set, event, selected, NO_OPTIONS, { state: base, ...(settled && { settled }) });
  await firing.run();
  return settledOutcome(engine, set, firing, set.placed.length - selected.length, ticket);
}

async function settledOutcome(
  engine: EngineState,
  set: HookSet,
  firing: Firing,
  unmatched: number,
  ticket: TicketRecord,
): Promise<Outcome> {
  const decision = decide(engine, firing);
  // A second answer to the same event gets an id of its own.
  const id = engine.context.ports.newId();
  if (decision.kind === 'hold') return { ...(await holdAction(engine, set, firing, decision, unmatched)), id };
  const outcome = buildOutcome(engine, firing, decision, unmatched);
  outcome.id = id;
  outcome.approval = approvalOf(ticket);
  return outcome;
}

/** Returns the outcome of a ticket that was denied or withdrawn or has expired, and names which. */
function deniedOutcome(engine: EngineState, set: HookSet, ticket: TicketRecord, why?: string): Outcome {
  const { event, reports } = ticket.action;
  const firing = new Firing(engine.context, set, event, [], NO_OPTIONS, {
    state: { ...foldStateOf(ticket.action), decision: PASS },
    earlierReports: reports,
  });
  const outcome = buildOutcome(engine, firing, { kind: 'deny', reason: why ?? deniedReason(ticket) }, set.placed.length);
  outcome.id = engine.context.ports.newId();
  outcome.approval = approvalOf(ticket);
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
