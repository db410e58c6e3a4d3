/** Shows and settles held actions from any process that can open the store. */

import type { Store, TicketFilter, TicketRecord } from '../core/contracts/store.ts';
import { EMBEDDING } from '../core/contracts/who.ts';
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

export interface ApproveOptions extends SettleOptions {
  /** Replaces the input; the hooks then judge it again. */
  readonly input?: Json;
  /** The approval counts for anyone who takes this action on this store (default: for the one whose action it is). */
  readonly anyone?: boolean;
}

export interface Approvals {
  list(filter?: TicketFilter): Promise<readonly TicketRecord[]>;
  get(id: string): Promise<TicketRecord | undefined>;
  /** Lets the next identical event pass, once. */
  approve(id: string, options?: ApproveOptions): Promise<TicketRecord>;
  deny(id: string, options?: SettleOptions): Promise<TicketRecord>;
  /** Withdraws a ticket that no longer needs a decision. */
  withdraw(id: string, options?: SettleOptions): Promise<TicketRecord>;
}

export function createApprovals(
  store: () => Promise<Store>,
  clock: Clock,
  tell: Ports['notify'],
  whoAmI: NonNullable<Ports['who']>,
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
  return {
    list: async (filter = {}) => (await store()).tickets.list(filter, clock.now()),
    get: async (id) => (await store()).tickets.get(id, clock.now()),
    approve: (id, options = {}) => settle(id, 'approved', options),
    deny: (id, options = {}) => settle(id, 'denied', options),
    withdraw: (id, options = {}) => settle(id, 'withdrawn', options),
  };
}
