/** Laws for grants in every store: a grant is used only while it is in force, each use counts, and a revoked grant stays revoked. */
import type { Bench } from './describe-store.ts';
import { sampleGrant } from './sample-records.ts';
import type { Suite } from './suite.ts';

const BY = { name: 'ann', actor: { finding: 'person', evidence: [], via: 'cli' } } as const;
const USE = { event: 'e1', session: 'session-1', tool: 'Bash', what: 'npm run test' } as const;

export function grantLaws({ expect }: Suite, { law }: Bench): void {
  law('a grant is kept as it was given, and every process sees it', async (store, other) => {
    const given = sampleGrant('a');
    const kept = await store.grants.add(given);
    expect(kept).toEqual({ ...given, revokedAt: null, revokedBy: null, uses: 0, usedAt: null });
    expect(await other.grants.get('a')).toEqual(kept);
    expect(await other.grants.list({}, 1500)).toEqual([kept]);
    expect(await other.grants.get('b')).toBe(undefined);
  });

  law('a grant is given once', async (store, other) => {
    await store.grants.add(sampleGrant('a'));
    const again = await other.grants.add(sampleGrant('a', { root: '/elsewhere' })).then(
      () => 'added',
      () => 'rejected',
    );
    expect(again).toBe('rejected');
    expect((await store.grants.get('a'))?.root).toBe('/project');
  });

  law('grants are listed by project, oldest first, and those that have ended only on demand', async (store, other) => {
    await store.grants.add(sampleGrant('c', { at: 1002 }));
    await store.grants.add(sampleGrant('b', { at: 1001, root: '/other' }));
    await store.grants.add(sampleGrant('a', { at: 1003, expiresAt: 1400 }));
    await store.grants.add(sampleGrant('d', { at: 1002 }));
    await other.grants.revoke('d', BY, 1300);
    const ids = async (filter: { root?: string; all?: boolean }, now: number): Promise<string[]> =>
      (await other.grants.list(filter, now)).map(({ id }) => id);
    expect(await ids({}, 1399)).toEqual(['b', 'c', 'a']);
    expect(await ids({}, 1400)).toEqual(['b', 'c']);
    expect(await ids({ root: '/project' }, 1500)).toEqual(['c']);
    expect(await ids({ root: '/project', all: true }, 1500)).toEqual(['c', 'd', 'a']);
    expect(await ids({ root: '/projec' }, 1500)).toEqual([]);
  });

  law('each use is counted, and none after the end', async (store, other) => {
    await store.grants.add(sampleGrant('a'));
    expect((await store.grants.use('a', USE, 1500))?.uses).toBe(1);
    const second = await other.grants.use('a', USE, 1999);
    expect([second?.uses, second?.usedAt]).toEqual([2, 1999]);
    expect(await store.grants.use('a', USE, 2000)).toBe(undefined);
    expect(await store.grants.use('b', USE, 1500)).toBe(undefined);
    expect((await store.grants.get('a'))?.uses).toBe(2);
  });

  law('a revoked grant permits nothing, and is revoked once', async (store, other) => {
    await store.grants.add(sampleGrant('a'));
    await store.grants.use('a', USE, 1200);
    const revoked = await other.grants.revoke('a', BY, 1300);
    expect([revoked?.revokedAt, revoked?.revokedBy, revoked?.uses]).toEqual([1300, 'ann', 1]);
    expect(await store.grants.use('a', USE, 1300)).toBe(undefined);
    expect(await store.grants.use('a', USE, 1200)).toBe(undefined);
    expect(await store.grants.revoke('a', { ...BY, name: 'bob' }, 1400)).toBe(undefined);
    expect((await other.grants.get('a'))?.revokedBy).toBe('ann');
    expect(await store.grants.revoke('b', BY, 1400)).toBe(undefined);
  });

  law('of many uses at once each counts, and none counts after the revocation', async (store, other) => {
    for (const round of Array(8).keys()) {
      const id = `g${round}`;
      await store.grants.add(sampleGrant(id));
      const work = Array.from({ length: 12 }, (_, i) => {
        const { grants } = i % 2 ? store : other;
        return i === 6 ? grants.revoke(id, BY, 1300) : grants.use(id, USE, 1200 + i);
      });
      const results = await Promise.all(work);
      const used = results.filter((grant, i) => i !== 6 && grant !== undefined);
      const grant = await store.grants.get(id);
      expect(grant?.uses).toBe(used.length);
      expect(new Set(used.map((one) => one?.uses)).size).toBe(used.length);
      // No process saw it revoked and used it nevertheless.
      expect(used.every((one) => one?.revokedAt === null)).toBe(true);
      expect(grant?.revokedAt).toBe(1300);
      expect(await other.grants.use(id, USE, 1301)).toBe(undefined);
    }
  });

  law('a closed store gives, uses and revokes nothing', async (store) => {
    await store.grants.add(sampleGrant('a'));
    await store.close();
    const calls = [
      () => store.grants.add(sampleGrant('b')),
      () => store.grants.use('a', USE, 1500),
      () => store.grants.revoke('a', BY, 1500),
      () => store.grants.list({}, 1500),
      () => store.grants.get('a'),
    ];
    const results = await Promise.allSettled(calls.map(async (call) => call()));
    expect(results.map(({ status }) => status)).toEqual(calls.map(() => 'rejected'));
  });
}
