/**
 * What a host is told, as the bytes and the exit code that its own hook would have left. A deny that can't be said in the format's JSON is
 * said by an exit code, and never left out.
 */

import type { Host } from '../../core/contracts/host.ts';
import { type Effect, NO_OPINION, type Verdict } from '../../core/decision/decision.ts';
import type { HookEvent } from '../../core/event/event.ts';
import { type EventRule, isBlockingEvent, isGating } from '../../core/meaning/profile.ts';
import { render } from '../../core/meaning/render.ts';
import type { CallProblem } from '../receive/host-call.ts';
import { replacementText } from './degrade.ts';
import { appendNotes } from './notes.ts';

export interface HostAnswer {
  readonly stdout: string;
  readonly stderr: string;
  readonly exit: number;
}

export interface EncodedAnswer {
  readonly answer: HostAnswer;
  /** What the words mean: at least as severe as what was to be said. */
  readonly verdict: Verdict;
  /** Effects for which the format has no words beside the decision. */
  readonly notEncoded: readonly Effect[];
}

/** `verdict` is within what the event grants: `degrade` sees to that. `event` is what it answers. */
export function encodeAnswer(host: Host, nativeEvent: string, verdict: Verdict, event?: HookEvent): EncodedAnswer {
  const replace = verdict.effects.find(({ kind }) => kind === 'replace');
  if (replace === undefined || render({ decision: verdict.decision, effects: [replace] }, nativeEvent, host.dialect, event))
    return encodeSupported(host, nativeEvent, verdict, event);
  // What can't be replaced must not take the rest with it, and the agent should at least know what to take instead.
  const others = verdict.effects.filter((effect) => effect !== replace);
  const takesContext = host.dialect.profile.events[nativeEvent]?.grants.includes('context');
  const told: Effect[] = takesContext && 'value' in replace ? [{ kind: 'context', text: replacementText(replace.value) }] : [];
  const said = encodeSupported(host, nativeEvent, { decision: verdict.decision, effects: [...others, ...told] }, event);
  return { ...said, notEncoded: [...said.notEncoded, replace] };
}

function encodeSupported(host: Host, nativeEvent: string, verdict: Verdict, event?: HookEvent): EncodedAnswer {
  const { decision } = verdict;
  const effects = decision.kind === 'deny' ? verdict.effects.filter(({ kind }) => kind !== 'rewrite') : verdict.effects;
  const said = encodeAsExitCode(host, nativeEvent, { decision, effects }) ?? encodeAsReply(host, nativeEvent, { decision, effects }, event);
  if (said) return said;
  const isConsent = decision.kind === 'pass' || decision.kind === 'allow';
  // Without words for it, consent is no opinion.
  if (isConsent && !effects.some(({ kind }) => kind === 'rewrite'))
    return { answer: encodeNoOpinion(host, nativeEvent), verdict: NO_OPINION, notEncoded: effects };
  // A rewrite that can only be said with consent nobody gave is put to a person, and else refused.
  const reason = isConsent ? `A hook wants this done otherwise, and ${host.title} can't do that on its own here.` : decision.reason;
  const asked = isConsent ? encodeAsReply(host, nativeEvent, { decision: { kind: 'ask', reason }, effects }, event) : undefined;
  if (asked) return asked;
  const notEncoded = effects.filter(({ kind }) => kind !== 'rewrite');
  return {
    answer: encodeDeny(host, nativeEvent, reason),
    verdict: { decision: { kind: 'deny', reason }, effects: [] },
    notEncoded,
  };
}

/** What is said beside the deny goes with its reason; undefined if it is more than words, or if there is no such code. */
function encodeAsExitCode(host: Host, nativeEvent: string | undefined, { decision, effects }: Verdict): EncodedAnswer | undefined {
  const rule = nativeEvent === undefined ? undefined : host.dialect.profile.events[nativeEvent];
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
    const said = render(verdict, nativeEvent, host.dialect, event);
    if (said) return { answer: answerOf(said), verdict, notEncoded: effects.filter(({ kind }) => dropped.includes(kind)) };
  }
  return undefined;
}

/** The host's exact silence. */
export function encodeNoOpinion(host: Host, nativeEvent: string | undefined): HostAnswer {
  const said = nativeEvent === undefined ? undefined : render(NO_OPINION, nativeEvent, host.dialect);
  return said ? answerOf(said) : { stdout: '', stderr: '', exit: 0 };
}

/** A deny in the host's words; of an event nobody can name, by the exit code that denies whatever it is. */
export function encodeDeny(host: Host, nativeEvent: string | undefined, reason: string): HostAnswer {
  const verdict: Verdict = { decision: { kind: 'deny', reason }, effects: [] };
  const said =
    encodeAsExitCode(host, nativeEvent, verdict)?.answer ??
    (nativeEvent === undefined ? undefined : render(verdict, nativeEvent, host.dialect));
  if (said) return answerOf(said);
  const rule = nativeEvent === undefined ? undefined : host.dialect.profile.events[nativeEvent];
  const code = denyingExit(rule, host);
  if (code !== undefined) return { stdout: '', stderr: reason, exit: code };
  const gate = Object.entries<EventRule>(host.dialect.profile.events).find(([, other]) => isGating(other))?.[0];
  const elsewhere = gate === undefined ? undefined : render(verdict, gate, host.dialect);
  return elsewhere ? answerOf(elsewhere) : { stdout: '', stderr: reason, exit: BLOCKED };
}

/** Encodes the answer to a call that Hookline cannot judge: a deny where that blocks something, elsewhere no opinion and a note for people. */
export function encodeFailure(host: Host, nativeEvent: string | undefined, reason: string): HostAnswer {
  const rule = nativeEvent === undefined ? undefined : host.dialect.profile.events[nativeEvent];
  if (nativeEvent === undefined || !rule) return encodeDeny(host, undefined, reason);
  if (isBlockingEvent(rule)) return encodeDeny(host, nativeEvent, reason);
  return appendNotes(host, nativeEvent, encodeNoOpinion(host, nativeEvent), [reason]);
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
      return encodeFailure(call.host, call.event, call.reason);
  }
}

/** What is given up first comes first; a rewrite is never given up. */
const DROPPED_IN_TURN: readonly (readonly Effect['kind'][])[] = [
  [],
  ['quiet'],
  ['quiet', 'notice'],
  ['quiet', 'notice', 'context'],
  ['quiet', 'notice', 'context', 'replace', 'continue'],
  ['quiet', 'notice', 'context', 'replace', 'continue', 'halt'],
];

/** What nearly every host takes for a refusal. */
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
