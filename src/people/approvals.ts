/** Shows and settles held actions from any process that can open the store. */

import type { Store, TicketFilter, TicketRecord } from '../core/contracts/store.ts';
import { EMBEDDING, type Who } from '../core/contracts/who.ts';
import { HooklineError } from '../core/values/errors.ts';
import type { Json } from '../core/values/json.ts';
import { fitEdit } from '../engine/decide/ticket.ts';
import type { Clock, Ports } from '../engine/ports.ts';

export interface SettleOptions {
  readonly by?: string;
  readonly note?: string;
  /** Where the decision was made. Default: `api`. */
  readonly via?: string;
}

export interface Approvals {
  list(filter?: TicketFilter): Promise<readonly TicketRecord[]>;
  get(id: string): Promise<TicketRecord | undefined>;
  /** Lets the next identical event pass, once. `input` replaces the input; the hooks then judge it again. */
  approve(id: string, options?: SettleOptions & { readonly input?: Json }): Promise<TicketRecord>;
  deny(id: string, options?: SettleOptions): Promise<TicketRecord>;
  /** Withdraws a ticket that no longer needs a decision. */
  withdraw(id: string, options?: SettleOptions): Promise<TicketRecord>;
}

/** @param who the account of this process */
export function createApprovals(store: () => Promise<Store>, clock: Clock, tell: Ports['notify'], who?: () => Who): Approvals {
  const settle = async (
    id: string,
    state: 'approved' | 'denied' | 'withdrawn',
    options: SettleOptions & { input?: Json },
  ): Promise<TicketRecord> => {
    const { tickets } = await store();
    const { by = null, note = null, via = 'api', input } = options;
    const found = input === undefined ? undefined : await tickets.get(id, clock.now());
    const edit = input !== undefined && found ? fitEdit(found.kind, input) : null;
    const settled = await tickets.settle(id, { state, at: clock.now(), by, note, via, edit, ...(who && { who: who() }), actor: EMBEDDING });
    if (!settled) throw new HooklineError('unknown-ticket', `There is no ticket ${id}.`);
    if (!settled.won)
      throw new HooklineError('ticket-settled', `Ticket ${id} is already ${settled.ticket.state}.`, {
        hint: 'Fire the event again for a new ticket.',
      });
    tell('ticket.settled', settled.ticket);
    return settled.ticket;
  };
  return {
    list: async (filter = {}) => (await store()).tickets.list(filter, clock.now()),
    get: async (id) => (await store()).tickets.get(id, clock.now()),
    approve: (id, options = {}) => settle(id, 'approved', options),
    deny: (id, options = {}) => settle(id, 'denied', options),
    withdraw: (id, options = {}) => settle(id, 'withdrawn', options),
  };
}
