/**
 * Answers a host as its own hook would: its payload in, its format and exit code out. One direction: receive, judge, degrade, encode, record,
 * notes. Any exception on the way becomes a deny in the host's format where the event can be denied, and never silence.
 */

import type { Host } from '../core/contracts/host.ts';
import { type Effect, NO_OPINION, type Verdict } from '../core/decision/decision.ts';
import type { Outcome } from '../core/decision/outcome.ts';
import { applyChanges, type HookEvent } from '../core/event/event.ts';
import type { Diagnostic } from '../core/values/diagnostic.ts';
import type { Environment } from '../core/values/environment.ts';
import type { JsonObject } from '../core/values/json.ts';
import { type Degradation, degrade, joinVerdicts } from './answer/degrade.ts';
import { type EncodedAnswer, encodeAnswer, encodeFailures, encodeNoOpinion, encodeProblem, type HostAnswer } from './answer/encode.ts';
import {
  appendNotes,
  diagnosticOf,
  faultsToSay,
  lineOf,
  loadErrorToSay,
  lostEffects,
  type Telling,
  tellingOf,
  withNotice,
} from './answer/notes.ts';
import { shareAnswer } from './answer/shared-entry.ts';
import type { AnsweredElsewhere, CallerPresence, FireOptions, IsAttended, OncePerSession } from './ports.ts';
import { type HostCall, identifyCall, type Reading, type ReceiveEvent, readHostCall } from './receive/host-call.ts';
import { HostDeadline, withHostTimeout, withoutCaller } from './receive/host-deadline.ts';

export type { HostAnswer };

/** The part of an engine that a host's call needs. */
export interface FiringEngine {
  readonly receive: ReceiveEvent;
  /** Returns an outcome that is not recorded yet. */
  judge(event: HookEvent, options: FireOptions): Outcome | Promise<Outcome>;
  /** Writes the outcome to the log and returns it, or a denied one if an unrecorded action must not run. */
  record(event: HookEvent, outcome: Outcome): Outcome | Promise<Outcome>;
  /** Problems of the hook files as they were loaded last. */
  readonly diagnostics: readonly Diagnostic[];
}

export interface HostAnswerOptions {
  readonly hosts: readonly Host[];
  /** Whether the hooks of the host's own format are asked too, although the host runs them itself. */
  readonly ownHooks?: boolean;
  /** Whether something is reported for the first time in a session (default: yes). */
  readonly isFirstTime?: OncePerSession;
  /** Whether another entry answers for a call (default: none does). */
  readonly answeredElsewhere?: AnsweredElsewhere;
  /** Whether a person is there to be asked by the host (default: yes). */
  readonly isAttended?: IsAttended;
}

/**
 * Answers one call and never rejects.
 * @param payload as it came, or parsed already
 * @param asked the event that the entry names
 * @param environment the environment of the caller
 * @param seen the environment that hooks see instead of that of this process
 * @param caller the process that started the hook
 */
export type HostAnswerer = (
  hostId: string,
  payload: string | JsonObject,
  asked?: string,
  environment?: Environment,
  seen?: Environment,
  caller?: Caller,
) => Promise<HostAnswer>;

/** The process on the other side of a call, as far as it is known. */
export interface Caller {
  readonly process?: number | undefined;
  readonly presence?: CallerPresence | undefined;
}

export function createHostAnswerer(engine: FiringEngine, options: HostAnswerOptions): HostAnswerer {
  return async (hostId, text, asked, environment = {}, seen, caller = {}) => {
    try {
      const call = readHostCall(hostId, text, asked, environment, options.hosts, engine.receive);
      if ('problem' in call) return encodeProblem(call);
      const isAttended = (): boolean => options.isAttended?.(call.host, call.payload, environment, caller.process) ?? true;
      return await answerHost(engine, call, options, seen, isAttended, caller.presence);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return denyHost(hostId, text, asked, environment, `Hookline itself failed: ${why}`, options.hosts);
    }
  };
}

/** Returns the answer to a call that Hookline failed to judge: a deny where that blocks something, elsewhere a note for people. */
export function denyHost(
  hostId: string,
  text: string | JsonObject,
  asked: string | undefined,
  environment: Environment,
  reason: string,
  hosts: readonly Host[],
): HostAnswer {
  const call = identifyCall(hostId, text, asked, environment, hosts);
  return 'problem' in call ? encodeProblem(call) : encodeFailures({ ...call, event: call.answeredOn }, call.others, reason);
}

/** Returns the answer to a call that Hookline failed to judge in a pause: no opinion, and a note for people. */
export function passHost(
  hostId: string,
  text: string | JsonObject,
  asked: string | undefined,
  environment: Environment,
  note: string,
  hosts: readonly Host[],
): HostAnswer {
  const call = identifyCall(hostId, text, asked, environment, hosts);
  if ('problem' in call) return { stdout: '', stderr: `${note}\n`, exit: 0 };
  return appendNotes(call.host, call.answeredOn, encodeNoOpinion(call.host, call.answeredOn), [note]);
}

/** Judges the events of a call and returns the response in the host's format. Every event is recorded before the response is returned. */
async function answerHost(
  engine: FiringEngine,
  call: HostCall,
  { ownHooks, isFirstTime, answeredElsewhere }: HostAnswerOptions,
  environment: Environment | undefined,
  isAttended: () => boolean,
  presence: CallerPresence | undefined,
): Promise<HostAnswer> {
  const { host, entry, answeredOn, rule, event, others } = call;
  const session = event.session.id;
  if (await answeredElsewhere?.({ host, entry, event: answeredOn, session })) return encodeNoOpinion(host, answeredOn);
  // Each possible caller runs the hooks of the entry's format itself. Which other hooks it runs depends on the caller, so in doubt they are asked here.
  const skipDialects = ownHooks ? [] : [...new Set([...(others.length === 0 ? [host.dialect.id] : []), entry.dialect.id])];
  const callers = [call, ...others];
  const deadline = new HostDeadline(callers, presence);
  try {
    const callerAsksPeople = (): boolean => callers.every((reading) => reading.rule.grants.includes('ask')) && isAttended();
    const callerGoesOn = rule.grants.includes('deny');
    const fireOptions = new HostFireOptions(deadline, { environment, skipDialects, callerAsksPeople, callerGoesOn });
    const cutShort = (): typeof withHostTimeout | undefined =>
      presence?.isGone ? withoutCaller : deadline.isOver ? withHostTimeout : undefined;
    const judged = await judgeEvents(engine, call, fireOptions, cutShort);
    const degraded = degradeEvents(call, call, judged);
    const isNew = (what: string): boolean => isFirstTime?.(session, what) ?? true;
    const loading = engine.diagnostics.length === 0 ? NO_ERRORS : loadErrorToSay(engine.diagnostics, rule, degraded.verdict, isNew);
    const faults = judged.some(hasFault) ? faultsToSay(outcomesOf(judged), rule, isNew) : [];
    const telling = loading === NO_ERRORS && faults.length === 0 ? NOTHING_TO_TELL : tellingOf(loading, faults, rule);
    const encoded = encodeShared(call, judged, degraded, telling);
    const recorded = await recordEvents(engine, call, judged, degraded, encoded);
    const isChanged = recorded.some(({ outcome }, i) => outcome.decision !== judged[i]?.outcome.decision);
    // The log could not be written, and by policy nothing runs unrecorded: the only reason to answer differently after encoding.
    const last = isChanged ? degradeEvents(call, call, recorded) : degraded;
    const answer = isChanged ? encodeShared(call, recorded, last, telling) : encoded;
    const unrecorded = isChanged ? last.degraded.flat().map((one) => lineOf(diagnosticOf(one))) : [];
    return withNotes(call, answer, last, [...notesOf(recorded), ...unrecorded, ...telling.lines]);
  } finally {
    deadline.end();
  }
}

/** A class, because V8 creates an object literal with a getter slowly, and this object is created for every event. */
class HostFireOptions implements FireOptions {
  readonly environment: Environment | undefined;
  readonly skipDialects: readonly string[];
  readonly callerAsksPeople: () => boolean;
  readonly callerGoesOn: boolean;
  readonly #deadline: HostDeadline;

  constructor(
    deadline: HostDeadline,
    options: Pick<HostFireOptions, 'environment' | 'skipDialects' | 'callerAsksPeople' | 'callerGoesOn'>,
  ) {
    this.#deadline = deadline;
    this.environment = options.environment;
    this.skipDialects = options.skipDialects;
    this.callerAsksPeople = options.callerAsksPeople;
    this.callerGoesOn = options.callerGoesOn;
  }

  get signal(): AbortSignal | undefined {
    return this.#deadline.signal;
  }
}

const NO_ERRORS: ReturnType<typeof loadErrorToSay> = {};
const NOTHING_TO_TELL: Telling = { lines: [] };

interface JudgedEvent {
  readonly event: HookEvent;
  readonly outcome: Outcome;
}

/** Judges all events of a call in order. A later event is judged as the earlier ones left it. */
async function judgeEvents(
  engine: FiringEngine,
  { host, rule, events }: HostCall,
  options: FireOptions,
  cutShort: () => typeof withHostTimeout | undefined,
): Promise<JudgedEvent[]> {
  const judged: JudgedEvent[] = [];
  let changes: Pick<Outcome, 'rewrite' | 'replace'> = {};
  for (const received of events) {
    const event = applyChanges(received, changes);
    const found = await engine.judge(event, options);
    const outcome = cutShort()?.(found, rule, host) ?? found;
    judged.push({ event, outcome });
    const { rewrite, replace } = outcome;
    changes = { ...changes, ...(rewrite !== undefined && { rewrite }), ...(replace !== undefined && { replace }) };
  }
  return judged;
}

interface DegradedCall {
  /** All verdicts joined. */
  readonly verdict: Verdict;
  /** The effects that the host cannot apply, event by event. */
  readonly degraded: readonly (readonly Degradation[])[];
  /** Whether no event has anything to report. */
  readonly isSilent: boolean;
}

const SILENT: DegradedCall = { verdict: NO_OPINION, degraded: [], isSilent: true };

function degradeEvents({ host, rule }: Reading, { standsFor, events }: HostCall, judged: readonly JudgedEvent[]): DegradedCall {
  if (judged.every(({ outcome }) => isSilent(outcome))) return SILENT;
  const each = judged.map(({ outcome }, i) => {
    if (isSilent(outcome)) return undefined;
    return degrade(i < standsFor ? outcome : decisionOnly(outcome), rule, host, events[i]);
  });
  const verdict = joinVerdicts(each.flatMap((one) => (one ? [one.verdict] : [])));
  return { verdict, degraded: each.map((one) => one?.degraded ?? []), isSilent: false };
}

/** An event that is asked ahead has a call of its own later, on which its other effects are applied. */
function decisionOnly({ rewrite: _, replace: __, ...outcome }: Outcome): Outcome {
  const decides = outcome.decision === 'deny' || outcome.decision === 'ask' || outcome.decision === 'hold';
  return { ...outcome, ...(!decides && { decision: 'pass', reason: null }), context: [], contextSources: [], notices: [] };
}

/** Whether no hook was asked and there is nothing to report: the result of most events, and the cheapest answer. */
function isSilent(outcome: Outcome): boolean {
  const { decision, hooks, diagnostics, context, notices, rewrite, replace, halt, quiet } = outcome;
  if (decision !== 'pass' || hooks.length > 0 || diagnostics.length > 0 || quiet) return false;
  return context.length === 0 && notices.length === 0 && rewrite === undefined && replace === undefined && halt === undefined;
}

interface ToldAnswer extends EncodedAnswer {
  /** The notice that Hookline added. */
  readonly told?: Effect;
}

/** Encodes the answer of the caller. If other hosts may be calling too, it becomes one that holds in all of them where one answer can. */
function encodeShared(call: HostCall, judged: readonly JudgedEvent[], degraded: DegradedCall, telling: Telling): ToldAnswer {
  const own = encodeVerdict(call, call.event, degraded, telling);
  if (call.others.length === 0) return own;
  const others = call.others.map((reading) => {
    const { answer, verdict } = encodeVerdict(reading, call.event, degradeEvents(reading, call, judged), NOTHING_TO_TELL);
    return { reading, answer, verdict };
  });
  const { answer, weakerIn } = shareAnswer({ reading: call, ...own }, others, call.entry.id, call.event);
  return { ...own, answer, weakerIn };
}

function encodeVerdict({ host, answeredOn }: Reading, event: HookEvent, degraded: DegradedCall, { notice }: Telling): ToldAnswer {
  if (notice === undefined) {
    if (degraded.isSilent) return { answer: encodeNoOpinion(host, answeredOn), verdict: NO_OPINION, notEncoded: [] };
    return encodeAnswer(host, answeredOn, degraded.verdict, event);
  }
  const { verdict, effect } = withNotice(degraded.verdict, notice);
  return { ...encodeAnswer(host, answeredOn, verdict, event), told: effect };
}

/** Records one entry per event. Effects that the format cannot express are recorded with the event that is answered. */
async function recordEvents(
  engine: FiringEngine,
  { host }: HostCall,
  judged: readonly JudgedEvent[],
  { verdict, degraded, isSilent: isSilentCall }: DegradedCall,
  encoded: EncodedAnswer,
): Promise<JudgedEvent[]> {
  const isWhole = encoded.verdict === verdict && encoded.notEncoded.length === 0 && encoded.weakerIn === undefined;
  const lost = isSilentCall || isWhole ? [] : lostEffects(encoded, verdict, host);
  // An event that no hook was asked about may have no entry.
  const answered = judged.findIndex(({ outcome }) => !isSilent(outcome));
  const recorded: JudgedEvent[] = [];
  for (const [i, { event, outcome }] of judged.entries()) {
    const missing = [...(degraded[i] ?? []), ...(i === answered ? lost : [])];
    const whole = missing.length === 0 ? outcome : { ...outcome, diagnostics: [...outcome.diagnostics, ...missing.map(diagnosticOf)] };
    recorded.push({ event, outcome: await engine.record(event, whole) });
  }
  return recorded;
}

function hasFault({ outcome }: JudgedEvent): boolean {
  return outcome.hooks.some(({ status }) => status === 'faulted');
}

function outcomesOf(judged: readonly JudgedEvent[]): readonly Outcome[] {
  return judged.map(({ outcome }) => outcome);
}

function notesOf(recorded: readonly JudgedEvent[]): string[] {
  return recorded.flatMap(({ outcome }) => outcome.diagnostics.filter(({ severity }) => severity !== 'info').map(lineOf));
}

/** Adds the lines for people that the answer itself does not contain. */
function withNotes(
  { host, answeredOn }: HostCall,
  { answer, notEncoded, told }: ToldAnswer,
  { degraded }: DegradedCall,
  notes: readonly string[],
): HostAnswer {
  const unshown = told && notEncoded.includes(told) && 'text' in told ? [told.text] : [];
  const all = new Set([...notes, ...unshown]);
  if (all.size === 0) return answer;
  const denials = degraded.flatMap((each) => each.filter(({ became }) => became === 'deny').map((one) => lineOf(diagnosticOf(one))));
  // A host that reads stderr has the reason there and shows it to the model, so the deny is not repeated.
  const isSaid = (note: string): boolean => answer.stderr.includes(note) || (answer.stderr !== '' && denials.includes(note));
  return appendNotes(
    host,
    answeredOn,
    answer,
    [...all].filter((note) => !isSaid(note)),
  );
}
