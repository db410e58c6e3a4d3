/** A verdict as an agent should read it: what is wrong, what to do instead, and by which rule. Never that a person has denied it. */

import { NO_OPINION, type Verdict } from '../core/decision/decision.ts';
import { isEventKind } from '../core/event/event.ts';
import type { JsonObject } from '../core/values/json.ts';
import { suggest } from '../core/values/suggest.ts';
import type { GuardFinding, GuardVerdict } from './guard.ts';
import { RULES } from './rules/compiled.ts';
import { type GuardToolOptions, guardTool } from './tools/guard-tool.ts';
import { readToolCall } from './tools/tool-call.ts';

/** Null if there is no objection. */
export function reasonFor({ decision, findings }: GuardVerdict): string | null {
  const objections = findings.filter((finding) => finding.decision !== 'none');
  const first = objections.find((finding) => finding.decision === decision);
  if (decision === 'none' || !first) return null;
  const others = new Set(objections.map(({ rule }) => rule).filter((rule) => rule !== first.rule));
  const more = others.size === 0 ? '' : ` Also: ${[...others].slice(0, MOST_RULES).join(', ')}.`;
  const lead = decision === 'ask' ? 'A person should decide: ' : '';
  return `${lead}${sentence(first.message)} ${aboutText(first)}Instead: ${sentence(first.hint)} (Guard rule ${first.rule}.)${more}`;
}

const MOST_RULES = 5;

/** The command or file it is about, where the words of the rule do not say it. */
function aboutText({ text, message }: GuardFinding): string {
  return text === '' || message.includes(text) ? '' : `It is about: ${text}. `;
}

function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

/** What the guard says of one event, as a hook would say it. */

/** An event that is not about a tool, or too late to stop one, is none of its business; one that should name a tool and does not is uncertain. */
export function judgeEvent(payload: JsonObject, options: GuardToolOptions): Verdict {
  const { event } = payload;
  if (isEventKind(String(event)) && event !== 'tool.before' && event !== 'permission.request') return NO_OPINION;
  const call = readToolCall(payload);
  const verdict = guardTool(call?.tool, call?.input, { ...options, ...(call?.cwd !== undefined && { cwd: call.cwd }) });
  const reason = reasonFor(verdict);
  return reason === null || verdict.decision === 'none' ? NO_OPINION : { decision: { kind: verdict.decision, reason }, effects: [] };
}

export const PACKS: readonly string[] = [...new Set(RULES.flatMap(({ pack }) => (pack === undefined ? [] : [pack])))].sort();

/** What is wrong if one of these is no pack. */
export function unknownPack(names: readonly string[]): string | undefined {
  const unknown = names.find((name) => !PACKS.includes(name));
  if (unknown === undefined) return undefined;
  const near = suggest(unknown, PACKS);
  return `There is no pack of rules \`${unknown}\`; ${near ? `did you mean \`${near}\`?` : `known: ${PACKS.join(', ')}.`}`;
}
