/** A ledger that seals with a key of its own, without a state folder. */
import { createHash } from 'node:crypto';
import type { Ledger } from '../../../src/core/record/ledger.ts';
import { createLedger } from '../../../src/engine/record/ledger.ts';

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
let ids = 0;

export function sampleLedger(origin = 'machine'): Ledger {
  return createLedger({
    hash,
    who: () => ({ osUser: 'ann', userId: '1000', machine: { id: origin, name: 'desk' }, project: { root: '/project' } }),
    root: '/project',
    seal: () => ({ origin, of: (head) => hash(`${origin} ${head.seq} ${head.hash}`) }),
    newId: () => `act-${process.pid}-${++ids}`,
    now: () => 5000,
  });
}
