/** Shows and settles held actions from any process that can open the store. */

import type { Store, TicketFilter, TicketRecord } from '../core/contracts/store.ts';
import type { Grant } from '../core/record/grant.ts';
import { EMBEDDING } from '../core/record/who.ts';
import { HooklineError } from '../core/values/errors.ts';
import type { Json } from '../core/values/json.ts';
import { fitEdit } from '../engine/decide/ticket.ts';
import type { Clock, Ports } from '../engine/ports.ts';
import { createGrants, embedding, type GrantOptions, type GrantParts, type Grants, planGrant, readWish } from './grants.ts';

export interface SettleOptions {
  readonly by?: string;
  readonly note?: string;
  /** Where the decision was made. Default: `api`. */
  readonly via?: string;
}

export interface ApproveOptions extends SettleOptions {
  /** Replaces the input; the hooks then judge it again. */
  readonly input?: Json;
  /** The approval counts for anyone who takes this action on this store (default: for the one whose action it is). */
  readonly anyone?: boolean;
}

export interface Approvals {
  list(filter?: TicketFilter): Promise<readonly TicketRecord[]>;
  /** Returns how many tickets there are, for a list that is shown page by page. */
  count(filter?: Pick<TicketFilter, 'state' | 'root'>): Promise<number>;
  get(id: string): Promise<TicketRecord | undefined>;
  /**
   * Lets the next identical event pass, once. With `for`, it also gives a grant, which lets more actions pass.
   */
  approve(id: string, options?: ApproveOptions & GrantOptions): Promise<TicketRecord & { readonly grant?: Grant }>;
  deny(id: string, options?: SettleOptions): Promise<TicketRecord>;
  /** Withdraws a ticket that no longer needs a decision. */
  withdraw(id: string, options?: SettleOptions): Promise<TicketRecord>;
  /** The approvals for more than one action. */
  readonly grants: Grants;
}

export function createApprovals(
  store: () => Promise<Store>,
  clock: Clock,
  tell: Ports['notify'],
  whoAmI: NonNullable<Ports['who']>,
  parts: GrantParts,
): Approvals {
  const settle = async (id: string, state: 'approved' | 'denied' | 'withdrawn', options: ApproveOptions): Promise<TicketRecord> => {
    const { tickets } = await store();
    const { by = null, note = null, via = 'api', input, anyone } = options;
    const found = input === undefined ? undefined : await tickets.get(id, clock.now());
    const edit = input !== undefined && found ? fitEdit(found.kind, input) : null;
    const who = whoAmI();
    const settled = await tickets.settle(id, {
      ...{ state, at: clock.now(), by, note, via, edit, actor: { ...EMBEDDING, via } },
      ...(who && { who }),
      ...(anyone && { anyone }),
    });
    if (!settled) throw new HooklineError('unknown-ticket', `There is no ticket ${id}.`);
    if (!settled.won)
      throw new HooklineError('ticket-settled', `Ticket ${id} is already ${settled.ticket.state}.`, {
        hint:
          settled.ticket.state === 'denied'
            ? 'The same action is denied again until its ticket expires.'
            : 'Fire the event again for a new ticket.',
      });
    tell('ticket.settled', settled.ticket);
    return settled.ticket;
  };
  const approve: Approvals['approve'] = async (id, options = {}) => {
    const wish = readWish(options);
    if (!wish) return settle(id, 'approved', options);
    if (options.input !== undefined)
      throw new HooklineError('bad-option', 'An edited input cannot be granted.', { hint: 'Approve it once.' });
    const { tickets, grants } = await store();
    const ticket = await tickets.get(id, clock.now());
    const planned = ticket && (await planGrant(ticket, wish, options, parts, clock.now()));
    const settled = await settle(id, 'approved', options);
    if (!planned) return settled;
    const { by = null, note = null, via = 'api' } = options;
    return { ...settled, grant: await grants.add({ ...planned, by, note, actor: settled.actor ?? embedding(via) }) };
  };
  return {
    list: async (filter = {}) => (await store()).tickets.list(filter, clock.now()),
    count: async (filter = {}) => (await store()).tickets.count(filter, clock.now()),
    get: async (id) => (await store()).tickets.get(id, clock.now()),
    approve,
    deny: (id, options = {}) => settle(id, 'denied', options),
    withdraw: (id, options = {}) => settle(id, 'withdrawn', options),
    grants: createGrants(store, clock),
  };
}
