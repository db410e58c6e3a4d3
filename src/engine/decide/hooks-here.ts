/**
 * The hooks of a ticket in this process. A ticket outlives the process that opened it, and a hook that is a function has another id in each, so
 * hooks are found by their identity: the same in every process.
 */

import type { HeldAction, HookPlace, TicketRecord } from '../../core/contracts/store.ts';
import type { HookReport } from '../../core/decision/outcome.ts';
import { hookIdentity } from '../../core/record/grant.ts';
import { HooklineError } from '../../core/values/errors.ts';
import type { HookSet } from '../hook-set.ts';

/** Returns the ids that a hook of a ticket may have here: its own, or those of all hooks with its identity. */
function idsHere({ placed }: HookSet, wanted: HookPlace): readonly string[] {
  if (placed.some(({ hook }) => hook.id === wanted.id)) return [wanted.id];
  return placed.filter(({ hook }) => hookIdentity(hook) === hookIdentity(wanted)).map(({ hook }) => hook.id);
}

/** Returns the hooks that asked for a person, by the ids they have in this process. */
export function settledHere(set: HookSet, heldBy: readonly HookReport[]): ReadonlySet<string> {
  // If several hooks have the same name, it is unknown which of them was settled, so all of them are asked.
  return new Set(heldBy.map((report) => idsHere(set, report)).flatMap((ids) => (ids.length === 1 ? ids : [])));
}

/** Returns the hooks that were not asked yet, by the ids they have here. Of several with the same name all are asked. */
export function waitingHere(set: HookSet, action: HeldAction): ReadonlySet<string> {
  return new Set(waitingOf(action).flatMap((hook) => idsHere(set, hook)));
}

/** A ticket of an older version has only the ids. */
function waitingOf({ waiting, waitingHooks }: HeldAction): readonly HookPlace[] {
  return waitingHooks ?? waiting.map((id) => ({ id, name: id, dialect: '', event: '', source: { file: '', scope: 'runtime' } }));
}

/** Returns the hooks that judged the action, or still have to, and that are not loaded here. Without them nothing may let it pass. */
export function missingHere(set: HookSet, action: HeldAction): readonly HookPlace[] {
  const asked = [...action.reports, ...action.heldBy].filter(({ status }) => status === 'answered' || status === 'faulted');
  const missing = [...asked, ...waitingOf(action)].filter((hook) => idsHere(set, hook).length === 0);
  return [...new Map(missing.map((hook) => [hook.id, hook])).values()];
}

/** @throws HooklineError `hooks-missing` if this process lacks hooks of the ticket */
export function demandHooks(set: HookSet, { id, state, action }: TicketRecord): void {
  const missing = missingHere(set, action);
  if (missing.length === 0) return;
  const names = missing.map(({ name, source: { file } }) => (file === '' ? `'${name}'` : `'${name}' (${file})`)).join(', ');
  const rest = state === 'open' ? 'Nothing was settled.' : 'The approval was not used.';
  const message = `Ticket ${id} cannot go on here, because ${missing.length === 1 ? 'a hook' : 'hooks'} of its action ${missing.length === 1 ? 'is' : 'are'} not loaded: ${names}. ${rest}`;
  const hint =
    'Resume it in a process that loads these hooks, or approve it with `hookline approvals approve` and let the agent try again.';
  throw new HooklineError('hooks-missing', message, { hint });
}
