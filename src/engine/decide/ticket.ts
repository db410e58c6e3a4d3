/** The content of a ticket: whose action it is, the digests of exactly this action, and the data needed to show and to resume it. */

import type { HeldAction, NewTicket } from '../../core/contracts/store.ts';
import { PASS } from '../../core/decision/decision.ts';
import { emptyFoldState, type FoldState, NOBODY } from '../../core/decision/fold.ts';
import type { HookReport } from '../../core/decision/outcome.ts';
import { type EventKind, fitRewrite, type HookEvent, kindRule } from '../../core/event/event.ts';
import { actionData } from '../../core/event/tool-wording.ts';
import { hookIdentity } from '../../core/record/grant.ts';
import type { Who } from '../../core/record/who.ts';
import { digestOf } from '../../core/values/digest.ts';
import { HooklineError } from '../../core/values/errors.ts';
import { frozenCopy } from '../../core/values/frozen.ts';
import { type Json, type JsonObject, textOf } from '../../core/values/json.ts';
import type { Firing } from '../ask/firing.ts';
import { type HookSet, setDigest } from '../hook-set.ts';
import type { EngineContext } from '../ports.ts';

/** The digests that an approval is bound to. */
export interface ActionDigests {
  /** The action of this person on this machine. */
  readonly digest: string;
  /** The same action, without its user and machine. */
  readonly shared: string;
}

/**
 * Returns the digests of the action, its place, its host and its hooks. They leave out the session, and ids and wording that are new with every
 * try, unless the event is bound to its call.
 * @param who whose action it is
 */
export function actionDigests({ ports, settings }: EngineContext, set: HookSet, event: HookEvent, who: Who | undefined): ActionDigests {
  const { hash } = ports;
  const shared = digestOf(
    {
      kind: event.kind,
      data: actionData(event.data),
      root: settings.root,
      cwd: event.session.cwd,
      host: event.caller?.host ?? null,
      set: setDigest(set, hash),
      ...(event.bind && { session: event.session.id, call: event.data['toolUseId'] ?? null }),
    },
    hash,
  );
  return { shared, digest: digestOf({ shared, user: who?.userId ?? null, machine: who?.machine.id ?? null }, hash) };
}

/** Whether a ticket covers every hook that asks for a person now: those that opened it, and those that were settled on the way there. */
export function covers({ heldBy, reports }: HeldAction, firing: Firing): boolean {
  const answered = new Set([...heldBy, ...reports].filter(wantsPerson).map(hookIdentity));
  return firing.reports.filter(wantsPerson).every((report) => answered.has(hookIdentity(report)));
}

export function wantsPerson({ decision }: HookReport): boolean {
  return decision === 'hold' || decision === 'ask';
}

/** Whose action a ticket is for, and what its approval is bound to. */
export interface Bound extends ActionDigests {
  readonly who: Who | undefined;
}

export function newTicket(
  { ports, settings }: EngineContext,
  { placed }: HookSet,
  firing: Firing,
  reason: string,
  { digest, shared, who }: Bound,
  now: number,
): NewTicket {
  const { total, earlierReports, reports } = firing;
  const { metadata, ...event } = firing.event;
  const waiting = [...(firing.waiting ?? []), ...(firing.detached ?? []).map(({ hook }) => hook.id)];
  const hooks = new Map(placed.map(({ hook }) => [hook.id, hook]));
  return {
    id: ports.newId(),
    digest,
    shared,
    kind: event.kind,
    tool: textOf(event.data['tool']) ?? null,
    session: event.session.id,
    root: settings.root,
    reason,
    openedAt: now,
    expiresAt: now + settings.ticketLifeMs,
    ...(who && { who }),
    ...(metadata && { metadata }),
    action: {
      event,
      heldBy: reports.filter(wantsPerson),
      waiting,
      waitingHooks: waiting.flatMap((id) => {
        const hook = hooks.get(id);
        return hook ? [{ id, name: hook.name, dialect: hook.dialect, event: hook.event, source: hook.source }] : [];
      }),
      reports: [...earlierReports, ...reports].filter((report) => !waiting.includes(report.id)),
      sum: { ...total, decision: PASS } as unknown as JsonObject,
    },
  };
}

/** Returns the verdicts before the action was held. A ticket of another version may lack the source of each text. */
export function foldStateOf({ sum }: HeldAction): FoldState {
  const kept = { ...emptyFoldState(), ...(sum as unknown as Partial<FoldState>) };
  return {
    ...kept,
    startSources: kept.contextStart.map((_, i) => kept.startSources[i] ?? NOBODY),
    endSources: kept.contextEnd.map((_, i) => kept.endSources[i] ?? NOBODY),
  };
}

/** Returns the input that a person wants to run instead, in the form of this kind of event. */
export function fitEdit(kind: EventKind, edit: Json): Json {
  const fitted = fitRewrite(kind, edit);
  if (fitted !== undefined) return frozenCopy(fitted);
  const target = kindRule(kind).rewrites;
  const message = target
    ? `The edited input of ${kind} must be ${target.type === 'object' ? 'a map' : 'text'}.`
    : `The event ${kind} has no input that can be replaced.`;
  throw new HooklineError('bad-option', message, { hint: 'Nothing was settled.' });
}
