/** A day of six sessions at work, with everything that the screens show: denials, a wait, faults, rewrites, subagents. It ends at a given time. */
import type { NewTicket } from '../../../src/core/contracts/store.ts';
import type { HookReport } from '../../../src/core/decision/outcome.ts';
import type { HookEvent } from '../../../src/core/event/event.ts';
import type { LogRecord } from '../../../src/core/record/decision-record.ts';
import type { Who } from '../../../src/core/record/who.ts';
import type { Json, JsonObject } from '../../../src/core/values/json.ts';

const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000];

interface Session {
  readonly id: string;
  readonly title: string;
  readonly project: string;
  readonly host: string;
  readonly version: string;
}

export const SESSIONS = {
  retry: { id: 'session-retry', title: 'Fix flaky payment retry', project: 'checkout', host: 'claude-code', version: '2.1.215' },
  ingress: { id: 'session-ingress', title: 'Roll out ingress v2', project: 'infra', host: 'codex', version: '0.98.0' },
  tokens: { id: 'session-tokens', title: 'Dark mode tokens', project: 'web', host: 'cursor', version: '2.4.1' },
  reindex: { id: 'session-reindex', title: 'Reindex job reads config', project: 'search', host: 'claude-code', version: '2.1.215' },
  bump: { id: 'session-bump', title: 'Bump the dependencies', project: 'mobile', host: 'claude-code', version: '2.1.215' },
  older: { id: 'session-older', title: 'Retry payments twice', project: 'checkout', host: 'claude-code', version: '2.1.214' },
  backfill: { id: 'session-backfill', title: 'Backfill order totals', project: 'data', host: 'gemini-cli', version: '0.31.0' },
} satisfies Readonly<Record<string, Session>>;

type SessionName = keyof typeof SESSIONS;

interface Step {
  readonly ago: number;
  readonly of: SessionName;
  readonly tool?: string | null;
  readonly input?: JsonObject;
  readonly kind?: LogRecord['kind'];
  readonly data?: JsonObject;
  readonly decision?: LogRecord['decision'];
  readonly reason?: string;
  readonly hooks?: readonly HookReport[];
  readonly rewrite?: Json;
  readonly ms?: number;
  readonly agent?: string;
  readonly ticket?: string;
  readonly isAlarm?: true;
}

const FILES: Readonly<Record<string, readonly [dialect: string, file: string, line: number]>> = {
  'repo-facts': ['skillkit', '/home/mara/.claude/skills/repo/SKILL.md', 5],
  'ci-flags': ['claude-code', '/home/mara/.claude/settings.json', 22],
  'no-force-push': ['claude-code', '/home/mara/.claude/settings.json', 14],
  'style-context': ['agenthooks', '/home/mara/.config/agents/hooks/style-context/HOOK.md', 2],
  'license-check': ['arawn', '/home/mara/plugins/license/hooks.json', 3],
  'secret-scan': ['claude-code', '/home/mara/.claude/settings.json', 31],
  'deploy-gate': ['hooktoml', '/etc/hookline/hooks/deploy-gate.toml', 1],
  guard: ['claude-code', '/home/mara/.claude/settings.json', 9],
  'db-readonly': ['arawn', '/home/mara/plugins/data/hooks.json', 9],
};

/** The report of one of these hooks. */
export function report(name: string, more: Partial<HookReport> = {}): HookReport {
  const [dialect, file, line] = (Object.hasOwn(FILES, name) ? FILES[name] : undefined) ?? [
    'hookline',
    `/home/mara/.hookline/hooks/${name}.md`,
    2,
  ];
  return {
    ...{ id: `${name}@${file}`, name, dialect, event: 'PreToolUse', handler: 'command', status: 'answered', decision: 'pass' },
    source: { file, line, scope: name === 'deploy-gate' ? 'managed' : 'user' },
    ...more,
  } as HookReport;
}

const denied = (name: string, reason: string, ms: number): HookReport => report(name, { decision: 'deny', reason, ms });
const failed = (name: string, kind: string, detail: string, ms: number): HookReport =>
  report(name, { status: 'faulted', fault: { kind, detail }, ms } as Partial<HookReport>);
const skipped = (name: string, skip: string): HookReport => report(name, { status: 'skipped', skip });

const FORCE = 'Force pushes to main rewrite what others have. Use --force-with-lease on your own branch, or open a pull request.';
const SECRET = 'secrets/env-file: a file with secrets is read.';
const GATE = 'Changes to a production cluster are approved by a person.';

/** The steps that are told; the others are passes. */
const TOLD: readonly Step[] = [
  {
    ...{ ago: 14, of: 'retry', tool: 'Bash', input: { command: 'git push --force origin main', description: 'Push the fix' } },
    ...{ decision: 'deny', reason: FORCE, ms: 26 },
    hooks: [
      report('repo-facts', { ms: 6.1 }),
      report('ci-flags', { ms: 2.2 }),
      denied('no-force-push', FORCE, 17.4),
      skipped('style-context', 'no-force-push denied it before'),
      skipped('license-check', 'it is not trusted'),
    ],
  },
  {
    ...{ ago: 7, of: 'tokens', tool: 'Bash', input: { command: 'npm test' }, decision: 'allow', ms: 9 },
    hooks: [report('ci-flags', { decision: 'allow', effects: ['rewrite'], ms: 8.2 })],
    rewrite: { command: 'npm test -- --run' },
  },
  {
    ...{ ago: 21, of: 'tokens', tool: 'WebFetch', input: { url: 'https://docs.payments.example/api/retries' }, ms: 2003 },
    hooks: [report('repo-facts', { ms: 5 }), failed('secret-scan', 'timeout', 'did not answer within 2000 ms', 2001)],
  },
  ...[
    ['python -c "print(open(\'.env.production\').read())"', 28],
    ['cat .env.production | head -20', 33],
  ].map(
    ([command, ago]): Step => ({
      ...{
        ago: ago as number,
        of: 'reindex',
        tool: 'Bash',
        input: { command: command as string },
        decision: 'deny',
        reason: SECRET,
        ms: 2,
      },
      hooks: [denied('guard', SECRET, 1.6)],
    }),
  ),
  {
    ...{ ago: 36, of: 'reindex', tool: 'Read', input: { file_path: '.env.production' }, decision: 'deny', reason: SECRET, ms: 1 },
    hooks: [denied('guard', SECRET, 1.1)],
  },
  {
    ...{ ago: 70, of: 'bump', tool: 'Bash', input: { command: 'pnpm up --latest --filter ./apps/mobile' }, decision: 'allow', ms: 12 },
    hooks: [report('ci-flags', { decision: 'allow', reason: 'Dependencies of this folder may be updated.', ms: 11 })],
  },
  {
    ...{ ago: 118, of: 'backfill', tool: 'mcp__postgres__query', input: { sql: 'UPDATE orders SET total = total_cents / 100' } },
    ...{ decision: 'deny', reason: 'The database is read only for agents.', ms: 18 },
    hooks: [denied('db-readonly', 'The database is read only for agents.', 16)],
  },
  {
    ...{ ago: 133, of: 'bump', tool: 'Edit', input: { file_path: 'apps/mobile/package.json' }, ms: 41 },
    hooks: [failed('license-check', 'exit', 'exit 127: node: not found', 40)],
  },
  {
    ...{ ago: 372, of: 'ingress', tool: 'Bash', input: { command: 'terraform plan -out tf.plan' }, decision: 'allow', ms: 212 },
    hooks: [report('deploy-gate', { decision: 'allow', ms: 205 })],
  },
  {
    ...{ ago: 362, of: 'ingress', tool: 'Bash', input: { command: 'kubectl apply -f ingress.yaml --context prod-eu' } },
    ...{ decision: 'hold', reason: GATE, ms: 38, ticket: 'ticket-ingress' },
    hooks: [report('guard', { ms: 3 }), report('deploy-gate', { decision: 'hold', reason: GATE, ms: 31 })],
  },
];

/** The steps after the first denial. */
const INSTEAD: readonly Step[] = [
  {
    ago: 10,
    of: 'retry',
    tool: 'Bash',
    input: { command: 'git push --force-with-lease origin mara/retry' },
    hooks: [report('ci-flags', { ms: 2 })],
  },
  { ago: 5, of: 'retry', tool: 'Bash', input: { command: 'gh pr create --fill' }, hooks: [report('ci-flags', { ms: 2 })] },
];

const PASSES: readonly (readonly [tool: string, input: JsonObject])[] = [
  ['Read', { file_path: 'src/retry.ts' }],
  ['Edit', { file_path: 'src/retry.ts' }],
  ['Grep', { pattern: 'backoff' }],
  ['Bash', { command: 'npm run lint' }],
  ['Read', { file_path: 'README.md' }],
];

/** Entries in the order of their times. `count` of them are passes of the last hours, and a few more tell a story. */
export function sampleDay(now: number, count = 900): readonly LogRecord[] {
  const names = (Object.keys(SESSIONS) as SessionName[]).filter((name) => name !== 'older');
  const starts = names.map(
    (of): Step => ({ ago: 5_400, of, kind: 'prompt.submit', tool: null, data: { prompt: SESSIONS[of].title }, hooks: [] }),
  );
  const passes = Array.from({ length: count }, (_, n): Step => {
    const of = names[(n * 7) % names.length] as SessionName;
    const [tool, input] = PASSES[n % PASSES.length] as (typeof PASSES)[number];
    const ago = 15 + ((n * 37) % 3_400) + (of === 'backfill' ? 240 : of === 'ingress' ? 373 : of === 'reindex' ? 37 : 0);
    const hooks = [report('repo-facts', { ms: 4 + (n % 5) }), ...(n % 3 === 0 ? [report('style-context', { ms: 9 + (n % 7) })] : [])];
    const agent = of === 'retry' && n % 4 === 0 ? { agent: 'test-writer' } : {};
    return { ago, of, tool, input, hooks, ms: 8 + (n % 20), ...agent };
  });
  const earlier = Array.from({ length: 60 }, (_, n): Step => {
    const told = TOLD[(n * 5) % TOLD.length] as Step;
    const { ticket: _ticket, ...step } = told;
    return { ...step, ago: told.ago + 600 + n * 47, ...(step.decision === 'hold' && { decision: 'allow' }) };
  });
  const week = Array.from({ length: 12 }, (_, n): Step => ({ ...(TOLD[0] as Step), of: 'older', ago: 86_400 * (1 + (n % 6)) + n * 700 }));
  const hours = Array.from({ length: 330 }, (_, n): Step => {
    const isLate = n < 22;
    const scan =
      isLate && n % 3 > 0
        ? failed('secret-scan', 'timeout', 'did not answer within 2000 ms', 2001)
        : report('secret-scan', { ms: isLate ? 900 : 60 + ((n * 13) % 50) });
    const input = { url: `https://docs.payments.example/page/${n % 40}` };
    return {
      ago: 4_000 + n * 1_800,
      of: 'older',
      tool: 'WebFetch',
      input,
      hooks: [report('repo-facts', { ms: 4 + (n % 4) }), scan],
      ms: 80,
    };
  });
  return [...starts, ...passes, ...earlier, ...week, ...hours, ...TOLD, ...INSTEAD]
    .sort((a, b) => b.ago - a.ago)
    .map((step, n) => recordOf(step, n, now));
}

/** A call that edits a file, an hour before the others. */
export function sampleEdit(now: number): LogRecord {
  const input = { file_path: '/home/mara/src/checkout/pay.ts', old_string: 'const limit = 10;', new_string: 'const limit = 99;' };
  return { ...recordOf({ ago: 3_600, of: 'retry', tool: 'Edit', input, hooks: [report('repo-facts', { ms: 4 })] }, 0, now), id: 'an-edit' };
}

function recordOf(step: Step, n: number, now: number): LogRecord {
  const {
    ago,
    of,
    tool = null,
    input,
    kind = 'tool.before',
    decision = 'pass',
    reason = null,
    hooks = [],
    rewrite,
    ms = 3,
    ticket = null,
  } = step;
  const diagnostics = step.isAlarm ? [{ code: 'denied-but-ran', severity: 'error', message: 'It ran.' }] : [];
  return {
    id: `day-${n}`,
    at: now - ago * SECOND,
    session: SESSIONS[of].id,
    root: `/home/mara/src/${SESSIONS[of].project}`,
    ...{ kind, tool, decision, reason, ticket },
    data: step.data ?? { tool: tool ?? '', input: input ?? {} },
    masked: [],
    outcome: {
      ...{ hooks: hooks as unknown as Json, diagnostics, context: [], notices: [], quiet: false, unmatched: 7 },
      ...(rewrite !== undefined && { rewrite }),
    },
    digests: { event: `sha256:${'8c1e40b7'.repeat(8)}`, hooks: `sha256:${'9f2ae655'.repeat(8)}` },
    ms,
    who: whoOf(SESSIONS[of], step.agent),
  };
}

function whoOf({ host, version, project }: Session, agent?: string): Who {
  return {
    ...{ host, hostVersion: version, ...(agent !== undefined && { agent }) },
    ...{ osUser: 'mara', userId: '1000', machine: { id: 'machine-1', name: 'mara-mbp' }, origin: 'origin-1' },
    project: { root: `/home/mara/src/${project}` },
  };
}

interface Held {
  readonly id: string;
  readonly of: SessionName;
  readonly command: string;
  readonly reason: string;
  readonly minutes: number;
}

const HELD: readonly Held[] = [
  { id: 'ticket-ingress', of: 'ingress', command: 'kubectl apply -f ingress.yaml --context prod-eu', reason: GATE, minutes: 6 },
  {
    ...{ id: 'ticket-migrate', of: 'tokens', command: 'node scripts/migrate.mjs --env production', minutes: 18 },
    reason: 'A migration of the production database is approved by a person.',
  },
  {
    ...{ id: 'ticket-install', of: 'bump', command: 'pnpm add canvas-prebuilt@2.0.0-alpha', minutes: 41 },
    reason: 'A package with a postinstall script is approved by a person.',
  },
];

export function sampleTickets(now: number): readonly NewTicket[] {
  return HELD.map(({ id, of, command, reason, minutes }) => {
    const { id: session, project, host } = SESSIONS[of];
    const root = `/home/mara/src/${project}`;
    const gate = report('deploy-gate', { decision: 'hold', reason, ms: 31 });
    const event = {
      kind: 'tool.before',
      data: { tool: 'Bash', input: { command } },
      session: { id: session, cwd: root },
      caller: { host },
    };
    return {
      ...{ id, digest: `sha256:${id}`, kind: 'tool.before', tool: 'Bash', session, root, reason },
      ...{ openedAt: now - minutes * MINUTE, expiresAt: now + HOUR },
      who: whoOf(SESSIONS[of]),
      action: { event: event as unknown as HookEvent, heldBy: [gate], waiting: [], reports: [report('guard', { ms: 3 }), gate], sum: {} },
    } satisfies NewTicket;
  });
}
