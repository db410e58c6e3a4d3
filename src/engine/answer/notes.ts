/** Notes for people: effects that the host's format cannot express, and errors in hook files. They are reported in addition to the answer. */

import type { Host } from '../../core/contracts/host.ts';
import { type Effect, PASS, type Verdict } from '../../core/decision/decision.ts';
import { explainHook, failedHooks } from '../../core/decision/explain.ts';
import type { Outcome } from '../../core/decision/outcome.ts';
import { type EventRule, isGating } from '../../core/meaning/profile.ts';
import type { Diagnostic } from '../../core/values/diagnostic.ts';
import { ownValue } from '../../core/values/json.ts';
import { type Degradation, originalVisible } from './degrade.ts';
import type { EncodedAnswer, HostAnswer } from './encode.ts';

/** Returns the effects that the host's format cannot express, although the event grants them. */
export function lostEffects(
  { verdict: encoded, notEncoded, weakerIn = [] }: EncodedAnswer,
  { decision, effects }: Verdict,
  { title }: Host,
): Degradation[] {
  // Effects that were added to the verdict afterwards do not come from hooks.
  const lost = notEncoded.filter((effect) => effects.includes(effect));
  const texts = lost.flatMap((effect): Degradation[] => {
    if (effect.kind === 'replace') return [{ what: 'replace', became: 'reported', message: originalVisible({ title }) }];
    const text = 'text' in effect ? effect.text : 'reason' in effect ? effect.reason : undefined;
    return text === undefined
      ? []
      : [{ what: effect.kind, became: 'reported', message: `${title} cannot express this in addition to its answer: ${text}` }];
  });
  for (const { host, answeredOn } of weakerIn) {
    const message = `${host.title} may have called, and on ${answeredOn} no answer decides the same there and in ${title}.`;
    texts.push({ what: encoded.decision.kind === 'pass' ? 'rewrite' : encoded.decision.kind, became: 'reported', message });
  }
  const isBlocked =
    encoded.decision.kind !== decision.kind && effects.some(({ kind }) => kind === 'rewrite') && encoded.decision.kind !== 'pass';
  return isBlocked
    ? [{ what: 'rewrite', became: encoded.decision.kind === 'ask' ? 'ask' : 'deny', message: encoded.decision.reason ?? '' }, ...texts]
    : texts;
}

export function diagnosticOf({ what, became, message }: Degradation): Diagnostic {
  return { severity: became === 'pass' ? 'info' : 'warning', code: 'degraded', message: `${message} (${what} → ${became})` };
}

export function lineOf({ message, hint }: Diagnostic): string {
  return hint === undefined ? message : `${message} ${hint}`;
}

/** Returns one line about hooks that are not in force because of errors in their files, or undefined if there are none. */
export function loadErrors(diagnostics: readonly Diagnostic[]): string | undefined {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const [first] = errors;
  if (!first) return undefined;
  const at = first.file === undefined ? first.message : `${first.file}${first.line === undefined ? '' : `:${first.line}`}`;
  const count = errors.length === 1 ? '1 error' : `${errors.length} errors, the first`;
  return `Not all hooks are in force: ${count}${first.file === undefined ? ': ' : ' in '}${at}. \`hookline check\` shows ${errors.length === 1 ? 'it' : 'them'}.`;
}

/**
 * Returns the line about load errors, if it belongs to this answer: as a notice if the event has one, otherwise on stderr. Few people see
 * stderr, so it is then repeated once as a notice. It is left out if a hook has a notice of its own, because some agents show only one.
 */
export function loadErrorToSay(
  diagnostics: readonly Diagnostic[],
  rule: EventRule,
  verdict: Verdict,
  isFirstTime: (what: string) => boolean,
): { readonly notice?: Verdict; readonly line?: string } {
  const text = diagnostics.length === 0 ? undefined : loadErrors(diagnostics);
  if (text === undefined) return {};
  if (!rule.grants.includes('notice')) return isFirstTime(`stderr ${text}`) ? { line: text } : {};
  if (verdict.effects.some(({ kind }) => kind === 'notice') || !isFirstTime(`notice ${text}`)) return {};
  return { notice: { decision: PASS, effects: [{ kind: 'notice', text: `Hookline: ${text}` }] } };
}

/**
 * Returns one sentence for each hook that failed on an event that can be denied and did not stop it, once in a session. The person must know that
 * the hook has not judged the action.
 */
export function faultsToSay(outcomes: readonly Outcome[], rule: EventRule, isFirstTime: (what: string) => boolean): readonly string[] {
  if (!isGating(rule)) return [];
  return outcomes.flatMap(failedHooks).flatMap((report) => {
    if (!isFirstTime(`fault ${report.id}`)) return [];
    return [`Hook '${report.name}' ${explainHook(report).replace(/\.$/, '')}. \`hookline doctor\` shows what to do.`];
  });
}

/** The texts of Hookline itself for the person at the agent. */
export interface Telling {
  /** In the channel of the agent. */
  readonly notice?: string;
  readonly lines: readonly string[];
}

export function tellingOf({ notice, line }: ReturnType<typeof loadErrorToSay>, faults: readonly string[], rule: EventRule): Telling {
  const texts = (notice?.effects ?? []).flatMap((effect) => (effect.kind === 'notice' ? [effect.text] : []));
  const lines = line === undefined ? [] : [line];
  if (!rule.grants.includes('notice')) return { lines: [...lines, ...faults] };
  const all = [...texts, ...faults.map((text) => `Hookline: ${text}`)];
  return all.length === 0 ? { lines } : { notice: all.join('\n'), lines };
}

/** Adds a text to the notice of a verdict, because some agents show only one. */
export function withNotice({ decision, effects }: Verdict, text: string): { readonly verdict: Verdict; readonly effect: Effect } {
  const own = effects.find((effect) => effect.kind === 'notice');
  const effect: Effect = { kind: 'notice', text: own === undefined ? text : `${own.text}\n${text}` };
  const others = own === undefined ? [...effects, effect] : effects.map((one) => (one === own ? effect : one));
  return { verdict: { decision, effects: others }, effect };
}

/** Adds lines for people to stderr, after the text that the host itself reads there. The answer is not encoded again. */
export function appendNotes(host: Host, nativeEvent: string, answer: HostAnswer, lines: readonly string[]): HostAnswer {
  if (lines.length === 0) return answer;
  const lead = answer.stderr === '' ? '' : `${answer.stderr}\n`;
  const stdout = answer.exit === 0 && answer.stdout === '' ? explicitNoOpinion(host, nativeEvent) : answer.stdout;
  return { ...answer, stdout, stderr: `${lead}${lines.map((line) => `hookline: ${plain(line)}\n`).join('')}` };
}

/** Returns the dialect's explicit "no opinion", because some hosts read stderr if stdout is empty. */
export function explicitNoOpinion(host: Host, nativeEvent: string): string {
  const rule = ownValue(host.dialect.profile.events, nativeEvent);
  const rows = rule?.read?.exit ?? host.dialect.profile.read.exit;
  if (!rows.some(({ exit, means }) => exit !== 'other' && exit.includes(0) && means.say === 'parse')) return '';
  const json = host.dialect.wire.encodeReply({ decision: PASS, effects: [] }, nativeEvent);
  return json === undefined ? '' : JSON.stringify(json);
}

/** Removes control characters, because a hook's text could overwrite other lines of a terminal. */
function plain(text: string): string {
  return [...text]
    .map((char) => ((char < ' ' && char !== '\n' && char !== '\t') || (char >= '\x7f' && char <= '\x9f') ? '\ufffd' : char))
    .join('');
}
