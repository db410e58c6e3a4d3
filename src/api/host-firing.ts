/** Puts a host's call to the hooks, event by event, and says what came of it in the host's words. */
import type { Verdict } from '../core/decision.ts';
import { degrade, joinVerdicts } from '../core/degrade.ts';
import type { Environment } from '../core/environment.ts';
import { type HookEvent, leftBy } from '../core/event.ts';
import type { Host } from '../core/host.ts';
import { type HostWords, noOpinion, sayTo, withLines } from '../core/host-words.ts';
import type { JsonObject } from '../core/json.ts';
import type { Outcome } from '../core/outcome.ts';
import { NAMELESS_SESSION } from './events.ts';
import type { Hookline } from './hookline.ts';
import type { HostAnswerOptions } from './host-answer.ts';
import type { HostCall } from './host-call.ts';
import { diagnosticOf, lineOf, lostInWords } from './host-notes.ts';
import { cutShort, givingUp } from './host-patience.ts';
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
  const { host, entry, events, payload } = call;
  const [first] = events;
  const rule = first === undefined ? undefined : host.speaks.profile.events[first];
  if (first === undefined || !rule) return noOpinion(host, undefined);
  let decoded: HookEvent | undefined;
  const occasion = (): HookEvent => (decoded ??= eventOf(host, first, payload));
  if (await options.entries?.isAnsweredByOther(call, () => occasion().session.id)) return noOpinion(host, first);

  const except = options.ownHooks ? [] : [...new Set([host.speaks.id, entry.speaks.id])];
  const verdicts: Verdict[] = [];
  const notes: string[] = [];
  const denials: string[] = [];
  let left: Pick<Outcome, 'rewrite' | 'replace'> = {};
  const signal = givingUp(host, first);
  const review = (whole: Outcome): Outcome => {
    const outcome = signal?.aborted ? cutShort(whole, rule, host) : whole;
    if (isSilent(outcome)) return outcome;
    const { verdict, degraded } = degrade(outcome, rule, host);
    const all = [...degraded, ...lostInWords(sayTo(host, first, verdict, occasion()), verdict, host)];
    return all.length === 0 ? outcome : { ...outcome, diagnostics: [...outcome.diagnostics, ...all.map(diagnosticOf)] };
  };
  const asHost = { except, asks: rule.grants.includes('ask'), environment: seen, review };
  for (const event of events) {
    const shown = Object.keys(left).length === 0 ? payload : changed(host, event, payload, left);
    const outcome = await hookline.fire({ as: host.speaks.id, event, payload: shown }, { host: asHost, ...(signal && { signal }) });
    if (isSilent(outcome)) continue;
    const { rewrite, replace } = outcome;
    left = { ...left, ...(rewrite !== undefined && { rewrite }), ...(replace !== undefined && { replace }) };
    notes.push(...outcome.diagnostics.filter(({ severity }) => severity !== 'info').map(lineOf));
    // Taken from the outcome as it came back: the log may have had the last word.
    const { verdict, degraded } = degrade(outcome, rule, host);
    verdicts.push(verdict);
    denials.push(...degraded.filter(({ became }) => became === 'deny').map((each) => lineOf(diagnosticOf(each))));
  }
  const verdict = joinVerdicts(verdicts);
  const isFirst = (what: string): boolean => options.isFirst?.(occasion().session.id, what) ?? true;
  const { notice, line } = loadErrorToSay(hookline.diagnostics ?? [], rule, verdict, isFirst);
  if (verdicts.length === 0 && !notice && line === undefined) return noOpinion(host, first);
  const { words, unsaid } = sayTo(host, first, notice ? joinVerdicts([verdict, notice]) : verdict, occasion());
  if (line !== undefined) notes.push(line);
  notes.push(...(notice?.effects ?? []).flatMap((effect) => (unsaid.includes(effect) && 'text' in effect ? [effect.text] : [])));
  // A host that reads stderr has the reason there, and shows it to the model: that it is a deny need not be said again.
  const isSaid = (note: string): boolean => words.stderr.includes(note) || (words.stderr !== '' && denials.includes(note));
  return withLines(
    host,
    first,
    words,
    [...new Set(notes)].filter((note) => !isSaid(note)),
  );
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
