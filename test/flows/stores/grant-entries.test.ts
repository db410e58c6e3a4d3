/** Every change of a grant is an entry of the log in the same transaction: neither exists without the other, in every store. */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { sampleGrant, sampleRecord } from '../../../src/api/testing/sample-records.ts';
import { STORES } from '../../../src/builtins.ts';
import type { Store } from '../../../src/core/contracts/store.ts';
import { verifyChain } from '../../../src/core/record/decision-record.ts';
import type { Change, Ledger } from '../../../src/core/record/ledger.ts';
import { grantEntry } from '../../../src/engine/record/grant-entry.ts';
import { connect } from '../../../src/stores/sqlite/database.ts';
import { sql, testDatabase } from '../postgres/server.ts';

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
const BY = { name: 'bob', actor: { finding: 'person', evidence: [], via: 'cli' } } as const;
const USE = {
  event: 'e1',
  session: 'session-1',
  tool: 'Bash',
  what: 'npm run test --token ghp_0123456789abcdefghijABCDEFGHIJ012345',
} as const;

const cleanUps: (() => unknown)[] = [];
afterAll(async () => {
  for (const cleanUp of cleanUps) await cleanUp();
});

/** `fails` makes the entry of this change impossible. */
function ledger(fails?: Change['kind']): Ledger {
  return {
    hash,
    entryOf(change) {
      if (change.kind === fails) throw new Error('The entry cannot be written.');
      if (change.kind === 'grant.given' || change.kind === 'grant.used' || change.kind === 'grant.revoked') return grantEntry(change, hash);
      return sampleRecord('other');
    },
    proves: () => false,
    seal: null,
  };
}

const PLACES: Readonly<Record<string, () => string | Promise<string>>> = {
  'sqlite:': () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'hookline-grants-'));
    cleanUps.push(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
    return `sqlite:${path.join(folder, 'hookline.db')}`;
  },
  'postgres:': async () => {
    const { url, drop } = await testDatabase();
    cleanUps.push(drop);
    return url;
  },
};

/** Changes the rows without using the store. */
async function changed(url: string, change: string): Promise<void> {
  if (url.startsWith('postgres')) return void (await sql(url, change.replace(/\b(INTO|FROM|UPDATE) (grants|audit)\b/g, '$1 hookline.$2')));
  const connection = connect(url.replace('sqlite:', ''));
  connection.exec(change);
  connection.close();
}

describe.each(Object.keys(PLACES))('%s', (scheme) => {
  const withStores = async (
    work: (store: Store, open: (fails?: Change['kind']) => Promise<Store>, behind: (change: string) => Promise<void>) => Promise<void>,
  ): Promise<void> => {
    const url = (await PLACES[scheme]?.()) ?? '';
    const stores: Store[] = [];
    const open = async (fails?: Change['kind']): Promise<Store> => {
      const store = (await STORES[scheme]?.open(url, { ledger: ledger(fails) })) as Store;
      stores.push(store);
      return store;
    };
    try {
      await work(await open(), open, (change) => changed(url, change));
    } finally {
      for (const store of stores) await store.close();
    }
  };

  test('giving, each use and revoking are entries, in order, in the chain, and without secrets', () =>
    withStores(async (store) => {
      await store.log.append(sampleRecord('before'), hash);
      await store.grants.add(sampleGrant('g'));
      await store.grants.use('g', USE, 1100);
      await store.log.append(sampleRecord('between'), hash);
      await store.grants.use('g', USE, 1200);
      await store.grants.revoke('g', BY, 1300);
      await store.grants.use('g', USE, 1400);
      await store.grants.revoke('g', BY, 1400);
      const entries = await store.log.list({});
      expect(entries.map(({ id, kind }) => [id, kind])).toEqual([
        ['before', 'tool.before'],
        ['g.given', 'grant.given'],
        ['g.used.1', 'grant.used'],
        ['between', 'tool.before'],
        ['g.used.2', 'grant.used'],
        ['g.revoked', 'grant.revoked'],
      ]);
      expect(verifyChain(entries, await store.log.anchor(), hash)).toBe(undefined);
      expect(entries[1]?.reason).toBe(
        'ann gave grant g: Bash commands that begin with `npm run test` and have no operators, in /project, asked by guard, for ann on laptop, until 1970-01-01T00:00:02.000Z.',
      );
      expect(entries[4]?.reason).toContain('for the 2nd time');
      expect(entries[5]).toMatchObject({ decision: 'allow', ticket: 'ticket-of-g', actor: BY.actor });
      expect(JSON.stringify(entries)).not.toContain('ghp_0123');
    }));

  test('a change whose entry cannot be written does not happen', () =>
    withStores(async (store, open) => {
      const fails = async (kind: Change['kind'], work: (broken: Store) => Promise<unknown>): Promise<void> => {
        await expect(open(kind).then(work)).rejects.toThrow('cannot be written');
      };
      await fails('grant.given', ({ grants }) => grants.add(sampleGrant('g')));
      expect(await store.grants.list({ all: true }, 1500)).toEqual([]);
      await store.grants.add(sampleGrant('g'));
      await fails('grant.used', ({ grants }) => grants.use('g', USE, 1500));
      await fails('grant.revoked', ({ grants }) => grants.revoke('g', BY, 1500));
      expect(await store.grants.get('g')).toMatchObject({ uses: 0, revokedAt: null });
      // The store works on after the failure.
      expect((await store.grants.use('g', USE, 1600))?.uses).toBe(1);
      expect((await store.log.list({})).map(({ id }) => id)).toEqual(['g.given', 'g.used.1']);
    }));

  test.each<[string, string]>([
    [
      'is not in the log',
      `INSERT INTO grants (id, root, at, expires_at, body) SELECT 'h', root, at, expires_at, body FROM grants WHERE id = 'g'`,
    ],
    ['is for another project', `UPDATE grants SET root = '/other'`],
    ['lives longer', `UPDATE grants SET expires_at = 9000`],
    ['covers more', `UPDATE grants SET body = replace(body, '"npm","run","test"', '"npm"')`],
    ['answers another hook', `UPDATE grants SET body = replace(body, 'guard', 'other')`],
    ['is for anyone', `UPDATE grants SET body = replace(body, '"userId":"1000"', '"userId":"0"')`],
    ['is no longer revoked', `UPDATE grants SET revoked_at = NULL`],
    ['has another entry', `UPDATE audit SET body = replace(body, '"npm","run","test"', '"npm"') WHERE id = 'g.given'`],
    ['has no entry', `DELETE FROM audit WHERE id = 'g.given'`],
  ])('a row that %s by another way permits nothing', (what, change) =>
    withStores(async (store, open, behind) => {
      await store.grants.add(sampleGrant('g'));
      expect((await store.grants.use('g', USE, 1100))?.uses).toBe(1);
      if (what === 'is no longer revoked') await store.grants.revoke('g', BY, 1200);
      await behind(change);
      const id = what === 'is not in the log' ? 'h' : 'g';
      expect(await store.grants.use(id, USE, 1300)).toBe(undefined);
      expect(await (await open()).grants.use(id, USE, 1300)).toBe(undefined);
    }),
  );

  test('however many use it while it is revoked and others append, there is one entry for each use, and none after the revocation', () =>
    withStores(async (store, open) => {
      const other = await open();
      await store.grants.add(sampleGrant('g'));
      const work = Array.from({ length: 40 }, (_, i) => {
        const { grants, log } = i % 2 ? store : other;
        if (i === 25) return grants.revoke('g', BY, 1300);
        return i % 5 === 0 ? Promise.resolve(log.append(sampleRecord(`r${i}`), hash)) : grants.use('g', USE, 1200);
      });
      const results = await Promise.all(work);
      const uses = results.filter((grant) => grant !== undefined && grant.revokedAt === null).length;
      const entries = await store.log.list({});
      const kinds = entries.map(({ kind }) => kind);
      expect(kinds.filter((kind) => kind === 'grant.used').length).toBe(uses);
      expect((await store.grants.get('g'))?.uses).toBe(uses);
      expect(kinds.lastIndexOf('grant.used')).toBeLessThan(kinds.indexOf('grant.revoked'));
      expect(verifyChain(entries, await store.log.anchor(), hash)).toBe(undefined);
    }));
});
