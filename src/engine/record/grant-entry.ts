/** The entry of a grant in the log: that it was given, used or revoked. */
import type { LogRecord } from '../../core/record/decision-record.ts';
import { grantText, scopeText } from '../../core/record/grant.ts';
import { type Change, grantEntryId } from '../../core/record/ledger.ts';
import type { Who } from '../../core/record/who.ts';
import type { Hash } from '../../core/values/digest.ts';
import type { JsonObject } from '../../core/values/json.ts';
import { actRecord } from './act.ts';

type GrantChange = Extract<Change, { readonly kind: `grant.${string}` }>;

/** @param who the account that gives or revokes it; a use names its own */
export function grantEntry(change: GrantChange, hash: Hash, who?: Who): LogRecord {
  const { kind, at, grant } = change;
  const account = change.kind === 'grant.used' ? (change.use.who ?? who) : who;
  const actor = change.kind === 'grant.given' ? grant.actor : change.kind === 'grant.revoked' ? change.actor : undefined;
  return actRecord(
    {
      // The same in every process, so that the entry can be looked up.
      id: grantEntryId(grant, kind),
      at,
      kind,
      allowed: true,
      says: sentence(change),
      data: dataOf(change),
      root: grant.root,
      ticket: grant.ticket,
      tool: change.kind === 'grant.used' ? change.use.tool : grant.scope.tool,
      ...(account && { who: account }),
      ...(actor && { actor }),
      ...(change.kind === 'grant.used' ? { session: change.use.session } : grant.session !== null && { session: grant.session }),
    },
    hash,
  );
}

function sentence({ kind, grant }: GrantChange): string {
  const until = new Date(grant.expiresAt).toISOString();
  switch (kind) {
    case 'grant.given':
      return `${grant.by ?? 'Somebody'} gave grant ${grant.id}: ${grantText(grant, until)}.`;
    case 'grant.used':
      return `Grant ${grant.id} let an action pass, for the ${ordinal(grant.uses)} time: ${scopeText(grant.scope)}.`;
    case 'grant.revoked':
      return `${grant.revokedBy ?? 'Somebody'} revoked grant ${grant.id}: ${scopeText(grant.scope)}.`;
  }
}

function dataOf(change: GrantChange): JsonObject {
  const { actor: _, ...facts } = change.grant;
  const { who: __, ...use } = change.kind === 'grant.used' ? change.use : {};
  // Both consist of JSON only.
  return { grant: facts, ...(change.kind === 'grant.used' && { use }) } as unknown as JsonObject;
}

function ordinal(count: number): string {
  const last = count % 100 >= 11 && count % 100 <= 13 ? 0 : count % 10;
  return `${count}${['th', 'st', 'nd', 'rd'][last] ?? 'th'}`;
}
