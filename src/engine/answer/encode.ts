/**
 * What a host is told, as the bytes and the exit code that its own hook would have left. A deny that can't be said in the format's JSON is
 * said by an exit code, and never left out.
 */

import type { Host } from '../../core/contracts/host.ts';
import { type Effect, NO_OPINION, PASS, type Verdict } from '../../core/decision/decision.ts';
import { type HookEvent, kindRule } from '../../core/event/event.ts';
import { type EventRule, isGating } from '../../core/meaning/profile.ts';
import { render } from '../../core/meaning/render.ts';
import { inItsPlace } from './degrade.ts';

export interface HostWords {
  readonly stdout: string;
  readonly stderr: string;
  readonly exit: number;
}

export interface Said {
  readonly words: HostWords;
  /** What the words mean: at least as severe as what was to be said. */
  readonly verdict: Verdict;
  /** Effects for which the format has no words beside the decision. */
  readonly unsaid: readonly Effect[];
}

/** `verdict` is within what the event grants: `degrade` sees to that. `event` is what it answers. */
export function sayTo(host: Host, nativeEvent: string, verdict: Verdict, event?: HookEvent): Said {
  const replace = verdict.effects.find(({ kind }) => kind === 'replace');
  if (replace === undefined || render({ decision: verdict.decision, effects: [replace] }, nativeEvent, host.speaks, event))
    return saySayable(host, nativeEvent, verdict, event);
  // What can't be replaced must not take the rest with it, and the agent should at least know what to take instead.
  const others = verdict.effects.filter((effect) => effect !== replace);
  const takesContext = host.speaks.profile.events[nativeEvent]?.grants.includes('context');
  const told: Effect[] = takesContext && 'value' in replace ? [{ kind: 'context', text: inItsPlace(replace.value) }] : [];
  const said = saySayable(host, nativeEvent, { decision: verdict.decision, effects: [...others, ...told] }, event);
  return { ...said, unsaid: [...said.unsaid, replace] };
}

function saySayable(host: Host, nativeEvent: string, verdict: Verdict, event?: HookEvent): Said {
  const { decision } = verdict;
  const effects = decision.kind === 'deny' ? verdict.effects.filter(({ kind }) => kind !== 'rewrite') : verdict.effects;
  const said = byExit(host, nativeEvent, { decision, effects }) ?? inWords(host, nativeEvent, { decision, effects }, event);
  if (said) return said;
  const isConsent = decision.kind === 'pass' || decision.kind === 'allow';
  // Without words for it, consent is no opinion.
  if (isConsent && !effects.some(({ kind }) => kind === 'rewrite'))
    return { words: noOpinion(host, nativeEvent), verdict: NO_OPINION, unsaid: effects };
  // A rewrite that can only be said with consent nobody gave is put to a person, and else refused.
  const reason = isConsent ? `A hook wants this done otherwise, and ${host.title} can't do that on its own here.` : decision.reason;
  const asked = isConsent ? inWords(host, nativeEvent, { decision: { kind: 'ask', reason }, effects }, event) : undefined;
  if (asked) return asked;
  const unsaid = effects.filter(({ kind }) => kind !== 'rewrite');
  return { words: refusal(host, nativeEvent, reason), verdict: { decision: { kind: 'deny', reason }, effects: [] }, unsaid };
}

/** What is said beside the deny goes with its reason; undefined if it is more than words, or if there is no such code. */
function byExit(host: Host, nativeEvent: string | undefined, { decision, effects }: Verdict): Said | undefined {
  const rule = nativeEvent === undefined ? undefined : host.speaks.profile.events[nativeEvent];
  const exit = host.deniesByExit && rule?.grants.includes('deny') ? denyingExit(rule, host) : undefined;
  if (exit === undefined || decision.kind !== 'deny' || decision.reason.trim() === '') return undefined;
  const texts = effects.flatMap((effect) => (effect.kind === 'context' || effect.kind === 'notice' ? [effect.text] : []));
  if (texts.length < effects.length) return undefined;
  const reason = [decision.reason, ...texts].join('\n');
  return { words: { stdout: '', stderr: reason, exit }, verdict: { decision: { kind: 'deny', reason }, effects: [] }, unsaid: [] };
}

function inWords(host: Host, nativeEvent: string, { decision, effects }: Verdict, event: HookEvent | undefined): Said | undefined {
  for (const dropped of DROPPED_IN_TURN) {
    const verdict = { decision, effects: effects.filter(({ kind }) => !dropped.includes(kind)) };
    const said = render(verdict, nativeEvent, host.speaks, event);
    if (said) return { words: wordsOf(said), verdict, unsaid: effects.filter(({ kind }) => dropped.includes(kind)) };
  }
  return undefined;
}

/** The host's exact silence. */
export function noOpinion(host: Host, nativeEvent: string | undefined): HostWords {
  const said = nativeEvent === undefined ? undefined : render(NO_OPINION, nativeEvent, host.speaks);
  return said ? wordsOf(said) : { stdout: '', stderr: '', exit: 0 };
}

/** A deny in the host's words; of an event nobody can name, by the exit code that denies whatever it is. */
export function refusal(host: Host, nativeEvent: string | undefined, reason: string): HostWords {
  const verdict: Verdict = { decision: { kind: 'deny', reason }, effects: [] };
  const said =
    byExit(host, nativeEvent, verdict)?.words ?? (nativeEvent === undefined ? undefined : render(verdict, nativeEvent, host.speaks));
  if (said) return wordsOf(said);
  const rule = nativeEvent === undefined ? undefined : host.speaks.profile.events[nativeEvent];
  const code = denyingExit(rule, host);
  if (code !== undefined) return { stdout: '', stderr: reason, exit: code };
  const gate = Object.entries<EventRule>(host.speaks.profile.events).find(([, other]) => isGating(other))?.[0];
  const elsewhere = gate === undefined ? undefined : render(verdict, gate, host.speaks);
  return elsewhere ? wordsOf(elsewhere) : { stdout: '', stderr: reason, exit: BLOCKED };
}

/** Whether a deny on this event keeps something from happening: one that sends somebody back to work protects nothing, and would not end. */
export function protects(rule: EventRule): boolean {
  return isGating(rule) && !rule.kinds.some((kind) => kindRule(kind).denyContinues || kindRule(kind).denySendsBack);
}

/** The same answer, with lines for people on stderr after what the host itself reads there. */
export function withLines(host: Host, nativeEvent: string, words: HostWords, lines: readonly string[]): HostWords {
  if (lines.length === 0) return words;
  const lead = words.stderr === '' ? '' : `${words.stderr}\n`;
  const stdout = words.exit === 0 && words.stdout === '' ? explicitSilence(host, nativeEvent) : words.stdout;
  return { ...words, stdout, stderr: `${lead}${lines.map((line) => `hookline: ${plain(line)}\n`).join('')}` };
}

/** Silence that can't be mistaken while something is said on stderr: some hosts read that where stdout is empty. */
function explicitSilence(host: Host, nativeEvent: string): string {
  const rule = host.speaks.profile.events[nativeEvent];
  const rows = rule?.read?.exit ?? host.speaks.profile.read.exit;
  if (!rows.some(({ exit, means }) => exit !== 'other' && exit.includes(0) && means.say === 'parse')) return '';
  const json = host.speaks.wire.encodeReply({ decision: PASS, effects: [] }, nativeEvent);
  return json === undefined ? '' : JSON.stringify(json);
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

function denyingExit(rule: EventRule | undefined, { speaks }: Host): number | undefined {
  const rows = rule?.read?.exit ?? speaks.profile.read.exit;
  const row = rows.find(({ means }) => means.say === 'deny' && means.reason[0] !== 'stdout');
  return row && (row.exit === 'other' ? 1 : row.exit[0]);
}

/** Text from hooks may hold control characters that move the position in a terminal. */
function plain(text: string): string {
  return [...text]
    .map((char) => ((char < ' ' && char !== '\n' && char !== '\t') || (char >= '\x7f' && char <= '\x9f') ? '\ufffd' : char))
    .join('');
}

function wordsOf({ stdout, stderr, exit }: { readonly stdout: string; readonly stderr: string; readonly exit: number | null }): HostWords {
  return { stdout, stderr, exit: exit ?? BLOCKED };
}
