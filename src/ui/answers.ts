/** The schemas of answers, by the names that the document gives them. Tests compare them with real answers. */
import { ANY, atLeast, COUNT, exactly, FLAG, listOf, NUMBER, orNull, ref, type Schema, TEXT, TIME } from './schema.ts';

const DECISIONS = ['pass', 'allow', 'ask', 'hold', 'deny', 'unknown'] as const;
const DECISION: Schema = { type: 'string', enum: DECISIONS };
const COUNTS = { entries: COUNT, denied: COUNT, held: COUNT, asked: COUNT, faults: COUNT } as const;
const PLACE = { project: TEXT, host: TEXT, user: TEXT, machine: TEXT, origin: TEXT } as const;
const TICKET_STATE: Schema = { type: 'string', enum: ['open', 'approved', 'denied', 'expired', 'withdrawn'] };
const BY_DECISION: Schema = exactly(Object.fromEntries(DECISIONS.map((decision) => [decision, COUNT])));

const ENTRY: Readonly<Record<string, Schema>> = {
  ...{ pos: COUNT, id: TEXT, at: TIME, sort: { type: 'string', enum: ['event', 'act', 'late'] }, session: TEXT, agent: TEXT, ...PLACE },
  ...{ kind: TEXT, tool: orNull(TEXT), decision: DECISION, faults: COUNT, asked: COUNT, skipped: COUNT, isRewritten: FLAG, isAlarm: FLAG },
  ...{ ms: NUMBER, ticket: orNull(TEXT), what: TEXT, reason: orNull(TEXT), decider: orNull(TEXT) },
};

const HOOK_IDENTITY = {
  id: TEXT,
  name: TEXT,
  dialect: TEXT,
  event: TEXT,
  handler: TEXT,
  file: TEXT,
  line: orNull(COUNT),
  scope: TEXT,
} as const;
const HOOK = { ...HOOK_IDENTITY, firstAt: TIME, lastAskedAt: orNull(TIME), lastFaultAt: orNull(TIME) } as const;
const REPORT: Schema = atLeast({ id: TEXT, name: TEXT, dialect: TEXT, event: TEXT, handler: TEXT, source: atLeast({ file: TEXT }) });
const WHO: Schema = atLeast({ osUser: TEXT, userId: TEXT, machine: exactly({ id: TEXT, name: TEXT }), project: atLeast({ root: TEXT }) });

const SUMMARY = {
  ...{ id: TEXT, state: TICKET_STATE, kind: TEXT, tool: orNull(TEXT), what: TEXT, reason: TEXT, session: TEXT, root: TEXT },
  ...{ host: TEXT, user: TEXT, digest: TEXT, heldBy: listOf(TEXT), openedAt: TIME, expiresAt: TIME, settledAt: orNull(TIME) },
  ...{ by: orNull(TEXT), note: orNull(TEXT) },
} as const;

const MAY: Schema = { type: 'string', enum: ['settle', 'read'] };
const GUARD_COMMAND: Schema = exactly({ argv: listOf(TEXT), via: listOf(TEXT) });

export const ANSWERS: Readonly<Record<string, Schema>> = {
  Problem: exactly({ type: TEXT, title: TEXT, status: COUNT, detail: TEXT, hint: TEXT, state: TICKET_STATE, by: orNull(TEXT) }, [
    'state',
    'by',
  ]),
  Login: exactly({ token: TEXT, may: MAY, because: orNull(TEXT) }),
  Progress: exactly({ pos: COUNT, head: COUNT, missing: COUNT, rebuilds: COUNT }),
  Following: exactly({
    ...{ state: { type: 'string', enum: ['well', 'behind', 'failing', 'silent'] }, since: orNull(TIME), says: TEXT, hint: TEXT },
  }),
  Me: exactly({
    ...{ may: MAY, because: orNull(TEXT), user: TEXT, machine: TEXT, version: TEXT, store: TEXT, startedAt: TIME, needsPassphrase: FLAG },
    ...{ progress: ref('Progress'), following: ref('Following'), openTickets: COUNT, problems: COUNT, canRecordAll: FLAG },
  }),
  Entry: exactly(ENTRY),
  EntryPage: exactly({ entries: listOf(ref('Entry')), next: orNull(COUNT) }),
  FoldedPage: exactly({
    items: listOf({
      anyOf: [
        exactly({ entry: ref('Entry') }),
        exactly({
          fold: exactly({
            ...{ session: TEXT, count: COUNT, firstPos: COUNT, lastPos: COUNT, firstAt: TIME, lastAt: TIME, ms: NUMBER },
            tools: { type: 'object', additionalProperties: COUNT },
          }),
        }),
      ],
    }),
    next: orNull(COUNT),
  }),
  EntryDetail: exactly({
    entry: ref('Entry'),
    record: atLeast({ id: TEXT, seq: COUNT, at: TIME, kind: TEXT, decision: TEXT, previous: TEXT, hash: TEXT, data: { type: 'object' } }),
    ...{
      title: orNull(TEXT),
      story: listOf(TEXT),
      command: orNull(TEXT),
      marks: listOf(exactly({ from: COUNT, to: COUNT, says: TEXT })),
      told: orNull(TEXT),
    },
    ...{ hooks: listOf(REPORT), followed: listOf(ref('Entry')), sameHookWeek: listOf(exactly({ at: TIME, entries: COUNT })) },
    neighbours: exactly({ newer: orNull(TEXT), older: orNull(TEXT) }),
    chain: { type: 'string', enum: ['sound', 'altered', 'unreadable'] },
    ticket: orNull(ref('TicketDetail')),
  }),
  Plan: exactly({
    plan: orNull(
      atLeast({
        kind: TEXT,
        hooks: listOf(atLeast({ id: TEXT, name: TEXT, dialect: TEXT, event: TEXT, runs: FLAG, why: TEXT })),
        diagnostics: listOf(atLeast({ severity: TEXT, message: TEXT })),
      }),
    ),
    guard: orNull(
      atLeast({
        ...{ decision: TEXT, rule: orNull(TEXT), complete: FLAG, why: orNull(TEXT), instead: orNull(TEXT), preset: TEXT },
        ...{ findings: listOf({ type: 'object' }), commands: listOf(GUARD_COMMAND), notes: listOf(TEXT) },
      }),
    ),
    problem: orNull(TEXT),
  }),
  Agent: exactly({ agent: TEXT, firstAt: TIME, lastAt: TIME, ...COUNTS, children: listOf(ref('Agent')) }),
  Session: exactly({
    ...{ id: TEXT, parent: orNull(TEXT), hostVersion: TEXT, ...PLACE, firstAt: TIME, lastAt: TIME, lastPos: COUNT, hookMs: NUMBER },
    ...{ title: orNull(TEXT), agents: listOf(ref('Agent')), ...COUNTS },
  }),
  Sessions: exactly({ sessions: listOf(ref('Session')), next: orNull(TEXT) }),
  SessionDetail: exactly({ session: ref('Session'), lane: listOf(ref('Entry')), isCut: FLAG }),
  LaneMark: exactly({ ...ENTRY, times: COUNT }),
  Lane: exactly({
    session: ref('Session'),
    state: { type: 'string', enum: ['waits', 'refused', 'works', 'idle'] },
    ...{ refused: COUNT, marks: listOf(ref('LaneMark')), isCut: FLAG, children: listOf(ref('Lane')) },
  }),
  Now: exactly({ at: TIME, since: TIME, lanes: listOf(ref('Lane')) }),
  Figure: exactly({ at: TIME, entries: COUNT, decisions: BY_DECISION, faults: COUNT, ms: NUMBER }),
  Figures: exactly({
    by: { type: 'string', enum: ['minute', 'hour', 'day'] },
    ...{ figures: listOf(ref('Figure')), totals: ref('Figure'), p95: orNull(NUMBER) },
  }),
  HookFigures: exactly({
    ...HOOK,
    ...{
      asked: COUNT,
      askedByTime: listOf(COUNT),
      denied: COUNT,
      held: COUNT,
      faulted: COUNT,
      skipped: COUNT,
      p50: orNull(NUMBER),
      p95: orNull(NUMBER),
    },
    ...{ msMax: NUMBER, ms: NUMBER, msPerSession: NUMBER },
    judge: exactly({ calls: COUNT, cached: COUNT, inputTokens: COUNT, outputTokens: COUNT, money: NUMBER }),
  }),
  ProblemOfHook: exactly({
    ...{ id: TEXT, kind: TEXT, hook: orNull(exactly(HOOK)), detail: TEXT, says: TEXT, firstAt: TIME, lastAt: TIME, count: COUNT },
    ...{ unseen: COUNT, state: { type: 'string', enum: ['open', 'resolved', 'muted'] }, isReopened: FLAG, mutedUntil: orNull(TIME) },
  }),
  Hooks: exactly({
    hooks: listOf(ref('HookFigures')),
    problems: listOf(ref('ProblemOfHook')),
    configured: listOf(
      exactly({
        ...{ id: TEXT, name: TEXT, dialect: TEXT, event: TEXT, file: TEXT, line: orNull(COUNT), scope: TEXT, root: TEXT },
        ...{ state: { type: 'string', enum: ['active', 'untrusted', 'disabled', 'error'] }, says: TEXT },
      }),
    ),
  }),
  Agents: exactly({ agents: listOf(exactly({ id: TEXT, title: TEXT, isInstalled: FLAG, install: TEXT })), tour: TEXT }),
  Series: exactly({
    points: listOf(exactly({ at: TIME, asked: COUNT, denied: COUNT, faulted: COUNT, p50: orNull(NUMBER), p95: orNull(NUMBER) })),
  }),
  Facets: exactly({ values: listOf(exactly({ value: TEXT, entries: COUNT })) }),
  TicketSummary: exactly(SUMMARY),
  Tickets: exactly({ tickets: listOf(ref('TicketSummary')), open: COUNT, next: orNull(TEXT) }),
  TicketDetail: exactly({
    ticket: exactly({
      ...SUMMARY,
      ...{ input: ANY, masked: listOf(TEXT), cwd: TEXT, hooks: listOf(REPORT), waiting: listOf(TEXT), who: orNull(WHO) },
      ...{
        metadata: orNull({ type: 'object' }),
        via: orNull(TEXT),
        settledBy: orNull(WHO),
        edit: ANY,
        releasedAt: orNull(TIME),
        anyone: FLAG,
      },
      actor: orNull(atLeast({ finding: TEXT, evidence: listOf(TEXT), via: TEXT })),
    }),
    ...{ entry: orNull(ref('Entry')), story: listOf(TEXT), before: listOf(ref('Entry')), asked: orNull(TEXT), changedFiles: listOf(TEXT) },
    ...{ binds: listOf(TEXT), editable: FLAG },
  }),
};
