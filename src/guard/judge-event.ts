/** What the guard says of one event, as a hook would say it. */
import { NO_OPINION, type Verdict } from '../core/decision.ts';
import { isEventKind } from '../core/event.ts';
import type { JsonObject } from '../core/json.ts';
import { suggest } from '../core/suggest.ts';
import { type GuardToolOptions, guardTool } from './guard-tool.ts';
import { RULES } from './rules/compiled.ts';
import { readToolCall } from './tool-call.ts';
import { reasonFor } from './verdict-words.ts';

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
