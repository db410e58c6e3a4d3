/**
 * Encodes an answer as the bytes and the exit code that the host's own hook would have left. A deny that the JSON of the format cannot express is
 * encoded as an exit code, and never left out.
 */

import type { Host } from '../../core/contracts/host.ts';
import { type Effect, NO_OPINION, type Verdict } from '../../core/decision/decision.ts';
import type { HookEvent } from '../../core/event/event.ts';
import { type EventRule, isBlockingEvent, isGating } from '../../core/meaning/profile.ts';
import { render } from '../../core/meaning/render.ts';
import { ownValue } from '../../core/values/json.ts';
import type { CallProblem, Reading } from '../receive/host-call.ts';
import { replacementText, wantedText } from './degrade.ts';
import { appendNotes, explicitNoOpinion } from './notes.ts';
import { denyMost, type ReadAnswer, shareAnswer } from './shared-entry.ts';

export interface HostAnswer {
  readonly stdout: string;
  readonly stderr: string;
  readonly exit: number;
}

export interface EncodedAnswer {
  readonly answer: HostAnswer;
  /** The verdict that the host reads in it: at least as severe as the verdict that was to be encoded. */
  readonly verdict: Verdict;
  /** Effects that the format cannot express in addition to the decision. */
  readonly notEncoded: readonly Effect[];
  /** Other hosts that may have called, and in which no common answer is as severe as in the caller. Absent: the caller is known. */
  readonly weakerIn?: readonly Reading[];
}

/** `verdict` is within the grants of the event, because `degrade` has reduced it. `event` is the event that is answered. */
export function encodeAnswer(host: Host, nativeEvent: string, verdict: Verdict, event?: HookEvent): EncodedAnswer {
  const replace = verdict.effects.find(({ kind }) => kind === 'replace');
  if (replace === undefined || render({ decision: verdict.decision, effects: [replace] }, nativeEvent, host.dialect, event))
    return encodeSupported(host, nativeEvent, verdict, event);
  // A replacement that cannot be encoded must not suppress the other effects, and the agent is told which value to use instead.
  const others = verdict.effects.filter((effect) => effect !== replace);
  const takesContext = ownValue(host.dialect.profile.events, nativeEvent)?.grants.includes('context');
  const asContext: Effect[] = takesContext && 'value' in replace ? [{ kind: 'context', text: replacementText(replace.value) }] : [];
  const encoded = encodeSupported(host, nativeEvent, { decision: verdict.decision, effects: [...others, ...asContext] }, event);
  return { ...encoded, notEncoded: [...encoded.notEncoded, replace] };
}

function encodeSupported(host: Host, nativeEvent: string, verdict: Verdict, event?: HookEvent): EncodedAnswer {
  const { decision } = verdict;
  const effects = decision.kind === 'deny' ? verdict.effects.filter(({ kind }) => kind !== 'rewrite') : verdict.effects;
  const encoded =
    encodeAsExitCode(host, nativeEvent, { decision, effects }) ?? encodeAsReply(host, nativeEvent, { decision, effects }, event);
  if (encoded) return encoded;
  const isConsent = decision.kind === 'pass' || decision.kind === 'allow';
  // Consent that cannot be encoded is no opinion.
  if (isConsent && !effects.some(({ kind }) => kind === 'rewrite'))
    return { answer: encodeNoOpinion(host, nativeEvent), verdict: NO_OPINION, notEncoded: effects };
  // A rewrite that can only be encoded with consent, which no hook gave, goes to a person. If no person can be asked, it is a deny.
  const wanted = effects.flatMap((effect) => (effect.kind === 'rewrite' ? [wantedText(effect.value)] : [])).join(' ');
  const reason = isConsent
    ? `A hook rewrote this input, but ${host.title} cannot apply a rewrite on this event without consent. ${wanted}`
    : decision.reason;
  const asked = isConsent ? encodeAsReply(host, nativeEvent, { decision: { kind: 'ask', reason }, effects }, event) : undefined;
  if (asked) return asked;
  const notEncoded = effects.filter(({ kind }) => kind !== 'rewrite');
  return {
    answer: encodeDeny(host, nativeEvent, reason),
    verdict: { decision: { kind: 'deny', reason }, effects: [] },
    notEncoded,
  };
}

/** Encodes a deny as an exit code, with other texts after its reason. Undefined if an effect is more than text, or if there is no such code. */
function encodeAsExitCode(host: Host, nativeEvent: string | undefined, { decision, effects }: Verdict): EncodedAnswer | undefined {
  const rule = ownValue(host.dialect.profile.events, nativeEvent);
  const exit = host.deniesByExit && rule?.grants.includes('deny') ? denyingExit(rule, host) : undefined;
  if (exit === undefined || decision.kind !== 'deny' || decision.reason.trim() === '') return undefined;
  const texts = effects.flatMap((effect) => (effect.kind === 'context' || effect.kind === 'notice' ? [effect.text] : []));
  if (texts.length < effects.length) return undefined;
  const reason = [decision.reason, ...texts].join('\n');
  return { answer: { stdout: '', stderr: reason, exit }, verdict: { decision: { kind: 'deny', reason }, effects: [] }, notEncoded: [] };
}

function encodeAsReply(
  host: Host,
  nativeEvent: string,
  { decision, effects }: Verdict,
  event: HookEvent | undefined,
): EncodedAnswer | undefined {
  for (const dropped of DROPPED_IN_TURN) {
    const verdict = { decision, effects: effects.filter(({ kind }) => !dropped.includes(kind)) };
    const reply = render(verdict, nativeEvent, host.dialect, event);
    if (reply)
      return {
        answer: spoken(host, nativeEvent, answerOf(reply)),
        verdict,
        notEncoded: effects.filter(({ kind }) => dropped.includes(kind)),
      };
  }
  return undefined;
}

/** Returns the response by which a hook of this host has no opinion: nothing, unless the host takes nothing for a failure. */
export function encodeNoOpinion(host: Host, nativeEvent: string | undefined): HostAnswer {
  const reply = nativeEvent === undefined ? undefined : render(NO_OPINION, nativeEvent, host.dialect);
  return spoken(host, nativeEvent, reply ? answerOf(reply) : { stdout: '', stderr: '', exit: 0 });
}

function spoken(host: Host, nativeEvent: string | undefined, answer: HostAnswer): HostAnswer {
  if (answer.stdout !== '' || answer.exit !== 0 || nativeEvent === undefined || !host.emptyFails.includes(nativeEvent)) return answer;
  return { ...answer, stdout: explicitNoOpinion(host, nativeEvent) };
}

/** Encodes a deny in the host's format. If the event is unknown, it denies on as many events as one answer can. */
export function encodeDeny(host: Host, nativeEvent: string | undefined, reason: string): HostAnswer {
  const verdict: Verdict = { decision: { kind: 'deny', reason }, effects: [] };
  const rule = ownValue(host.dialect.profile.events, nativeEvent);
  const reply =
    encodeAsExitCode(host, nativeEvent, verdict)?.answer ??
    (nativeEvent === undefined ? undefined : render(verdict, nativeEvent, host.dialect));
  if (reply) return answerOf(reply);
  const plain = { stdout: '', stderr: reason, exit: denyingExit(rule, host) ?? BLOCKED };
  if (rule && isGating(rule)) return plain;
  const gates = Object.entries<EventRule>(host.dialect.profile.events).filter(([, other]) => isBlockingEvent(other));
  const each = gates.map(([name, other]): ReadAnswer => {
    const reading = { host, names: [name], answeredOn: name, rule: other };
    return { reading, answer: encodeDeny(host, name, reason), verdict };
  });
  return denyMost(plain, each, UNJUDGED);
}

/** Stands for an event that could not be decoded. */
const UNJUDGED: HookEvent = { id: '', kind: 'tool.before', at: '', session: { id: '', cwd: '' }, data: {} };

/** Encodes the answer to a call that Hookline cannot judge: a deny where that blocks something, elsewhere no opinion and a note for people. */
export function encodeFailure(host: Host, nativeEvent: string | undefined, reason: string): HostAnswer {
  const rule = ownValue(host.dialect.profile.events, nativeEvent);
  if (nativeEvent === undefined || !rule) return encodeDeny(host, undefined, reason);
  if (isBlockingEvent(rule)) return encodeDeny(host, nativeEvent, reason);
  return appendNotes(host, nativeEvent, encodeNoOpinion(host, nativeEvent), [reason]);
}

/** The same for a call that several hosts may have made: the answer denies in each of them where one answer can. */
export function encodeFailures(
  call: { readonly host: Host; readonly entry?: Host; readonly event?: string | undefined },
  others: readonly Reading[],
  reason: string,
): HostAnswer {
  const { host, entry = host, event } = call;
  const own = encodeFailure(host, event, reason);
  const rule = ownValue(host.dialect.profile.events, event);
  if (others.length === 0 || event === undefined || !rule) return own;
  const read = (reading: Reading, answer: HostAnswer): ReadAnswer => {
    const verdict: Verdict = isBlockingEvent(reading.rule) ? { decision: { kind: 'deny', reason }, effects: [] } : NO_OPINION;
    return { reading, answer, verdict };
  };
  const caller = read({ host, names: [event], answeredOn: event, rule }, own);
  const rest = others.map((one) => read(one, encodeFailure(one.host, one.answeredOn, reason)));
  return shareAnswer(caller, rest, entry.id, UNJUDGED).answer;
}

/**
 * Encodes the answer to a call that names no known host or event, or whose payload cannot be read. No format is known for a host that does
 * not exist. Exit code 2 denies nearly everywhere, so it is used unless the event is one that a deny does not block.
 */
export function encodeProblem(call: CallProblem): HostAnswer {
  switch (call.problem) {
    case 'unknown-host':
      return { stdout: '', stderr: `hookline: ${call.message}\n`, exit: call.mayDeny ? BLOCKED : USAGE };
    case 'unknown-event':
      return { ...encodeNoOpinion(call.host, undefined), stderr: `hookline: ${call.message}\n` };
    case 'unreadable':
      return encodeFailures(call, call.others, call.reason);
  }
}

/** Effects are dropped in this order until the rest can be encoded. A rewrite is never dropped. */
const DROPPED_IN_TURN: readonly (readonly Effect['kind'][])[] = [
  [],
  ['quiet'],
  ['quiet', 'notice'],
  ['quiet', 'notice', 'context'],
  ['quiet', 'notice', 'context', 'replace', 'continue'],
  ['quiet', 'notice', 'context', 'replace', 'continue', 'halt'],
];

/** The exit code that nearly every host reads as a deny. */
const BLOCKED = 2;
/** Wrong usage. */
const USAGE = 64;

function denyingExit(rule: EventRule | undefined, { dialect }: Host): number | undefined {
  const rows = rule?.read?.exit ?? dialect.profile.read.exit;
  const row = rows.find(({ means }) => means.say === 'deny' && means.reason[0] !== 'stdout');
  return row && (row.exit === 'other' ? 1 : row.exit[0]);
}

function answerOf({
  stdout,
  stderr,
  exit,
}: {
  readonly stdout: string;
  readonly stderr: string;
  readonly exit: number | null;
}): HostAnswer {
  return { stdout, stderr, exit: exit ?? BLOCKED };
}
