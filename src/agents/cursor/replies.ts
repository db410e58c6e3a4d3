/** Turns the output of a Cursor hook into a verdict, by the family of its event. A value of the wrong kind is never read as consent. */
import { type Decision, type Effect, NO_OPINION, PASS, type Verdict } from '../../core/decision/decision.ts';
import { isObject, type Json, type JsonObject, textOf } from '../../core/values/json.ts';
import { isEventName, profile } from './profile.ts';

const NO_REASON = 'The hook blocked this without giving a reason.';

type Family = 'permission' | 'continue' | 'followup' | 'message' | 'context';

export function decodeReply(value: Json, nativeEvent: string): Verdict | string {
  if (!isObject(value)) return 'The answer is not a JSON object.';
  const decision = decisionIn(value, nativeEvent);
  if (typeof decision === 'string') return decision;
  const effects = effectsIn(value, nativeEvent);
  if (typeof effects === 'string') return effects;
  return decision === PASS && effects.length === 0 ? NO_OPINION : { decision, effects };
}

/** A model answers with `{ok, reason}`, and may bring it as text. */
export function decodeValue(value: unknown, nativeEvent: string): Verdict | string {
  if (value === undefined || value === null) return NO_OPINION;
  const answer: unknown = typeof value === 'string' ? parsed(value) : value;
  if (!isObject(answer)) return 'The answer is not an object with `ok`.';
  if (answer['ok'] === undefined) return decodeReply(answer, nativeEvent);
  if (typeof answer['ok'] !== 'boolean') return '`ok` in the answer must be true or false.';
  return answer['ok'] ? NO_OPINION : { decision: { kind: 'deny', reason: wordsOf(answer['reason']) ?? NO_REASON }, effects: [] };
}

/** Lines of a log may stand before the answer, which begins a line of its own and goes to the end. */
export function answerIn(output: string): string {
  if (output.trimStart().startsWith('{')) return output;
  const starts = [...output.matchAll(/^[ \t]*\{/gm)].slice(0, MOST_STARTS);
  return starts.map(({ index }) => output.slice(index)).find((tail) => parsed(tail) !== undefined) ?? output;
}

const MOST_STARTS = 50;

/** Undefined if this event cannot express the verdict. */
export function encodeReply({ decision, effects }: Verdict, nativeEvent: string): Json | undefined {
  const decisionFields = decisionWords(decision, familyOf(nativeEvent));
  if (!decisionFields) return undefined;
  const context: string[] = [];
  let more: JsonObject = {};
  for (const effect of effects) {
    if (effect.kind === 'context' && effect.at !== 'start') context.push(effect.text);
    else if (effect.kind === 'rewrite') more = { ...more, updated_input: effect.value };
    else if (effect.kind === 'notice' && more['user_message'] === undefined) more = { ...more, user_message: effect.text };
    else return undefined;
  }
  return { ...decisionFields, ...more, ...(context.length > 0 && { additional_context: context.join('\n') }) };
}

function familyOf(nativeEvent: string): Family {
  switch (nativeEvent) {
    case 'beforeSubmitPrompt':
      return 'continue';
    case 'stop':
    case 'subagentStop':
      return 'followup';
    case 'preCompact':
      return 'message';
    default:
      return isEventName(nativeEvent) && !profile.events[nativeEvent].grants.some((grant) => grant === 'deny') ? 'context' : 'permission';
  }
}

function decisionIn(value: JsonObject, nativeEvent: string): Decision | string {
  switch (familyOf(nativeEvent)) {
    case 'permission':
      return permissionIn(value, nativeEvent);
    case 'continue': {
      const { continue: goOn } = value;
      if (goOn === undefined || goOn === null || goOn === true) return PASS;
      if (goOn !== false) return '`continue` must be true or false.';
      return { kind: 'deny', reason: wordsOf(value['user_message']) ?? NO_REASON };
    }
    case 'followup': {
      const blocked = value['decision'] === 'block' ? (wordsOf(value['reason']) ?? NO_REASON) : undefined;
      const message = wordsOf(value['followup_message']) ?? blocked;
      return message === undefined ? PASS : { kind: 'deny', reason: message };
    }
    default:
      return PASS;
  }
}

function permissionIn(value: JsonObject, nativeEvent: string): Decision | string {
  const { permission } = value;
  if (permission === undefined || permission === null) return PASS;
  const words: readonly string[] = isEventName(nativeEvent) ? profile.events[nativeEvent].grants : ['allow', 'ask', 'deny'];
  const kind = ['allow', 'ask', 'deny'].filter((word) => words.includes(word)).find((word) => word === permission);
  const reason = wordsOf(value['agent_message']) ?? wordsOf(value['user_message']);
  switch (kind) {
    case 'allow':
      return reason === undefined ? { kind } : { kind, reason };
    case 'ask':
      return { kind, reason: reason ?? 'The hook wants a person to be asked.' };
    case 'deny':
      return { kind, reason: reason ?? NO_REASON };
    default:
      return `\`permission\` cannot be ${JSON.stringify(permission)} here.`;
  }
}

function decisionWords(decision: Decision, family: Family): JsonObject | undefined {
  if (decision.kind === 'pass') return {};
  if (decision.kind === 'hold') return undefined;
  if (family === 'permission') {
    if (decision.kind === 'allow') return { permission: 'allow', ...(decision.reason !== undefined && { agent_message: decision.reason }) };
    // One for the person at the editor, one for the agent.
    return { permission: decision.kind, user_message: decision.reason, agent_message: decision.reason };
  }
  if (decision.kind !== 'deny') return undefined;
  if (family === 'continue') return { continue: false, user_message: decision.reason };
  return family === 'followup' ? { followup_message: decision.reason } : undefined;
}

function effectsIn(value: JsonObject, nativeEvent: string): Effect[] | string {
  const effects: Effect[] = [];
  const { updated_input: updated } = value;
  if (updated !== undefined && updated !== null) {
    if (!isObject(updated)) return '`updated_input` must be an object.';
    effects.push({ kind: 'rewrite', value: updated });
  }
  const context = wordsOf(value['additional_context']) ?? wordsOf(value['additionalContext']);
  if (context !== undefined) effects.push({ kind: 'context', text: context });
  const notice = familyOf(nativeEvent) === 'message' ? wordsOf(value['user_message']) : undefined;
  if (notice !== undefined) effects.push({ kind: 'notice', text: notice });
  return effects;
}

function wordsOf(value: Json | undefined): string | undefined {
  return textOf(value)?.trim() || undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
