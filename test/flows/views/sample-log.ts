/** Entries of a busy log, the same in every run: sessions with subagents, hooks that deny and fail, acts, and ends of background hooks. */
import type { LogRecord } from '../../../src/core/record/decision-record.ts';
import type { Json } from '../../../src/core/values/json.ts';

/** The beginning of a day (UTC). */
export const DAY_ONE = 1_700_006_400_000;
export const DAY_MS = 86_400_000;
export const MINUTE_MS = 60_000;

export interface HookSample {
  readonly name?: string;
  readonly status?: string;
  readonly decision?: string;
  readonly ms?: number;
  readonly fault?: { readonly kind: string; readonly detail: string };
  readonly judge?: Json;
  readonly skip?: string;
}

export function hookReport({ name = 'gate', status = 'answered', ...more }: HookSample = {}): Json {
  const source = { file: `/hooks/${name}.md`, scope: 'user', line: 2 };
  return { id: `${name}@1`, name, dialect: 'hookline', event: 'tool.before', handler: 'command', source, status, ...more } as Json;
}

export interface Sample extends Partial<Omit<LogRecord, 'outcome' | 'who'>> {
  readonly hooks?: readonly HookSample[];
  readonly outcome?: Readonly<Record<string, Json>>;
  readonly command?: string;
  readonly agent?: string;
  readonly parent?: string;
  readonly host?: string;
  readonly user?: string;
}

export function sampleEntry(id: string, sample: Sample = {}): LogRecord {
  const {
    hooks = [{ decision: 'pass', ms: 5 }],
    outcome = {},
    command = 'ls',
    agent,
    parent,
    host = 'an-agent',
    user = 'ann',
    ...record
  } = sample;
  return {
    id,
    at: DAY_ONE,
    session: 'session-1',
    root: '/project',
    kind: 'tool.before',
    tool: 'Bash',
    decision: 'pass',
    reason: null,
    ticket: null,
    data: { tool: 'Bash', input: { command } },
    masked: [],
    outcome: { hooks: hooks.map(hookReport), diagnostics: [], ...outcome },
    digests: { event: 'sha256:e', hooks: 'sha256:h' },
    ms: 7,
    who: {
      ...{ host, hostVersion: '1.2', ...(agent !== undefined && { agent }), ...(parent !== undefined && { parent }) },
      ...{ osUser: user, userId: '1000', machine: { id: 'machine-1', name: 'laptop' }, project: { root: '/project' }, origin: 'origin-1' },
    },
    ...record,
  };
}

const TOOLS = ['Bash', 'Read', 'Edit'];

/** Entry `n` of a log in which everything happens now and then. */
export function busyEntry(n: number): LogRecord {
  const at = DAY_ONE + n * 7 * MINUTE_MS;
  const session = `session-${n % 4}`;
  const common = {
    at,
    session,
    root: n % 4 === 3 ? '/other' : '/project',
    user: n % 4 === 2 ? 'bob' : 'ann',
    host: n % 2 ? 'an-agent' : 'another',
  };
  const tool = TOOLS[n % 3] as string;
  if (n % 29 === 5)
    return sampleEntry(`ticket-${n}.approved`, {
      ...common,
      kind: 'ticket.approved',
      tool,
      decision: 'allow',
      reason: `ann approved ${n}`,
    });
  if (n % 31 === 7)
    return sampleEntry(`e${n}`, {
      ...common,
      tool,
      outcome: { lateOf: `e${n - 1}` },
      hooks: [{ name: 'late', status: 'faulted', fault: timeout(n) }],
    });
  if (n % 11 === 3)
    return sampleEntry(`e${n}`, {
      ...{ ...common, tool, decision: 'deny', reason: `not ${n} here`, command: `rm -rf build-${n}` },
      hooks: [
        { name: 'gate', decision: 'deny', ms: 40 },
        { name: 'other', status: 'skipped', skip: 'untrusted' },
      ],
    });
  if (n % 13 === 4)
    return sampleEntry(`e${n}`, {
      ...common,
      tool,
      decision: 'hold',
      reason: 'a person decides',
      ticket: `ticket-${n}`,
      hooks: [{ decision: 'hold', ms: 3 }],
    });
  if (n % 17 === 6)
    return sampleEntry(`e${n}`, {
      ...common,
      tool,
      hooks: [{ name: 'slow', status: 'faulted', decision: 'pass', ms: 1000, fault: timeout(n) }],
    });
  if (n % 19 === 2)
    return sampleEntry(`e${n}`, {
      ...common,
      tool: null,
      kind: 'prompt.submit',
      data: { prompt: `Do part ${n}` },
      hooks: [{ name: 'prompts', ms: 1.5 }],
    });
  const agent = n % 5 === 0 ? { agent: 'reviewer', parent: 'main' } : {};
  return sampleEntry(`e${n}`, {
    ...{ ...common, ...agent, tool, command: `npm test -- part-${n}` },
    hooks: [
      { decision: 'pass', ms: (n % 50) + 0.3 },
      { name: 'judge', decision: 'pass', ms: 300, judge: judged(n) },
    ],
  });
}

function timeout(n: number): { readonly kind: string; readonly detail: string } {
  return { kind: 'timeout', detail: `did not answer within ${1000 + n} ms in /srv/checks/${n}` };
}

function judged(n: number): Json {
  return { model: 'a:b', digest: 'd', cached: n % 3 === 0, inputTokens: 100, outputTokens: 10, money: 0.001 };
}
