import { expect, test } from 'vitest';
import type { LogEntry } from '../../../../src/core/contracts/decision-record.ts';
import type { TicketRecord } from '../../../../src/core/contracts/store.ts';
import type { HookReport } from '../../../../src/core/decision/outcome.ts';
import type { Json } from '../../../../src/core/values/json.ts';
import { explainEntry } from '../../../../src/engine/record/why.ts';

const hook: HookReport = {
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

function entry(
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

const ticket: TicketRecord = {
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
const asked: HookReport = { ...hook, decision: 'ask', reason: 'deploys need eyes' };
const held = entry({ decision: 'hold', reason: 'deploys need eyes', ticket: 't1' }, { hooks: [asked] });
const settled = { settledAt: Date.UTC(2026, 0, 31, 13), by: 'ana', note: 'fine', via: 'cli' };

function told(from: LogEntry, about?: TicketRecord): string {
  return explainEntry(from, about).join('\n');
}

test('it begins with what was about to happen, and names the hooks in the order they were asked', () => {
  const [first, ...rest] = explainEntry(entry({}, { hooks: [hook, { ...hook, name: 'second' }], unmatched: 3 }));
  expect(first).toBe('At 2026-01-31T12:00:00.000Z, in session s1 of /app, the agent was about to use Bash: {"command":"deploy"}.');
  expect(rest).toEqual([
    "First, hook 'gate' (agenthooks, .agents/hooks/gate/HOOK.md:2) had no objection (it took 12 ms).",
    "Then hook 'second' (agenthooks, .agents/hooks/gate/HOOK.md:2) had no objection (it took 12 ms).",
    '3 other hooks did not apply.',
    'The answer: none of the 2 hooks that were asked objects.',
  ]);
});

test('a denial is told with the hook that said it and where to look', () => {
  const text = told(
    entry({ decision: 'deny', reason: 'not on Fridays' }, { hooks: [{ ...hook, decision: 'deny', reason: 'not on Fridays' }] }),
  );
  expect(text).toContain('The answer: denied: not on Fridays.');
  expect(text).toContain("One denial is enough: 'gate' denied it");
  expect(text).toContain('check the rule in .agents/hooks/gate/HOOK.md:2');
});

test('a hook that could not be asked is never told as one that said no', () => {
  const fault: HookReport = {
    ...hook,
    status: 'faulted',
    decision: 'deny',
    fault: { kind: 'timeout', detail: 'did not answer within 1000 ms' },
  };
  const text = told(entry({ decision: 'deny', reason: "Hook 'gate' timed out." }, { hooks: [fault] }));
  expect(text).toContain("No hook denied it itself. 'gate' could not be asked, and by its rules that denies.");
  expect(text).toContain('fix the hook');
  expect(text).not.toContain('One denial');
  expect(told(entry({}, { hooks: [{ ...fault, decision: 'pass' }] }))).toContain('A hook that failed has not judged this. With `strict`');
});

test('a person is named with when, from where and in which words; the approval with what became of it', () => {
  const approved: TicketRecord = { ...ticket, ...settled, state: 'approved' };
  const text = told(held, approved);
  expect(text).toContain('ana approved ticket t1 at 2026-01-31T13:00:00.000Z on the command line, saying "fine".');
  expect(text).toContain('The next identical call passes once, until 2026-02-01T12:00:00.000Z');
  expect(told(held, { ...approved, releasedAt: Date.UTC(2026, 0, 31, 14) })).toContain(
    'was used at 2026-01-31T14:00:00.000Z and does not count again',
  );
  const edited = told(held, { ...approved, edit: { command: 'deploy --dry-run --token hunter2hunter2' } });
  expect(edited).toContain('deploy --dry-run');
  expect(edited).not.toContain('hunter2');
});

test('each end of a ticket is told as what it is: expiry is no denial', () => {
  expect(told(held, ticket)).toContain('hookline approvals show t1');
  expect(told(held, { ...ticket, ...settled, state: 'denied' })).toContain('ana denied ticket t1');
  expect(told(held, { ...ticket, ...settled, state: 'withdrawn' })).toContain('ana withdrew ticket t1');
  const expired = told(held, { ...ticket, state: 'expired' });
  expect(expired).toContain('No person settled it in time, and no person denied it');
  expect(expired).toContain('for a new ticket');
  expect(told(held)).toContain('Its ticket t1 is no longer in this store.');
});

test('what was rewritten, what was said to whom, and what was masked is part of it', () => {
  const text = told(
    entry(
      { masked: ['/data/input/token'] },
      {
        hooks: [
          { ...hook, decision: 'allow', effects: ['rewrite'] },
          { ...hook, name: 'untrusted', status: 'skipped', skip: 'untrusted' },
        ],
        rewrite: { command: 'deploy --dry-run' },
        context: ['be careful'],
        notices: ['changed to a dry run'],
        diagnostics: [{ severity: 'warning', code: 'x', message: 'Something is odd' }],
      },
    ),
  );
  for (const part of [
    'It rewrote the input as well.',
    'The input was rewritten to: {"command":"deploy --dry-run"}',
    "1 text went into the agent's context.",
    'The user was told: changed to a dry run',
    'the input it allowed was rewritten',
    'It was reported: Something is odd.',
    "Hook 'untrusted' (agenthooks, .agents/hooks/gate/HOOK.md:2) was not asked: untrusted",
    'hookline trust add',
    '/data/input/token',
  ])
    expect(text).toContain(part);
});

test('the story names who gave the agent its context', () => {
  const contextSources = [{ name: 'first', also: [{ name: 'second' }, 1] }, { name: 'first' }, null];
  expect(told(entry({}, { context: ['a\nb', 'c'], contextSources }))).toContain(
    "2 texts went into the agent's context, given by 'first', 'second'.",
  );
});

test('whatever the log holds, there is a story', () => {
  for (const outcome of [
    null,
    [],
    'text',
    { hooks: [null, 1, { name: 'x' }, { name: 'y', status: 'answered', source: 3, effects: 1 }], diagnostics: [{}] },
  ])
    expect(explainEntry(entry({ outcome: outcome as Json })).length).toBeGreaterThan(1);
});
