/** The guard as a hook: judges the tool call in an event and writes the reason that the agent reads. */

import { NO_OPINION, type Verdict } from '../core/decision/decision.ts';
import { isEventKind } from '../core/event/event.ts';
import type { JsonObject } from '../core/values/json.ts';
import { suggest } from '../core/values/suggest.ts';
import type { GuardFinding, GuardVerdict } from './guard.ts';
import { PACKS } from './rules/compiled.ts';
import { type GuardToolOptions, guardTool, NOT_UNDERSTOOD } from './tools/guard-tool.ts';
import { readToolCall } from './tools/tool-call.ts';

export { evidenceIn } from './rules/evidence.ts';

/**
 * Returns the reason for the agent: the effect, the safer alternative and the rule. Returns null if there is no objection. It never claims
 * that a person denied the action.
 */
export function reasonFor({ decision, findings }: GuardVerdict): string | null {
  const objections = findings.filter((finding) => finding.decision !== 'none');
  const first = objections.find((finding) => finding.decision === decision);
  if (decision === 'none' || !first) return null;
  const others = new Set(objections.map(({ rule }) => rule).filter((rule) => rule !== first.rule));
  const more = others.size === 0 ? '' : ` Also: ${[...others].slice(0, MOST_RULES).join(', ')}.`;
  const lead = decision === 'ask' ? 'A person should decide' : 'Denied by the guard';
  return `${lead}: this action ${predicate(first.message)} ${aboutText(first)}Instead: ${sentence(first.hint)} (Guard rule ${first.rule}.)${more}`;
}

const MOST_RULES = 5;

/** Names the command or file that the finding is about, unless the message already contains it. */
function aboutText({ text, message }: GuardFinding): string {
  return text === '' || message.includes(text) ? '' : `Matched: ${text}. `;
}

/** Returns a message as the predicate of "this action". */
function predicate(message: string): string {
  return sentence(`${message.slice(0, 1).toLowerCase()}${message.slice(1)}`);
}

function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

/** The verdict on one event, and what the guard did not understand although it has no objection. */
export interface EventJudgement {
  readonly verdict: Verdict;
  readonly note?: string;
}

/**
 * Judges one event. An event that is not about a tool, or that comes after the tool has run, gets no opinion. An event that must name a
 * tool but does not is uncertain.
 */
export function judgeEvent(payload: JsonObject, options: GuardToolOptions): EventJudgement {
  const { event } = payload;
  if (isEventKind(String(event)) && event !== 'tool.before' && event !== 'permission.request') return { verdict: NO_OPINION };
  const call = readToolCall(payload);
  const verdict = guardTool(call?.tool, call?.input, { ...options, ...(call?.cwd !== undefined && { cwd: call.cwd }) });
  const reason = reasonFor(verdict);
  if (reason !== null && verdict.decision !== 'none') return { verdict: { decision: { kind: verdict.decision, reason }, effects: [] } };
  const missed = verdict.findings.find(({ rule, override }) => rule === NOT_UNDERSTOOD && override === undefined);
  return { verdict: NO_OPINION, ...(missed && { note: `The tool call \`${missed.text}\` ${predicate(missed.message)}` }) };
}

/** Returns an error message if one of the names is not a rule pack. */
export function unknownPack(names: readonly string[]): string | undefined {
  const unknown = names.find((name) => !PACKS.includes(name));
  if (unknown === undefined) return undefined;
  const near = suggest(unknown, PACKS);
  return `Unknown rule pack \`${unknown}\`; ${near ? `did you mean \`${near}\`?` : `known packs: ${PACKS.join(', ')}.`}`;
}
