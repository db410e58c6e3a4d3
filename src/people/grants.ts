/** Gives, lists and revokes grants. The scope is fixed before the ticket is settled, so a person never gives more than was shown. */

import type { Store, TicketRecord } from '../core/contracts/store.ts';
import type { HookEvent } from '../core/event/event.ts';
import {
  type Grant,
  type GrantScope,
  type GrantWish,
  hookIdentity,
  LONGEST_SESSION_MS,
  type NewGrant,
  readGrantTime,
  SAMENESS,
} from '../core/record/grant.ts';
import type { Actor } from '../core/record/who.ts';
import { HooklineError } from '../core/values/errors.ts';
import type { Clock } from '../engine/ports.ts';

/** The parts that are handed in: the scope of an action, ids, and the session of events that name none. */
export interface GrantParts {
  scopeOf(event: HookEvent, wish: GrantWish, root: string): Promise<ScopeFound>;
  newId(): string;
  readonly namelessSession: string;
}

export type ScopeFound = { readonly scope: GrantScope } | { readonly why: string; readonly hint: string };

/** How a person asks for a grant, as they write it. */
export interface GrantOptions {
  /** `30m`, `1h`, `7d`, at most 30 days; or `session`. Lets more than this one action pass. */
  readonly for?: string;
  /** Default: the same action. */
  readonly same?: GrantWish['same'];
  readonly prefix?: string;
  readonly path?: string;
  /** For everybody who uses this store, and not only for the one whose action it was. */
  readonly anyone?: boolean;
}

/** A grant without the name of the one who gives it. */
export type PlannedGrant = Omit<NewGrant, 'by' | 'note' | 'actor'>;

/** Reads the options. Undefined: no grant is asked for. Throws `bad-option` if they do not fit together. */
export function readWish({ for: time, same, prefix, path }: GrantOptions): GrantWish | undefined {
  const [needless] = Object.entries({ same, prefix, path }).find(([, value]) => value !== undefined) ?? [];
  if (time === undefined) {
    if (needless === undefined) return undefined;
    throw badWish(`\`${needless}\` needs \`for\`.`, 'Say how long it holds: `1h`, or `session`.');
  }
  const ms = readGrantTime(time);
  if (ms === undefined) throw badWish(`A grant cannot hold for \`${time}\`.`, 'Write `30m`, `1h`, `7d` (at most 30 days) or `session`.');
  if (same !== undefined && !SAMENESS.includes(same))
    throw badWish(`There is no \`same\` called \`${same}\`.`, `Write ${SAMENESS.join(', ')}.`);
  if (prefix !== undefined && same !== 'command-prefix') throw badWish('`prefix` needs `same` with `command-prefix`.', 'Add it.');
  if (path !== undefined && same !== 'path') throw badWish('`path` needs `same` with `path`.', 'Add it.');
  return { for: ms, ...(same && { same }), ...(prefix !== undefined && { prefix }), ...(path !== undefined && { path }) };
}

/** Returns the grant that would be given with this ticket. Throws `bad-option` if there is no such grant. */
export async function planGrant(
  ticket: TicketRecord,
  wish: GrantWish,
  { anyone = false }: Pick<GrantOptions, 'anyone'>,
  parts: GrantParts,
  now: number,
): Promise<PlannedGrant> {
  const { heldBy, event } = ticket.action;
  if (heldBy.some(({ status }) => status !== 'answered'))
    throw badWish('A hook asks because it failed, and that is no question that a grant can answer.', 'Approve it once, and fix the hook.');
  if (wish.for === 'session' && ticket.session === parts.namelessSession)
    throw badWish('The agent does not name its session.', 'Name a time: `1h`.');
  const found = await parts.scopeOf(event, wish, ticket.root);
  if ('why' in found) throw badWish(found.why, found.hint);
  return {
    id: parts.newId(),
    ticket: ticket.id,
    kind: ticket.kind,
    scope: found.scope,
    hooks: [...new Set(heldBy.map(hookIdentity))],
    session: wish.for === 'session' ? ticket.session : null,
    root: ticket.root,
    who: anyone ? null : (ticket.who ?? null),
    at: now,
    expiresAt: now + (wish.for === 'session' ? LONGEST_SESSION_MS : wish.for),
  };
}

/** The grants of a store. */
export interface Grants {
  /** Those that are neither revoked nor expired; with `all`, also those. Oldest first. */
  list(filter?: { readonly root?: string; readonly all?: boolean }): Promise<readonly Grant[]>;
  get(id: string): Promise<Grant | undefined>;
  /** From now on it lets nothing pass. */
  revoke(id: string, options?: { readonly by?: string; readonly via?: string }): Promise<Grant>;
}

/** A program that embeds the engine acts with its own authority. */
export function embedding(via: string): Actor {
  return { finding: 'unclear', evidence: [], via, by: 'embedding' };
}

export function createGrants(store: () => Promise<Store>, clock: Clock): Grants {
  return {
    list: async (filter = {}) => (await store()).grants.list(filter, clock.now()),
    get: async (id) => (await store()).grants.get(id),
    async revoke(id, { by, via = 'api' } = {}) {
      const { grants } = await store();
      const revoked = await grants.revoke(id, { name: by ?? null, actor: embedding(via) }, clock.now());
      if (revoked) return revoked;
      const known = await grants.get(id);
      const message = known ? `Grant ${id} was already revoked.` : `There is no grant ${id}.`;
      throw new HooklineError('unknown-grant', message, { hint: 'It permits nothing.' });
    },
  };
}

function badWish(message: string, hint: string): HooklineError {
  return new HooklineError('bad-option', message, { hint });
}
