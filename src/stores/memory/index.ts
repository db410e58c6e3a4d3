/** A store that lives as long as the process: for tests, and for hosts that keep nothing. Same laws as the durable ones. */
import type { Store } from '../../core/store.ts';
import { createMemoryAudit } from './audit.ts';
import { createMemoryTickets } from './tickets.ts';

export function createMemoryStore(): Store {
  const life = new AbortController();
  return {
    tickets: createMemoryTickets(life.signal),
    audit: createMemoryAudit(life.signal),
    async close() {
      life.abort();
    },
  };
}
