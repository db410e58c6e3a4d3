/** Complete tickets and log records that consist of JSON alone. */

import type { NewTicket, Settling } from '../../core/contracts/store.ts';
import type { HookReport } from '../../core/decision/outcome.ts';
import type { LogRecord } from '../../core/record/decision-record.ts';
import { hookIdentity, type NewGrant } from '../../core/record/grant.ts';
import type { Who } from '../../core/record/who.ts';
import type { Json, JsonObject } from '../../core/values/json.ts';
import { sampleEvent } from './samples.ts';

/** Opened at 1,000, valid until 2,000. */
export function sampleTicket(id: string, more: Partial<NewTicket> = {}): NewTicket {
  return {
    id,
    digest: `sha256:${id}`,
    kind: 'tool.before',
    tool: 'Bash',
    session: 'session-1',
    root: '/project',
    reason: 'A person must look at this.',
    openedAt: 1000,
    expiresAt: 2000,
    action: {
      event: sampleEvent('tool.before'),
      heldBy: [report('guard')],
      waiting: ['later'],
      reports: [report('first')],
      sum: { context: [] },
    },
    ...more,
  };
}

/** The account of Ann. */
export const ANN: Who = {
  ...{ osUser: 'ann', userId: '1000', machine: { id: 'machine-1', name: 'laptop' } },
  ...{ host: 'an-agent', hostVersion: '1.2', project: { root: '/project', remote: 'https://example.com/x.git', commit: '0123' } },
};

/** Settled at 1,500 by Ann. */
export function sampleSettling(state: Settling['state'], more: Partial<Settling> = {}): Settling {
  return { state, at: 1500, by: 'ann', note: 'I have seen it.', via: 'cli', edit: null, ...more };
}

/** Given at 1,000, in force until 2,000. */
export function sampleGrant(id: string, more: Partial<NewGrant> = {}): NewGrant {
  return {
    id,
    ticket: `ticket-of-${id}`,
    kind: 'tool.before',
    scope: { same: 'command-prefix', tool: 'Bash', words: ['npm', 'run', 'test'], cwd: '/project', rest: 'sha256:3' },
    hooks: [hookIdentity(report('guard'))],
    session: null,
    root: '/project',
    who: {
      osUser: 'ann',
      userId: '1000',
      machine: { id: 'machine-1', name: 'laptop' },
      project: { root: '/project' },
    },
    at: 1000,
    expiresAt: 2000,
    by: 'ann',
    note: null,
    actor: { finding: 'person', evidence: ['A terminal is there.'], via: 'cli' },
    ...more,
  };
}

export function sampleRecord(id: string, more: Partial<LogRecord> = {}): LogRecord {
  return {
    id,
    at: 1000,
    session: 'session-1',
    root: '/project',
    kind: 'tool.before',
    tool: 'Bash',
    decision: 'deny',
    reason: 'Not here.',
    ticket: null,
    data: { tool: 'Bash', input: { command: 'ls', token: '[redacted]' } },
    masked: ['/input/token'],
    outcome: outcomeWith('guard'),
    digests: { event: 'sha256:1', hooks: 'sha256:2' },
    ms: 1.25,
    ...more,
  };
}

/** An outcome that reports on one hook with this name. */
export function outcomeWith(hook: string): Json {
  return JSON.parse(
    JSON.stringify({ context: [], notices: [], quiet: false, unmatched: 2, hooks: [report(hook)], diagnostics: [] }),
  ) as Json;
}

/** Text of every Unicode plane, long text, and keys that must stay data. */
export const HOSTILE: JsonObject = JSON.parse(`{
  "__proto__": { "polluted": true },
  "constructor": { "prototype": null },
  "text": "ü 漢字 \\ud83d\\ude00 \\u0000 \\u2028 \\ud800 '; DROP TABLE tickets; --",
  "numbers": [0, -1.5, 1e300, 9007199254740991],
  "2": "two", "10": "ten"
}`);
export const LARGE = `${'x'.repeat(500_000)}${'漢'.repeat(200_000)}`;

function report(name: string): HookReport {
  const source = { file: `/project/.agents/hooks/${name}.md`, scope: 'project' } as const;
  return { id: `project:${name}`, name, dialect: 'hookline', event: 'tool.before', handler: 'command', source, status: 'answered', ms: 3 };
}
