/** Grants in Postgres. One conditional UPDATE counts a use or revokes, so no use follows a revocation. Its entry is in the same transaction. */
import type { Grant, GrantStore, NewGrant } from '../../core/record/grant.ts';
import { type Change, grantEntryId, isProvenGrant, type Ledger } from '../../core/record/ledger.ts';
import type { Chain } from './chain.ts';
import { column, type Database, type Query, type Value } from './database.ts';
import { entryById } from './log.ts';

interface Row {
  readonly id: string;
  readonly root: string;
  readonly at: number;
  readonly body: string;
  readonly expires_at: number;
  readonly revoked_at: number | null;
  readonly revoked_by: string | null;
  readonly uses: number;
  readonly used_at: number | null;
}

const COLUMNS = 'id, root, at, body, expires_at, revoked_at, revoked_by, uses, used_at';
const USE = `UPDATE hookline.grants SET uses = uses + 1, used_at = $2
  WHERE id = $1 AND revoked_at IS NULL AND expires_at > $2 RETURNING ${COLUMNS}`;
const REVOKE = `UPDATE hookline.grants SET revoked_at = $2, revoked_by = $3 WHERE id = $1 AND revoked_at IS NULL RETURNING ${COLUMNS}`;
const GET = `SELECT ${COLUMNS} FROM hookline.grants WHERE id = $1`;
const ADD = `INSERT INTO hookline.grants (id, root, at, expires_at, body) VALUES ($1, $2, $3, $4, $5) RETURNING ${COLUMNS}`;

export function createPostgresGrants(database: Database, chain: Chain): GrantStore {
  /** Changes one row and records the change. */
  const change = (sql: string, values: readonly Value[], changeOf: (grant: Grant) => Change): Promise<Grant | undefined> =>
    chain.holding(async ({ query, record }) => {
      if (sql === USE && chain.ledger && !(await isProven(query, chain.ledger, values[0] as string))) return undefined;
      const [row] = await query<Row>(sql, values);
      if (!row) return undefined;
      const grant = grantOf(row);
      await record([changeOf(grant)]);
      return grant;
    });
  return {
    async add(given) {
      const { id, root, at, expiresAt } = given;
      const values = [column(id), column(root), at, expiresAt, JSON.stringify(given)];
      return (await change(ADD, values, (grant) => ({ kind: 'grant.given', at, grant }))) as Grant;
    },
    async list({ root, all = false }, now) {
      const values: Value[] = [];
      const conditions = ['true'];
      if (root !== undefined) conditions.push(`root = $${values.push(column(root))}`);
      if (!all) conditions.push(`revoked_at IS NULL AND expires_at > $${values.push(now)}`);
      const sql = `SELECT ${COLUMNS} FROM hookline.grants WHERE ${conditions.join(' AND ')} ORDER BY at, id`;
      return (await database.read<Row>(sql, values)).map(grantOf);
    },
    async get(id) {
      const [row] = await database.read<Row>(GET, [column(id)]);
      return row && grantOf(row);
    },
    use: (id, use, now) => change(USE, [column(id), now], (grant) => ({ kind: 'grant.used', at: now, grant, use })),
    revoke: (id, { name, actor }, now) =>
      change(REVOKE, [column(id), now, name === null ? null : column(name)], (grant) => ({ kind: 'grant.revoked', at: now, grant, actor })),
  };
}

/** Locks the row, so that it cannot be changed between the look and the use. */
async function isProven(query: Query, ledger: Ledger, id: string): Promise<boolean> {
  const [row] = await query<Row>(`${GET} FOR UPDATE`, [id]);
  if (!row) return false;
  const grant = grantOf(row);
  const entry = (kind: 'grant.given' | 'grant.revoked') => entryById(query, grantEntryId(grant, kind));
  return isProvenGrant(ledger, grant, await entry('grant.given'), await entry('grant.revoked'));
}

/** A column overrules the text, because the column is what the conditions test. */
function grantOf({ body, id, root, at, expires_at, revoked_at, revoked_by, uses, used_at }: Row): Grant {
  const given = JSON.parse(body) as NewGrant;
  // A column may hold less than the text: no NUL, for example. It differs only if it was changed.
  const named = { id: column(given.id) === id ? given.id : id, root: column(given.root) === root ? given.root : root };
  return { ...given, ...named, at, expiresAt: expires_at, revokedAt: revoked_at, revokedBy: revoked_by, uses, usedAt: used_at };
}
