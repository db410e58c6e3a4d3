/**
 * Answers a host as its own hook would: its payload in, its words and exit code out. Whatever goes wrong on the way is a deny in the host's
 * words where the event can be denied, and never silence.
 */
import { HOSTS } from '../builtins.ts';
import type { SaidOnce } from '../config/said-once.ts';
import type { Verdict } from '../core/decision.ts';
import { type Degradation, degrade, joinVerdicts } from '../core/degrade.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import type { Environment } from '../core/environment.ts';
import { type HookEvent, leftBy } from '../core/event.ts';
import type { Host } from '../core/host.ts';
import { type HostWords, noOpinion, protects, refusal, type Said, sayTo, withLines } from '../core/host-words.ts';
import type { JsonObject } from '../core/json.ts';
import type { Outcome } from '../core/outcome.ts';
import type { EventRule } from '../core/profile.ts';
import { stillSeen } from '../core/replaced-words.ts';
import { NAMELESS_SESSION } from './events.ts';
import type { Hookline } from './hookline.ts';
import { type HostCall, readHostCall } from './host-call.ts';
import { loadErrorToSay } from './load-errors.ts';
import type { TwoEntries } from './two-entries.ts';

export type HostAnswer = HostWords;

export interface HostAnswerOptions {
  /** Ask the hooks of the host's own format as well, although the host runs them itself. */
  readonly ownHooks?: boolean;
  readonly hosts?: readonly Host[];
  /** Whether something is said for the first time in a session (default: yes). */
  readonly isFirst?: SaidOnce;
  /** Whether another entry answers for a call (default: none does). */
  readonly entries?: TwoEntries;
}

/** What is asked. */
export type Asked = Pick<Hookline, 'fire'> & Partial<Pick<Hookline, 'diagnostics'>>;

/**
 * `asked`: the event that the entry names; `environment`: that of whoever calls; `seen`: what hooks see instead of the environment of this
 * process. Never rejects.
 */
export type HostAnswerer = (
  hostId: string,
  payload: string,
  asked?: string,
  environment?: Environment,
  seen?: Environment,
) => Promise<HostAnswer>;

export function createHostAnswerer(hookline: Asked, options: HostAnswerOptions = {}): HostAnswerer {
  const hosts = options.hosts ?? HOSTS;
  return async (hostId, text, asked, environment = {}, seen) => {
    try {
      const call = readHostCall(hostId, text, asked, environment, hosts);
      if ('words' in call) return call.words;
      const [first] = call.events;
      const rule = first === undefined ? undefined : call.host.speaks.profile.events[first];
      if (first === undefined || !rule) return noOpinion(call.host, undefined);
      const occasion = eventOf(call.host, first, call.payload);
      if (await options.entries?.isAnsweredByOther(call, occasion.session.id)) return noOpinion(call.host, first);
      return await answer(hookline, { ...call, first, rule, occasion, seen }, options);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return refuseHost(hostId, text, asked, environment, `Hookline itself failed: ${why}`, hosts);
    }
  };
}

/** The answer where there is none because of us: a deny where the event can be denied; elsewhere words, and nothing is held up. */
export function refuseHost(
  hostId: string,
  text: string,
  asked: string | undefined,
  environment: Environment,
  reason: string,
  hosts: readonly Host[] = HOSTS,
): HostAnswer {
  const call = readHostCall(hostId, text, asked, environment, hosts);
  if ('words' in call) return call.words;
  const [event = ''] = call.events;
  const rule = call.host.speaks.profile.events[event];
  if (rule && protects(rule)) return refusal(call.host, event, reason);
  return withLines(call.host, event, noOpinion(call.host, event), [reason]);
}

interface Occasion extends HostCall {
  /** The event it is answered on, its rule, and the same in canonical words. */
  readonly first: string;
  readonly rule: EventRule;
  readonly occasion: HookEvent;
  /** What hooks see instead of the environment of this process. */
  readonly seen: Environment | undefined;
}

async function answer(hookline: Asked, call: Occasion, options: HostAnswerOptions): Promise<HostAnswer> {
  const { host, entry, events, payload, first, rule, occasion, seen } = call;
  const except = options.ownHooks ? [] : [...new Set([host.speaks.id, entry.speaks.id])];
  const verdicts: Verdict[] = [];
  const notes: string[] = [];
  const denials: string[] = [];
  let left: Pick<Outcome, 'rewrite' | 'replace'> = {};
  const signal = givingUp(host, first);
  const review = (whole: Outcome): Outcome => {
    const outcome = signal?.aborted ? cutShort(whole, rule, host) : whole;
    const { verdict, degraded } = degrade(outcome, rule, host);
    const all = [...degraded, ...lostInWords(sayTo(host, first, verdict, occasion), verdict, host)];
    return all.length === 0 ? outcome : { ...outcome, diagnostics: [...outcome.diagnostics, ...all.map(diagnosticOf)] };
  };
  for (const event of events) {
    const shown = Object.keys(left).length === 0 ? payload : changed(host, event, payload, left);
    const fired = { as: host.speaks.id, event, payload: shown };
    const outcome = await hookline.fire(fired, { host: { except, asks: rule.grants.includes('ask'), environment: seen, review }, ...(signal && { signal }) });
    const { rewrite, replace } = outcome;
    left = { ...left, ...(rewrite !== undefined && { rewrite }), ...(replace !== undefined && { replace }) };
    notes.push(...outcome.diagnostics.filter(({ severity }) => severity !== 'info').map(lineOf));
    // Taken from the outcome as it came back: the log may have had the last word.
    const { verdict, degraded } = degrade(outcome, rule, host);
    verdicts.push(verdict);
    denials.push(...degraded.filter(({ became }) => became === 'deny').map((each) => lineOf(diagnosticOf(each))));
  }
  const verdict = joinVerdicts(verdicts);
  const isFirst = (what: string): boolean => options.isFirst?.(occasion.session.id, what) ?? true;
  const { notice, line } = loadErrorToSay(hookline.diagnostics ?? [], rule, verdict, isFirst);
  const { words, unsaid } = sayTo(host, first, notice ? joinVerdicts([verdict, notice]) : verdict, occasion);
  if (line !== undefined) notes.push(line);
  notes.push(...(notice?.effects ?? []).flatMap((effect) => (unsaid.includes(effect) && 'text' in effect ? [effect.text] : [])));
  // A host that reads stderr has the reason there, and shows it to the model: that it is a deny need not be said again.
  const isSaid = (line: string): boolean => words.stderr.includes(line) || (words.stderr !== '' && denials.includes(line));
  const lines = [...new Set(notes)].filter((line) => !isSaid(line));
  return withLines(host, first, words, lines);
}

/** Said while the host still listens: hooks that have not answered by then can't consent. */
function givingUp(host: Host, event: string): AbortSignal | undefined {
  const waits = host.waitsMs?.(event);
  return waits === undefined ? undefined : AbortSignal.timeout(waits * (1 - RESERVE));
}

/** The part of a host's patience that is kept for the start of a process and the way back. */
const RESERVE = 0.2;

/** Where a deny would only keep the agent working it is let go: hooks that are slow once are slow again. */
function cutShort(outcome: Outcome, rule: EventRule, { title }: Host): Outcome {
  const message = `${title} waits no longer for an answer, and not all hooks had given theirs.`;
  const diagnostics: Diagnostic[] = [...outcome.diagnostics, { severity: 'warning', code: 'cut-short', message }];
  if (protects(rule)) return { ...outcome, diagnostics };
  const { continue: _, ...rest } = outcome;
  return { ...rest, decision: 'pass', reason: null, diagnostics };
}

/** What the format of the host has no words for, although the event grants it. */
function lostInWords({ verdict: said, unsaid }: Said, { decision, effects }: Verdict, { title }: Host): Degradation[] {
  const texts = unsaid.flatMap((effect): Degradation[] => {
    if (effect.kind === 'replace') return [{ what: 'replace', became: 'said', message: stillSeen({ title }) }];
    const text = 'text' in effect ? effect.text : 'reason' in effect ? effect.reason : undefined;
    return text === undefined
      ? []
      : [{ what: effect.kind, became: 'said', message: `${title} has no words for this beside its answer: ${text}` }];
  });
  const isRefused = said.decision.kind !== decision.kind && effects.some(({ kind }) => kind === 'rewrite') && said.decision.kind !== 'pass';
  return isRefused
    ? [{ what: 'rewrite', became: said.decision.kind === 'ask' ? 'ask' : 'deny', message: said.decision.reason ?? '' }, ...texts]
    : texts;
}

/** What an event that follows is shown: what an earlier one left. */
function changed(host: Host, name: string, payload: JsonObject, left: Pick<Outcome, 'rewrite' | 'replace'>): JsonObject {
  return host.speaks.wire.encodeEvent(leftBy(eventOf(host, name, payload), left), name);
}

function eventOf({ speaks }: Host, name: string, payload: JsonObject): HookEvent {
  const { kind, data, session = NAMELESS_SESSION, cwd = '', at = '' } = speaks.wire.decodeEvent(name, payload);
  return { id: '', kind, at, session: { id: session, cwd }, data, native: { dialect: speaks.id, name } };
}

function diagnosticOf({ what, became, message }: Degradation): Diagnostic {
  return { severity: became === 'pass' ? 'info' : 'warning', code: 'degraded', message: `${message} (${what} → ${became})` };
}

function lineOf({ message, hint }: Diagnostic): string {
  return hint === undefined ? message : `${message} ${hint}`;
}
