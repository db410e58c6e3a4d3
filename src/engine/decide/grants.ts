/**
 * Grants: approvals for more than one action. A grant answers only the hooks it was given for. Every hook that asks must be answered, and each
 * use is counted and recorded before the action passes.
 */

import type { GrantRef } from '../../core/decision/outcome.ts';
import { sameActionDigest } from '../../core/event/tool-wording.ts';
import { type Grant, hookIdentity, scopeText } from '../../core/record/grant.ts';
import type { Who } from '../../core/record/who.ts';
import { canonicalJson } from '../../core/values/digest.ts';
import { textOf } from '../../core/values/json.ts';
import type { Firing } from '../ask/firing.ts';
import type { HookSet } from '../hook-set.ts';
import type { EngineContext } from '../ports.ts';
import { wantsPerson } from './ticket.ts';

/** The grants that answer all hooks that ask, each of them used. */
export interface Granted {
  readonly reason: string;
  readonly refs: readonly GrantRef[];
}

/** Uses the grants that together cover this action. Undefined: a person must be asked. */
export async function useGrants(context: EngineContext, set: HookSet, firing: Firing): Promise<Granted | undefined> {
  const { ports, settings } = context;
  const { event } = firing;
  const asking = askingHooks(set, firing);
  if (!asking) return undefined;
  const store = await ports.store();
  const alive = await store.grants.list({ root: settings.root }, ports.clock.now());
  if (alive.length === 0) return undefined;
  const who = ports.who?.(event.caller);
  const chosen = new Set<Grant>();
  const isCovered = coverage(context, firing);
  for (const hook of asking) {
    const usable = alive.filter((grant) => grant.hooks.includes(hook) && isMeantFor(grant, firing, who));
    const grant = await firstOf(usable, isCovered);
    if (!grant) return undefined;
    chosen.add(grant);
  }
  const use = {
    event: event.id,
    session: event.session.id,
    tool: textOf(event.data['tool']) ?? null,
    what: whatOf(firing),
    ...(who && { who }),
  };
  const used: Grant[] = [];
  for (const found of chosen) {
    const grant = await store.grants.use(found.id, use, ports.clock.now());
    // It was revoked, changed or has expired since it was found. A grant that was used before it counts one use too many.
    if (!grant || limitsOf(grant) !== limitsOf(found)) return undefined;
    used.push(grant);
  }
  return { reason: used.map(sentence).join(' '), refs: used.map(refOf) };
}

/** Returns the hooks that ask for a person. Undefined if one of them cannot be told from another, or asks only because it failed. */
function askingHooks({ placed }: HookSet, { reports }: Firing): readonly string[] | undefined {
  const asking = reports.filter(wantsPerson);
  const identities = asking.map(hookIdentity);
  const isClear = asking.every(
    (report, i) => report.status === 'answered' && placed.filter(({ hook }) => hookIdentity(hook) === identities[i]).length === 1,
  );
  return isClear && asking.length > 0 ? identities : undefined;
}

function isMeantFor(grant: Grant, { event }: Firing, who: Who | undefined): boolean {
  if (grant.kind !== event.kind || (grant.session !== null && grant.session !== event.session.id)) return false;
  return grant.who === null || (grant.who.userId === who?.userId && grant.who.machine.id === who.machine.id);
}

/** Returns the test of whether a grant covers the action as the hooks left it. */
function coverage({ ports }: EngineContext, { event }: Firing): (grant: Grant) => Promise<boolean> {
  return async ({ scope }) =>
    scope.same === 'action' ? sameActionDigest(event, ports.hash) === scope.digest : ((await ports.inScope?.(scope, event)) ?? false);
}

async function firstOf(grants: readonly Grant[], isCovered: (grant: Grant) => Promise<boolean>): Promise<Grant | undefined> {
  for (const grant of grants) if (await isCovered(grant)) return grant;
  return undefined;
}

function limitsOf({ kind, scope, hooks, session, root, who }: Grant): string {
  return canonicalJson({ kind, scope, hooks, session, root, who });
}

const MOST = 400;

/** Returns the action in words, for the log, which masks secrets. */
function whatOf({ event: { data } }: Firing): string {
  const input = data['input'] ?? data;
  const text = typeof input === 'string' ? input : JSON.stringify(input);
  return text.length > MOST ? `${text.slice(0, MOST)}…` : text;
}

function sentence({ by, scope, expiresAt }: Grant): string {
  return `Granted${by === null ? '' : ` by ${by}`} until ${new Date(expiresAt).toISOString()} (${scopeText(scope)}).`;
}

function refOf({ id, by, expiresAt }: Grant): GrantRef {
  return { id, by, expiresAt: new Date(expiresAt).toISOString() };
}
