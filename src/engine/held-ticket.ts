/** What a ticket is made of: the digest of exactly what would run, and all that is needed to show it and to go on with it. */
import { type Decision, PASS } from '../core/decision.ts';
import { digestOf } from '../core/digest.ts';
import { HooklineError } from '../core/errors.ts';
import { type EventKind, fitRewrite, type HookEvent, kindRule } from '../core/event.ts';
import { type Json, type JsonObject, textOf } from '../core/json.ts';
import type { HookReport } from '../core/outcome.ts';
import type { NewTicket } from '../core/store.ts';
import type { EngineContext } from './context.ts';
import type { Firing } from './firing.ts';
import { type HookSet, setDigest } from './hook-set.ts';

type Held = { readonly event: HookEvent; readonly reports: readonly HookReport[] };

/** What would run, where, and who wants a person: not the session, nor ids that are new with every try. */
export function actionDigest(context: EngineContext, set: HookSet, { event, reports }: Held): string {
  const { toolUseId: _, metadata: __, continuations: ___, ...data } = event.data;
  const holders = reports.filter(({ decision }) => decision === 'hold' || decision === 'ask');
  const hooks = holders.map(({ dialect, event: native, name, source: { file } }) => ({ dialect, native, name, file }));
  const { hash } = context.ports;
  return digestOf({ kind: event.kind, data, root: context.settings.root, cwd: event.session.cwd, hooks, set: setDigest(set, hash) }, hash);
}

export function newTicket(
  id: string,
  digest: string,
  firing: Firing,
  decision: Decision & { kind: 'hold' },
  root: string,
  openedAt: number,
  expiresAt: number,
): NewTicket {
  const { event, total, before, reports } = firing;
  const waiting = [...(firing.waiting ?? []), ...(firing.detached ?? []).map(({ hook }) => hook.id)];
  return {
    id,
    digest,
    kind: event.kind,
    tool: textOf(event.data['tool']) ?? null,
    session: event.session.id,
    root,
    reason: decision.reason,
    openedAt,
    expiresAt,
    action: {
      event,
      heldBy: reports.filter(({ decision: said }) => said === 'hold' || said === 'ask'),
      waiting,
      reports: [...before, ...reports].filter((report) => !waiting.includes(report.id)),
      sum: { ...total, decision: PASS } as unknown as JsonObject,
    },
  };
}

/** What a person wants to run instead, as this kind of event carries it. */
export function fitEdit(kind: EventKind, edit: Json): Json {
  const fitted = fitRewrite(kind, edit);
  if (fitted !== undefined) return fitted;
  const target = kindRule(kind).rewrites;
  const message = target
    ? `The edited input of ${kind} must be ${target.type === 'object' ? 'a map' : 'text'}.`
    : `A ${kind} has no input that could be replaced.`;
  throw new HooklineError('bad-option', message, { hint: 'Nothing was settled.' });
}

/** The hooks that wanted a person, by the ids they have here: one written in code gets another id in every process. */
export function settledHere({ placed }: HookSet, heldBy: readonly HookReport[]): ReadonlySet<string> {
  const here = heldBy.flatMap(({ id, dialect, event, name, source: { file } }) => {
    if (placed.some(({ hook }) => hook.id === id)) return [id];
    const alike = placed.filter(
      ({ hook }) => hook.dialect === dialect && hook.event === event && hook.name === name && hook.source.file === file,
    );
    // If several are called the same, nobody can tell which of them was settled: they are asked.
    return alike.length === 1 ? alike.map(({ hook }) => hook.id) : [];
  });
  return new Set(here);
}
