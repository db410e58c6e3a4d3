/** Puts a host's call to the hooks, event by event, and says what came of it in the host's words. */
import type { Verdict } from '../core/decision.ts';
import { degrade, joinVerdicts } from '../core/degrade.ts';
import type { Environment } from '../core/environment.ts';
import { type HookEvent, leftBy } from '../core/event.ts';
import type { Host } from '../core/host.ts';
import { type HostWords, noOpinion, sayTo, withLines } from '../core/host-words.ts';
import type { JsonObject } from '../core/json.ts';
import type { Outcome } from '../core/outcome.ts';
import type { EventRule } from '../core/profile.ts';
import { NAMELESS_SESSION } from './events.ts';
import type { Hookline } from './hookline.ts';
import type { HostAnswerOptions } from './host-answer.ts';
import type { HostCall } from './host-call.ts';
import { diagnosticOf, lineOf, lostInWords } from './host-notes.ts';
import { cutShort, patienceOf } from './host-patience.ts';
import { loadErrorToSay } from './load-errors.ts';

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
  const except = options.ownHooks ? [] : [...new Set([host.speaks.id, entry.speaks.id])];
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
  const rule = name === undefined ? undefined : host.speaks.profile.events[name];
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
    const outcome = await hookline.fire({ as: host.speaks.id, event: each, payload: shown }, firing);
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
  return host.speaks.wire.encodeEvent(leftBy(eventOf(host, name, payload), left), name);
}

function eventOf({ speaks }: Host, name: string, payload: JsonObject): HookEvent {
  const { kind, data, session = NAMELESS_SESSION, cwd = '', at = '' } = speaks.wire.decodeEvent(name, payload);
  return { id: '', kind, at, session: { id: session, cwd }, data, native: { dialect: speaks.id, name } };
}
