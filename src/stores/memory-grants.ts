/** Grants in memory. Each change is one synchronous step, and its entry is written in the same step. */
import type { Grant, GrantStore } from '../core/record/grant.ts';
import type { Change } from '../core/record/ledger.ts';

/** @param throwIfClosed throws if the store was closed */
export function createMemoryGrants(throwIfClosed: () => void, record: (change: Change) => void): GrantStore {
  const grants = new Map<string, Grant>();
  const keep = (grant: Grant, change: Change): Grant => {
    // The log in memory appends at once or throws, so a grant never changes without its entry.
    record(change);
    grants.set(grant.id, grant);
    return grant;
  };
  return {
    async add(given) {
      throwIfClosed();
      if (grants.has(given.id)) throw new Error(`There is already a grant ${given.id}.`);
      const grant: Grant = { ...structuredClone(given), revokedAt: null, revokedBy: null, uses: 0, usedAt: null };
      return keep(grant, { kind: 'grant.given', at: grant.at, grant });
    },
    async list({ root, all = false }, now) {
      throwIfClosed();
      return [...grants.values()]
        .filter((grant) => (root ?? grant.root) === grant.root && (all || isAlive(grant, now)))
        .sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
    },
    async get(id) {
      throwIfClosed();
      return grants.get(id);
    },
    async use(id, use, now) {
      throwIfClosed();
      const found = grants.get(id);
      if (!found || !isAlive(found, now)) return undefined;
      const grant = { ...found, uses: found.uses + 1, usedAt: now };
      return keep(grant, { kind: 'grant.used', at: now, grant, use });
    },
    async revoke(id, { name, actor }, now) {
      throwIfClosed();
      const found = grants.get(id);
      if (!found || found.revokedAt !== null) return undefined;
      const grant = { ...found, revokedAt: now, revokedBy: name };
      return keep(grant, { kind: 'grant.revoked', at: now, grant, actor });
    },
  };
}

function isAlive({ revokedAt, expiresAt }: Grant, now: number): boolean {
  return revokedAt === null && now < expiresAt;
}
