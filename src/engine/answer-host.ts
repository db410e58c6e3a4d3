/** Puts a host's call to the hooks, event by event, and says what came of it in the host's words. */

import type { Hookline } from '../api/hookline.ts';
import { HOSTS } from '../builtins.ts';
import type { Host } from '../core/contracts/host.ts';
import type { Verdict } from '../core/decision/decision.ts';
import type { Outcome } from '../core/decision/outcome.ts';
import { type HookEvent, leftBy } from '../core/event/event.ts';
import type { EventRule } from '../core/meaning/profile.ts';
import type { Environment } from '../core/values/environment.ts';
import type { JsonObject } from '../core/values/json.ts';
import type { TwoEntries } from '../install/two-entries.ts';
import type { SaidOnce } from '../stores/session-notes.ts';
import { degrade, joinVerdicts } from './answer/degrade.ts';
import { type HostWords, noOpinion, protects, refusal, sayTo, withLines } from './answer/encode.ts';
import { diagnosticOf, lineOf, loadErrorToSay, lostInWords } from './answer/notes.ts';
import { NAMELESS_SESSION } from './receive/events.ts';
import { type HostCall, readHostCall } from './receive/host-call.ts';
import { cutShort, patienceOf } from './receive/host-deadline.ts';

/** What is asked. */
export type Asked = Pick<Hookline, 'fire'> & Partial<Pick<Hookline, 'diagnostics'>>;

/** `seen`: what hooks see instead of the environment of this process. */
export async function askFor(
  hookline: Asked,
  call: HostCall,
  options: HostAnswerOptions,
  seen: Environment | undefined,
): Promise<HostWords> {
  const { host, entry } = call;
  const occasion = occasionOf(call);
  if (!occasion) return noOpinion(host, undefined);
  const { name, event } = occasion;
  if (await options.entries?.isAnsweredByOther(call, () => event().session.id)) return noOpinion(host, name);
  const except = options.ownHooks ? [] : [...new Set([host.dialect.id, entry.dialect.id])];
  const patience = patienceOf(host, name);
  try {
    return say(hookline, occasion, await hear(hookline, occasion, { except, environment: seen }, patience.signal), options);
  } finally {
    patience.end();
  }
}

/** What a host is answered on: the first of the events that its call stands for. */
interface Occasion {
  readonly call: HostCall;
  readonly name: string;
  readonly rule: EventRule;
  /** In canonical words; most answers do without. */
  event(): HookEvent;
}

function occasionOf(call: HostCall): Occasion | undefined {
  const { host, events, payload } = call;
  const [name] = events;
  const rule = name === undefined ? undefined : host.dialect.profile.events[name];
  if (name === undefined || !rule) return undefined;
  let decoded: HookEvent | undefined;
  return { call, name, rule, event: () => (decoded ??= eventOf(host, name, payload)) };
}

interface Heard {
  readonly verdicts: Verdict[];
  /** What is to be said beside the answer, and which of it says that something became a deny. */
  readonly notes: string[];
  readonly denials: string[];
}

async function hear(
  hookline: Asked,
  { call: { host, events, payload }, name, rule, event }: Occasion,
  { except, environment }: { readonly except: readonly string[]; readonly environment: Environment | undefined },
  signal: AbortSignal | undefined,
): Promise<Heard> {
  const heard: Heard = { verdicts: [], notes: [], denials: [] };
  let left: Pick<Outcome, 'rewrite' | 'replace'> = {};
  const review = (whole: Outcome): Outcome => {
    const outcome = signal?.aborted ? cutShort(whole, rule, host) : whole;
    if (isSilent(outcome)) return outcome;
    const { verdict, degraded } = degrade(outcome, rule, host);
    const all = [...degraded, ...lostInWords(sayTo(host, name, verdict, event()), verdict, host)];
    return all.length === 0 ? outcome : { ...outcome, diagnostics: [...outcome.diagnostics, ...all.map(diagnosticOf)] };
  };
  const asHost = { except, environment, asks: rule.grants.includes('ask'), review };
  const firing = signal === undefined ? { host: asHost } : { host: asHost, signal };
  for (const each of events) {
    const shown = Object.keys(left).length === 0 ? payload : changed(host, each, payload, left);
    const outcome = await hookline.fire({ as: host.dialect.id, event: each, payload: shown }, firing);
    if (isSilent(outcome)) continue;
    const { rewrite, replace } = outcome;
    left = { ...left, ...(rewrite !== undefined && { rewrite }), ...(replace !== undefined && { replace }) };
    heard.notes.push(...outcome.diagnostics.filter(({ severity }) => severity !== 'info').map(lineOf));
    // Taken from the outcome as it came back: the log may have had the last word.
    const { verdict, degraded } = degrade(outcome, rule, host);
    heard.verdicts.push(verdict);
    heard.denials.push(...degraded.filter(({ became }) => became === 'deny').map((one) => lineOf(diagnosticOf(one))));
  }
  return heard;
}

function say(hookline: Asked, occasion: Occasion, { verdicts, notes, denials }: Heard, options: HostAnswerOptions): HostWords {
  const { call, name, rule, event } = occasion;
  const { host } = call;
  const verdict = joinVerdicts(verdicts);
  const isFirst = (what: string): boolean => options.isFirst?.(event().session.id, what) ?? true;
  const { notice, line } = loadErrorToSay(hookline.diagnostics ?? [], rule, verdict, isFirst);
  if (verdicts.length === 0 && !notice && line === undefined) return noOpinion(host, name);
  const { words, unsaid } = sayTo(host, name, notice ? joinVerdicts([verdict, notice]) : verdict, event());
  const unshown = (notice?.effects ?? []).flatMap((effect) => (unsaid.includes(effect) && 'text' in effect ? [effect.text] : []));
  // A host that reads stderr has the reason there, and shows it to the model: that it is a deny need not be said again.
  const isSaid = (note: string): boolean => words.stderr.includes(note) || (words.stderr !== '' && denials.includes(note));
  const lines = [...new Set([...notes, ...(line === undefined ? [] : [line]), ...unshown])].filter((note) => !isSaid(note));
  return withLines(host, name, words, lines);
}

/** Nobody was asked, and there is nothing to say: what becomes of most events, and soonest answered. */
function isSilent(outcome: Outcome): boolean {
  const { decision, hooks, diagnostics, context, notices, rewrite, replace, halt, quiet } = outcome;
  if (decision !== 'pass' || hooks.length > 0 || diagnostics.length > 0 || quiet) return false;
  return context.length === 0 && notices.length === 0 && rewrite === undefined && replace === undefined && halt === undefined;
}

/** What an event that follows is shown: what an earlier one left. */
function changed(host: Host, name: string, payload: JsonObject, left: Pick<Outcome, 'rewrite' | 'replace'>): JsonObject {
  return host.dialect.wire.encodeEvent(leftBy(eventOf(host, name, payload), left), name);
}

function eventOf({ dialect }: Host, name: string, payload: JsonObject): HookEvent {
  const { kind, data, session = NAMELESS_SESSION, cwd = '', at = '' } = dialect.wire.decodeEvent(name, payload);
  return { id: '', kind, at, session: { id: session, cwd }, data, native: { dialect: dialect.id, name } };
}

/**
 * Answers a host as its own hook would: its payload in, its words and exit code out. Whatever goes wrong on the way is a deny in the host's
 * words where the event can be denied, and never silence.
 */

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

/**
 * `payload`: as it came, or read already; `asked`: the event that the entry names; `environment`: that of whoever calls; `seen`: what hooks
 * see instead of the environment of this process. Never rejects.
 */
export type HostAnswerer = (
  hostId: string,
  payload: string | JsonObject,
  asked?: string,
  environment?: Environment,
  seen?: Environment,
) => Promise<HostAnswer>;

export function createHostAnswerer(hookline: Asked, options: HostAnswerOptions = {}): HostAnswerer {
  const hosts = options.hosts ?? HOSTS;
  return async (hostId, text, asked, environment = {}, seen) => {
    try {
      const call = readHostCall(hostId, text, asked, environment, hosts);
      return 'words' in call ? call.words : await askFor(hookline, call, options, seen);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return refuseHost(hostId, text, asked, environment, `Hookline itself failed: ${why}`, hosts);
    }
  };
}

/** The answer where there is none because of us: a deny where the event can be denied; elsewhere words, and nothing is held up. */
export function refuseHost(
  hostId: string,
  text: string | JsonObject,
  asked: string | undefined,
  environment: Environment,
  reason: string,
  hosts: readonly Host[] = HOSTS,
): HostAnswer {
  const call = readHostCall(hostId, text, asked, environment, hosts);
  if ('words' in call) return call.words;
  const [event = ''] = call.events;
  const rule = call.host.dialect.profile.events[event];
  if (rule && protects(rule)) return refusal(call.host, event, reason);
  return withLines(call.host, event, noOpinion(call.host, event), [reason]);
}
