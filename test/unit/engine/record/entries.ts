/** Entries of the log, and what is told of them. */

import type { TicketRecord } from '../../../../src/core/contracts/store.ts';
import type { HookReport } from '../../../../src/core/decision/outcome.ts';
import type { LogEntry } from '../../../../src/core/record/decision-record.ts';
import type { Json } from '../../../../src/core/values/json.ts';
import { explainEntry } from '../../../../src/engine/record/why.ts';

export const hook: HookReport = {
  id: 'agenthooks:gate',
  name: 'gate',
  dialect: 'agenthooks',
  event: 'before_tool',
  handler: 'command',
  source: { file: '.agents/hooks/gate/HOOK.md', line: 2, scope: 'project' },
  status: 'answered',
  decision: 'pass',
  ms: 12.34,
};

export function entry(
  parts: Partial<LogEntry>,
  outcome: { readonly hooks?: readonly HookReport[]; readonly [key: string]: unknown } = {},
): LogEntry {
  return {
    id: 'o1',
    at: Date.UTC(2026, 0, 31, 12),
    session: 's1',
    root: '/app',
    kind: 'tool.before',
    tool: 'Bash',
    decision: 'pass',
    reason: null,
    ticket: null,
    data: { tool: 'Bash', input: { command: 'deploy' } },
    masked: [],
    outcome: { context: [], notices: [], quiet: false, unmatched: 0, hooks: [], diagnostics: [], ...outcome } as unknown as Json,
    digests: { event: 'sha256:e', hooks: 'sha256:h' },
    ms: 20,
    seq: 1,
    previous: 'sha256:0',
    hash: 'sha256:1',
    ...parts,
  };
}

export const ticket: TicketRecord = {
  id: 't1',
  state: 'open',
  digest: 'sha256:d',
  kind: 'tool.before',
  tool: 'Bash',
  session: 's1',
  root: '/app',
  reason: 'deploys need eyes',
  openedAt: Date.UTC(2026, 0, 31, 12),
  expiresAt: Date.UTC(2026, 1, 1, 12),
  settledAt: null,
  by: null,
  note: null,
  via: null,
  edit: null,
  releasedAt: null,
  action: {
    event: { id: 'o1', kind: 'tool.before', at: '', session: { id: 's1', cwd: '/app' }, data: {} },
    heldBy: [],
    waiting: [],
    reports: [],
    sum: {},
  },
};
export const asked: HookReport = { ...hook, decision: 'ask', reason: 'deploys need eyes' };
export const held = entry({ decision: 'hold', reason: 'deploys need eyes', ticket: 't1' }, { hooks: [asked] });
export const settled = { settledAt: Date.UTC(2026, 0, 31, 13), by: 'ana', note: 'fine', via: 'cli' };

export function told(from: LogEntry, about?: TicketRecord): string {
  return explainEntry(from, about).join('\n');
}
