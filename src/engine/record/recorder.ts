/**
 * Records the outcome of each firing, with secrets masked, before the answer is given. If the log cannot be written, the outcome reports it and
 * the failure is counted. With `onFailure: 'deny'` the action is denied.
 */

import type { Store } from '../../core/contracts/store.ts';
import type { Outcome } from '../../core/decision/outcome.ts';
import { type HookEvent, kindRule } from '../../core/event/event.ts';
import { type LogRecord, outcomeForLog } from '../../core/record/decision-record.ts';
import type { Caller, Who } from '../../core/record/who.ts';
import { digestOfFrozen, type Hash } from '../../core/values/digest.ts';
import { HooklineError } from '../../core/values/errors.ts';
import { type JsonObject, textOf } from '../../core/values/json.ts';
import { type Bounds, type RedactedPart, redactWithin } from '../../core/values/redact.ts';
import type { Clock } from '../ports.ts';
import { GATES, withAlarm } from './enforcement.ts';

export interface RecorderRules {
  /** `asked`: firings in which a hook was asked or skipped; `all`: also firings without such a hook. */
  readonly record: 'asked' | 'all';
  /** Whether the decision is kept or becomes a deny if the log cannot be written. */
  readonly onFailure: 'keep' | 'deny';
  readonly root: string;
  readonly clock: Clock;
  readonly hash: Hash;
  /** Returns the store, or a promise of it. */
  store(): Store | Promise<Store>;
  /** Returns whose action an event is. Called only when an entry is written. */
  who?(caller?: Caller): Who | undefined;
  /** Returns the store if it is open already. */
  opened(): Store | undefined;
  /** Whether an event of this kind can be denied at all. */
  gates(kind: HookEvent['kind']): boolean;
  /** Sessions in which a call was denied, because reading this is cheaper than reading the store. `add` returns why it could not be stored. */
  readonly deniedSessions: { has(session: string): boolean; add(session: string): string | undefined };
}

export interface Recorder {
  /** @param who whose action it is, if it is not that of this process */
  record(event: HookEvent, outcome: Outcome, set: () => string, who?: Who): Outcome | Promise<Outcome>;
  /** Whether firings without a hook are written too. */
  readonly recordsAll: boolean;
  /** How many firings could not be written. */
  readonly failures: number;
}

export function createRecorder(rules: RecorderRules): Recorder {
  let failures = 0;
  const failed = (outcome: Outcome, error: unknown): Outcome => {
    failures++;
    return withFailure(outcome, error, rules);
  };
  /** Whether the log may have a denial of the call that ran. Few sessions have one, and a look at the log takes longer than an entry. */
  const mayBeDenied = (event: HookEvent): boolean => reportsRun(event) && rules.deniedSessions.has(event.session.id);
  const write = (store: Store, event: HookEvent, outcome: Outcome, set: () => string, who?: Who): Outcome | Promise<Outcome> => {
    if (outcome.lateOf !== undefined || !mayBeDenied(event)) return append(store, event, outcome, set, who);
    return withAlarm(store, event, outcome, rules.hash).then((checked) => append(store, event, checked, set, who));
  };
  const append = (store: Store, event: HookEvent, given: Outcome, set: () => string, who?: Who): Outcome | Promise<Outcome> => {
    const problem = isDenied(event, given) ? rules.deniedSessions.add(event.session.id) : undefined;
    const outcome = problem === undefined ? given : withUnnoted(given, problem);
    const written = store.log.append(recordOf(event, outcome, set(), rules, who ?? rules.who?.(event.caller)), rules.hash);
    return written
      ? written.then(
          () => outcome,
          (error: unknown) => failed(outcome, error),
        )
      : outcome;
  };
  /** No hook was asked about this run. */
  const lookUp = (event: HookEvent, outcome: Outcome, set: () => string, who?: Who): Outcome | Promise<Outcome> => {
    const store = rules.opened() ?? rules.store();
    const look = async (open: Store): Promise<Outcome> => {
      const checked = await withAlarm(open, event, outcome, rules.hash);
      return checked === outcome ? outcome : append(open, event, checked, set, who);
    };
    return store instanceof Promise ? store.then(look, (error: unknown) => withUnread(outcome, error)) : look(store);
  };
  return {
    record(event, outcome, set, who) {
      try {
        if (rules.record === 'asked' && outcome.hooks.length === 0) {
          return mayBeDenied(event) ? lookUp(event, outcome, set, who) : outcome;
        }
        const store = rules.store();
        if (!(store instanceof Promise)) return write(store, event, outcome, set, who);
        return store.then((opened) => write(opened, event, outcome, set, who)).catch((error: unknown) => failed(outcome, error));
      } catch (error) {
        return failed(outcome, error);
      }
    },
    recordsAll: rules.record === 'all',
    get failures() {
      return failures;
    },
  };
}

/** Whether the call must not run, so that an alarm follows if the agent reports that it did. */
function isDenied({ kind }: HookEvent, { decision }: Outcome): boolean {
  return GATES.includes(kind) && (decision === 'deny' || decision === 'hold');
}

function reportsRun({ kind, data }: HookEvent): boolean {
  return kindRule(kind).reportsRun === true && typeof data['tool'] === 'string';
}

function recordOf(
  event: HookEvent,
  outcome: Outcome,
  hooks: string,
  { root, clock, hash }: RecorderRules,
  who: Who | undefined,
): LogRecord {
  // A hook asked for no logging: the entry stays, without its content.
  const shown: JsonObject = outcome.quiet ? {} : event.data;
  const logged = outcomeForLog(outcome.quiet ? withoutPayload(outcome) : outcome);
  // Each part has room of its own: a long payload must not displace the outcome.
  const parts = { data: redactWithin(shown, KEPT), outcome: redactWithin(logged, KEPT), reason: redactWithin(outcome.reason, KEPT) };
  const [masked, cut] = [pointersOf(parts, 'masked'), pointersOf(parts, 'cut')];
  const at = clock.now();
  const { data, kind } = event;
  const isJudged = GATES.includes(kind) && outcome.lateOf === undefined;
  const input = isJudged ? digestOfFrozen(data['input'] ?? null, hash) : undefined;
  // Keys are in the order of the text that is written, which saves sorting them.
  return {
    at,
    ...(cut.length > 0 && { cut }),
    data: parts.data.value as JsonObject,
    decision: outcome.decision,
    digests: input === undefined ? { event: digestOfFrozen(data, hash), hooks } : { event: digestOfFrozen(data, hash), hooks, input },
    id: outcome.id,
    kind,
    masked: outcome.quiet
      ? ['/data', ...CHANGES.filter((key) => outcome[key] !== undefined).map((key) => `/outcome/${key}`), ...masked]
      : masked,
    ms: Math.max(0, at - millisecondsOf(event.at)) || 0,
    outcome: parts.outcome.value,
    reason: parts.reason.value as string | null,
    root,
    session: event.session.id,
    ticket: outcome.ticket?.id ?? outcome.approval?.ticket ?? null,
    tool: textOf(data['tool']) ?? null,
    ...(who && { who }),
  };
}

let lastTime = '';
let lastMs = Number.NaN;

/** Events of the same moment share the text of their time. */
function millisecondsOf(time: string): number {
  if (time !== lastTime) [lastTime, lastMs] = [time, Date.parse(time)];
  return lastMs;
}

const PARTS = ['data', 'outcome', 'reason'] as const;

function pointersOf(parts: Readonly<Record<(typeof PARTS)[number], RedactedPart>>, list: 'masked' | 'cut'): readonly string[] {
  if (PARTS.every((name) => parts[name][list].length === 0)) return NONE;
  return PARTS.flatMap((name) => parts[name][list].map((pointer) => `/${name}${pointer}`));
}

const NONE: readonly string[] = [];

/** The most of a payload, an outcome or a reason that an entry keeps. The digest is of the whole event. */
const KEPT: Bounds = { text: 16 * 1024, whole: 64 * 1024 };

/** Rewrites and the input that a hook was shown contain the payload, and its stderr may, so they are masked too. */
const CHANGES = ['rewrite', 'replace'] as const;

function withoutPayload({ rewrite: _, replace: __, ...outcome }: Outcome): Outcome {
  return {
    ...outcome,
    hooks: outcome.hooks.map(({ input: ___, state: ____, log: _____, stdout: ______, stderr: _______, ...report }) => report),
  };
}

function withFailure(outcome: Outcome, error: unknown, rules: RecorderRules): Outcome {
  const why = error instanceof Error ? error.message : String(error);
  const denies = rules.onFailure === 'deny' && outcome.decision !== 'deny' && rules.gates(outcome.kind);
  const message = `This decision could not be written to the log: ${why}`;
  const fix = error instanceof HooklineError && error.hint !== undefined ? `${error.hint} ` : '';
  const hint = `${fix}${denies ? 'By policy no action runs unrecorded.' : 'The decision is kept. To deny instead, set `log.onFailure` to `deny`.'}`;
  const diagnostics = [...outcome.diagnostics, { severity: 'error' as const, code: 'log-failed', message, hint }];
  return denies ? { ...outcome, decision: 'deny', reason: message, diagnostics } : { ...outcome, diagnostics };
}

function withUnnoted(outcome: Outcome, problem: string): Outcome {
  const message = `This denial could not be stored for other processes: ${problem}. If the agent runs the action nevertheless, that may go unnoticed.`;
  const hint = 'Make the state folder writable.';
  return { ...outcome, diagnostics: [...outcome.diagnostics, { severity: 'warning', code: 'denial-not-noted', message, hint }] };
}

function withUnread(outcome: Outcome, error: unknown): Outcome {
  const why = error instanceof Error ? error.message : String(error);
  const message = `A call was denied in this session, but the log could not be read to check whether it is this one that ran: ${why}`;
  return { ...outcome, diagnostics: [...outcome.diagnostics, { severity: 'error', code: 'log-failed', message }] };
}
