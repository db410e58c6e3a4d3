/** Grants in SQLite. One conditional UPDATE counts a use or revokes, so no use follows a revocation. Its entry is in the same transaction. */
import type { Grant, GrantStore, NewGrant } from '../../core/record/grant.ts';
import { type Change, grantEntryId, isProvenGrant } from '../../core/record/ledger.ts';
import type { Chain } from './chain.ts';
import type { Database, Row } from './database.ts';
import { entryById } from './log.ts';

const ALIVE = 'revoked_at IS NULL AND expires_at > ?';
const USE = `UPDATE grants SET uses = uses + 1, used_at = ? WHERE id = ? AND ${ALIVE} RETURNING *`;
const REVOKE = 'UPDATE grants SET revoked_at = ?, revoked_by = ? WHERE id = ? AND revoked_at IS NULL RETURNING *';
const GET = 'SELECT * FROM grants WHERE id = ?';
const ADD = 'INSERT INTO grants (id, root, at, expires_at, body) VALUES (?, ?, ?, ?, ?) RETURNING *';

export function createSqliteGrants(database: Database, chain: Chain): GrantStore {
  /** Changes one row and records the change. */
  const change = (work: () => Row | undefined, changeOf: (grant: Grant) => Change): Grant | undefined =>
    database.write(() => {
      const row = work();
      if (!row) return undefined;
      const grant = grantOf(row);
      chain.record(changeOf(grant));
      return grant;
    });
  const isProven = (id: string): boolean => {
    const { ledger } = chain;
    const row = ledger && database.get(GET, id);
    if (!ledger || !row) return true;
    const grant = grantOf(row);
    const entry = (kind: 'grant.given' | 'grant.revoked') => entryById(database, grantEntryId(grant, kind));
    return isProvenGrant(ledger, grant, entry('grant.given'), entry('grant.revoked'));
  };
  return {
    async add(given) {
      const { id, root, at, expiresAt } = given;
      const body = JSON.stringify(given);
      const work = (): Row | undefined => database.get(ADD, id, root, at, expiresAt, body);
      return change(work, (grant) => ({ kind: 'grant.given', at, grant })) as Grant;
    },
    async list({ root, all = false }, now) {
      const conditions = [...(root === undefined ? [] : ['root = ?']), ...(all ? [] : [ALIVE])].join(' AND ') || 'true';
      const values = [...(root === undefined ? [] : [root]), ...(all ? [] : [now])];
      return database.map(`SELECT * FROM grants WHERE ${conditions} ORDER BY at, id`, values, grantOf);
    },
    async get(id) {
      const row = database.get(GET, id);
      return row && grantOf(row);
    },
    async use(id, use, now) {
      return change(
        () => (isProven(id) ? database.get(USE, now, id, now) : undefined),
        (grant) => ({ kind: 'grant.used', at: now, grant, use }),
      );
    },
    async revoke(id, { name, actor }, now) {
      return change(
        () => database.get(REVOKE, now, name, id),
        (grant) => ({ kind: 'grant.revoked', at: now, grant, actor }),
      );
    },
  };
}

/** A column overrules the text, because the column is what the conditions test. */
function grantOf(row: Row): Grant {
  return {
    ...(JSON.parse(String(row['body'])) as NewGrant),
    id: String(row['id']),
    root: String(row['root']),
    at: row['at'] as number,
    expiresAt: row['expires_at'] as number,
    revokedAt: row['revoked_at'] as number | null,
    revokedBy: row['revoked_by'] as string | null,
    uses: row['uses'] as number,
    usedAt: row['used_at'] as number | null,
  };
}
