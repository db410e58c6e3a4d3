/** Tickets and records for tests of the store. */
import { createHash } from 'node:crypto';
import { sampleEvent } from '../../../src/api/testing/samples.ts';
import type { NewTicket } from '../../../src/core/contracts/store.ts';
import type { LogRecord } from '../../../src/core/record/decision-record.ts';

export const NOW = 1_700_000_000_000;

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

export function sampleTicket(id: string, change: Partial<NewTicket> = {}): NewTicket {
  const event = sampleEvent('tool.before');
  return {
    id,
    digest: `sha256:${id}`,
    kind: 'tool.before',
    tool: 'Shell',
    session: 's',
    root: '/project',
    reason: 'a person must look',
    openedAt: NOW,
    expiresAt: NOW + 3_600_000,
    action: { event, heldBy: [], waiting: [], reports: [], sum: {} },
    ...change,
  };
}

export function sampleRecord(id: string, change: Partial<LogRecord> = {}): LogRecord {
  return {
    id,
    at: NOW,
    session: 's',
    root: '/project',
    kind: 'tool.before',
    tool: 'Shell',
    decision: 'pass',
    reason: null,
    ticket: null,
    data: { text: 'äöü \u0000 \ud800 \n "quoted"', 9: 1, 10: 2, b: null, a: [1.5, -0, 1e300] },
    masked: [],
    outcome: { hooks: [{ id: 'gate@1', name: 'gate' }] },
    digests: { event: 'sha256:e', hooks: 'sha256:h' },
    ms: 1,
    ...change,
  };
}
