/** The content of a ticket: the digest of exactly this action, and the data needed to show and to resume it. */

import { hookIdentity } from '../../core/contracts/grant.ts';
import type { HeldAction, NewTicket } from '../../core/contracts/store.ts';
import { PASS } from '../../core/decision/decision.ts';
import { emptyFoldState, type FoldState, NOBODY } from '../../core/decision/fold.ts';
import type { HookReport } from '../../core/decision/outcome.ts';
import { type EventKind, fitRewrite, type HookEvent, kindRule } from '../../core/event/event.ts';
import { actionData } from '../../core/event/tool-wording.ts';
import { digestOf } from '../../core/values/digest.ts';
import { HooklineError } from '../../core/values/errors.ts';
import { type Json, type JsonObject, textOf } from '../../core/values/json.ts';
import type { Firing } from '../ask/firing.ts';
import { type HookSet, setDigest } from '../hook-set.ts';
import type { EngineContext } from '../ports.ts';

/** Returns the digest of the action, its place and its hooks. It leaves out the session, and ids and wording that are new with every try. */
export function actionDigest(context: EngineContext, set: HookSet, event: HookEvent): string {
  const { hash } = context.ports;
  return digestOf(
    { kind: event.kind, data: actionData(event.data), root: context.settings.root, cwd: event.session.cwd, set: setDigest(set, hash) },
    hash,
  );
}

/** Whether a ticket covers every hook that asks for a person now: those that opened it, and those that were settled on the way there. */
export function covers({ heldBy, reports }: HeldAction, firing: Firing): boolean {
  const answered = new Set([...heldBy, ...reports].filter(wantsPerson).map(hookIdentity));
  return firing.reports.filter(wantsPerson).every((report) => answered.has(hookIdentity(report)));
}

export function wantsPerson({ decision }: HookReport): boolean {
  return decision === 'hold' || decision === 'ask';
}

export function newTicket({ ports, settings }: EngineContext, firing: Firing, reason: string, digest: string, now: number): NewTicket {
  const { event, total, earlierReports, reports } = firing;
  const waiting = [...(firing.waiting ?? []), ...(firing.detached ?? []).map(({ hook }) => hook.id)];
  return {
    id: ports.newId(),
    digest,
    kind: event.kind,
    tool: textOf(event.data['tool']) ?? null,
    session: event.session.id,
    root: settings.root,
    reason,
    openedAt: now,
    expiresAt: now + settings.ticketLifeMs,
    action: {
      event,
      heldBy: reports.filter(wantsPerson),
      waiting,
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
  if (fitted !== undefined) return fitted;
  const target = kindRule(kind).rewrites;
  const message = target
    ? `The edited input of ${kind} must be ${target.type === 'object' ? 'a map' : 'text'}.`
    : `The event ${kind} has no input that can be replaced.`;
  throw new HooklineError('bad-option', message, { hint: 'Nothing was settled.' });
}

/** Returns the hooks that asked for a person, by the ids they have in this process. */
export function settledHere({ placed }: HookSet, heldBy: readonly HookReport[]): ReadonlySet<string> {
  const here = heldBy.flatMap((report) => {
    if (placed.some(({ hook }) => hook.id === report.id)) return [report.id];
    const alike = placed.filter(({ hook }) => hookIdentity(hook) === hookIdentity(report));
    // If several hooks have the same name, it is unknown which of them was settled, so all of them are asked.
    return alike.length === 1 ? alike.map(({ hook }) => hook.id) : [];
  });
  return new Set(here);
}
