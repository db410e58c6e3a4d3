/** What a hook's output means as a verdict, and how a verdict is said in the words of this dialect. */
import { type Decision, type Effect, NO_OPINION, PASS, type Verdict } from '../../core/decision.ts';
import type { HookEvent } from '../../core/event.ts';
import { asJson, isObject, type Json, type JsonObject, textOf } from '../../core/json.ts';
import { spoken } from './event-fields.ts';

const NO_REASON = 'The hook denied this without giving a reason.';
const NO_STOP_REASON = 'The hook stopped the run without giving a reason.';

/** JSON that is no object says nothing; text that holds JSON once more is read as what it holds. */
export function decodeReply(value: Json, nativeEvent: string, event: HookEvent): Verdict | string {
  const output = typeof value === 'string' ? parsed(value) : value;
  if (output === undefined) return 'The output is text in quotes, not an object.';
  if (!isObject(output)) return NO_OPINION;
  const decision = decisionOf(output);
  if (typeof decision === 'string') return decision;
  const effects = effectsOf(output, nativeEvent, event);
  return decision === PASS && effects.length === 0 ? NO_OPINION : { decision, effects };
}

export function decodeValue(value: unknown, nativeEvent: string, event: HookEvent): Verdict | string {
  if (value === undefined || value === null) return NO_OPINION;
  const json = asJson(value);
  return json === undefined ? 'The answer is not JSON.' : decodeReply(json, nativeEvent, event);
}

/** Undefined if this dialect has no words for it. Of several notices only one could be told from another, so they can't be said together. */
export function encodeReply({ decision, effects }: Verdict, nativeEvent: string, event?: HookEvent): Json | undefined {
  if (decision.kind === 'hold' || decision.kind === 'allow') return undefined;
  let said: JsonObject = decision.kind === 'pass' ? {} : { decision: decision.kind, reason: decision.reason };
  let specific: JsonObject = {};
  for (const effect of effects) {
    const words = wordsFor(effect, said, specific, nativeEvent, event);
    if (!words) return undefined;
    said = { ...said, ...words.said };
    specific = { ...specific, ...words.specific };
  }
  return Object.keys(specific).length === 0 ? said : { ...said, hookSpecificOutput: { hookEventName: nativeEvent, ...specific } };
}

/** quirk allow-is-silence: consent changes nothing there, so it is no opinion here. */
function decisionOf({ decision, reason, stopReason }: JsonObject): Decision | string {
  const why = filled(reason) ?? filled(stopReason);
  switch (decision ?? undefined) {
    case undefined:
    case 'allow':
    case 'approve':
      return PASS;
    case 'deny':
    case 'block':
      return { kind: 'deny', reason: why ?? NO_REASON };
    case 'ask':
      return { kind: 'ask', reason: why ?? 'The hook wants a person to decide.' };
    default:
      return `\`decision\` must be \`allow\`, \`deny\` or \`ask\`, found ${JSON.stringify(decision)}.`;
  }
}

function effectsOf(output: JsonObject, nativeEvent: string, event: HookEvent): Effect[] {
  const effects: Effect[] = [];
  const specific = isObject(output['hookSpecificOutput']) ? output['hookSpecificOutput'] : {};
  const rewrite = rewriteOf(specific, nativeEvent, event);
  if (rewrite) effects.push({ kind: 'rewrite', value: rewrite });
  const context = filled(specific['additionalContext']);
  if (context !== undefined) effects.push({ kind: 'context', text: context });
  const response = specific['llm_response'];
  if (isObject(response)) effects.push({ kind: 'replace', value: onlyWords(response) ?? response });
  const notice = filled(output['systemMessage']);
  if (notice !== undefined) effects.push({ kind: 'notice', text: notice });
  if (output['suppressOutput'] === true) effects.push({ kind: 'quiet' });
  if (output['continue'] === false) {
    effects.push({ kind: 'halt', reason: filled(output['stopReason']) ?? filled(output['reason']) ?? NO_STOP_REASON });
  }
  return effects;
}

/** quirk input-is-merged: a tool's new arguments are laid over the old ones. The agent also lets a request or the choice of tools be changed. */
function rewriteOf(specific: JsonObject, nativeEvent: string, { data }: HookEvent): JsonObject | undefined {
  const { tool_input: input, llm_request: request, toolConfig } = specific;
  if (nativeEvent === 'BeforeTool') return isObject(input) ? { ...(isObject(data['input']) && data['input']), ...input } : undefined;
  const changed = nativeEvent === 'BeforeModel' ? request : nativeEvent === 'BeforeToolSelection' ? toolConfig : undefined;
  return isObject(changed) ? changed : undefined;
}

interface Words {
  readonly said?: JsonObject;
  readonly specific?: JsonObject;
}

function wordsFor(effect: Effect, said: JsonObject, specific: JsonObject, nativeEvent: string, event?: HookEvent): Words | undefined {
  switch (effect.kind) {
    case 'rewrite':
      return isObject(effect.value) && coversAll(effect.value, nativeEvent, event) ? { specific: { tool_input: effect.value } } : undefined;
    case 'context': {
      if (effect.at === 'start') return undefined;
      const before = textOf(specific['additionalContext']);
      return { specific: { additionalContext: before === undefined ? effect.text : `${before}\n${effect.text}` } };
    }
    case 'replace':
      return { specific: { llm_response: typeof effect.value === 'string' ? spoken(effect.value) : effect.value } };
    case 'notice':
      return said['systemMessage'] === undefined ? { said: { systemMessage: effect.text } } : undefined;
    case 'halt':
      return { said: { continue: false, stopReason: textOf(said['stopReason']) ?? effect.reason } };
    case 'quiet':
      return { said: { suppressOutput: true } };
    case 'continue':
      return undefined;
  }
}

/** What a new input leaves out would stay: only one that has every key of the old one can be laid over it. */
function coversAll(value: JsonObject, nativeEvent: string, event: HookEvent | undefined): boolean {
  if (nativeEvent !== 'BeforeTool' || !event) return false;
  const { input } = event.data;
  return !isObject(input) || Object.keys(input).every((key) => Object.hasOwn(value, key));
}

/** The words of a response that has nothing else in it. */
function onlyWords(response: JsonObject): string | undefined {
  const [candidate] = Array.isArray(response['candidates']) ? response['candidates'] : [];
  const content = isObject(candidate) ? candidate['content'] : undefined;
  const parts = isObject(content) ? content['parts'] : undefined;
  const words = Array.isArray(parts) ? textOf(parts[0]) : undefined;
  return words !== undefined && JSON.stringify(response) === JSON.stringify(spoken(words)) ? words : undefined;
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function filled(value: Json | undefined): string | undefined {
  return textOf(value)?.trim() || undefined;
}
