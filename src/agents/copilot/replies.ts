/**
 * Turns a hook's output into a verdict, and a verdict into this dialect's output. Output that looks like a denial, but that the agent ignores, is
 * reported.
 */
import { type Decision, type Effect, NO_OPINION, PASS, type Verdict } from '../../core/decision/decision.ts';
import { asJson, isObject, type Json, type JsonObject, textOf } from '../../core/values/json.ts';
import { recased, resultOf } from './event-fields.ts';
import { type CamelName, camelOf } from './profile.ts';

const NO_REASON = 'The hook denied this without giving a reason.';

/** JSON that is no object says as little as text that is no JSON. */
export function decodeReply(value: Json, nativeEvent: string): Verdict | string {
  if (!isObject(value)) return NO_OPINION;
  const output = nativeEvent === NESTING ? withInner(value) : value;
  const decision = decisionOf(output, nativeEvent);
  if (typeof decision === 'string') return decision;
  const effects = effectsOf(output, nativeEvent);
  return decision === PASS && effects.length === 0 ? (misplaced(value, nativeEvent) ?? NO_OPINION) : { decision, effects };
}

/** The one event whose answer is also looked for one level down, and by other names there. */
const NESTING = 'PreToolUse';

function withInner({ hookSpecificOutput: inner, ...flat }: JsonObject): JsonObject {
  if (!isObject(inner)) return flat;
  const { permissionDecision, permissionDecisionReason, additionalContext, updatedInput: modifiedArgs } = inner;
  const found = Object.entries({ permissionDecision, permissionDecisionReason, additionalContext, modifiedArgs });
  return { ...flat, ...Object.fromEntries(found.filter(([, value]) => value !== undefined)) };
}

export function decodeValue(value: unknown, nativeEvent: string): Verdict | string {
  if (value === undefined || value === null) return NO_OPINION;
  const json = asJson(value);
  return json === undefined ? 'The answer is not JSON.' : decodeReply(json, nativeEvent);
}

function decisionOf(output: JsonObject, nativeEvent: string): Decision | string {
  switch (camelOf(nativeEvent)) {
    case 'preToolUse':
      return permission(output);
    case 'permissionRequest':
      return behaviour(output);
    case 'agentStop':
    case 'subagentStop':
      return blocked(output, 'The hook wants the work to go on.') ?? PASS;
    case 'postToolUse':
      return blocked(output, NO_REASON) ?? PASS;
    case 'userPromptSubmitted':
      // quirk handled-is-a-deny: the hook answers in the model's place, so the prompt never gets there.
      if (output['handled'] !== true) return blocked(output, NO_REASON) ?? PASS;
      return { kind: 'deny', reason: filled(output['responseContent']) ?? NO_REASON };
    default:
      return PASS;
  }
}

function blocked({ decision, reason }: JsonObject, otherwise: string): Decision | undefined {
  return decision === 'block' ? { kind: 'deny', reason: filled(reason) ?? otherwise } : undefined;
}

function permission({ permissionDecision, permissionDecisionReason: reason }: JsonObject): Decision | string {
  switch (permissionDecision ?? undefined) {
    case undefined:
      return PASS;
    case 'allow': {
      const why = filled(reason);
      return { kind: 'allow', ...(why !== undefined && { reason: why }) };
    }
    case 'deny':
      return { kind: 'deny', reason: filled(reason) ?? NO_REASON };
    case 'ask':
      return { kind: 'ask', reason: filled(reason) ?? 'The hook wants a person to decide.' };
    default:
      return `\`permissionDecision\` must be \`allow\`, \`deny\` or \`ask\`, found ${JSON.stringify(permissionDecision)}.`;
  }
}

/** quirk ignored-answers: the agent ignores these and continues, although their author meant something. */
function misplaced({ hookSpecificOutput: inner, decision }: JsonObject, nativeEvent: string): string | undefined {
  if (isObject(inner) && Object.keys(inner).some((key) => key !== 'hookEventName') && nativeEvent !== NESTING) {
    const or = camelOf(nativeEvent) === 'preToolUse' ? `, or name the event \`${NESTING}\`` : '';
    return `The agent ignores \`hookSpecificOutput\` on \`${nativeEvent}\`: write what is in it at the top${or}.`;
  }
  const words = DECIDED_BY[camelOf(nativeEvent) ?? 'notification'];
  if (words === undefined || (decision !== 'block' && decision !== 'deny' && !isObject(decision))) return undefined;
  return `The agent ignores this \`decision\` on \`${nativeEvent}\`: write ${words}.`;
}

const DECIDED_BY: { readonly [K in CamelName]?: string } = {
  preToolUse: '`permissionDecision`',
  permissionRequest: '`behavior` at the top',
  postToolUse: '`"decision": "block"`',
  userPromptSubmitted: '`"decision": "block"`',
  agentStop: '`"decision": "block"`',
  subagentStop: '`"decision": "block"`',
};

function behaviour({ behavior, message }: JsonObject): Decision | string {
  const why = filled(message);
  switch (behavior ?? undefined) {
    case undefined:
      return PASS;
    case 'allow':
      return { kind: 'allow', ...(why !== undefined && { reason: why }) };
    case 'deny':
      return { kind: 'deny', reason: why ?? NO_REASON };
    default:
      return `\`behavior\` must be \`allow\` or \`deny\`, found ${JSON.stringify(behavior)}.`;
  }
}

function effectsOf(output: JsonObject, nativeEvent: string): Effect[] {
  const effects: Effect[] = [];
  const rewrite = rewriteOf(output, nativeEvent);
  if (rewrite !== undefined) effects.push({ kind: 'rewrite', value: rewrite });
  const replace = replaceOf(output, nativeEvent);
  if (replace !== undefined) effects.push({ kind: 'replace', value: replace });
  const context = filled(output['additionalContext']);
  if (context !== undefined) effects.push({ kind: 'context', text: context });
  if (output['suppressOutput'] === true && camelOf(nativeEvent) === 'preToolUse') effects.push({ kind: 'quiet' });
  return effects;
}

function rewriteOf(output: JsonObject, nativeEvent: string): Json | undefined {
  switch (camelOf(nativeEvent)) {
    case 'preToolUse':
      return isObject(output['modifiedArgs']) ? output['modifiedArgs'] : undefined;
    case 'userPromptSubmitted':
      return filled(output['modifiedPrompt']);
    case 'userPromptTransformed':
      return filled(output['modifiedTransformedPrompt']);
    default:
      return undefined;
  }
}

function replaceOf(output: JsonObject, nativeEvent: string): Json | undefined {
  const camel = camelOf(nativeEvent);
  if (camel === 'subagentStop') return filled(output['modifiedResponse']);
  const result = camel === 'postToolUse' ? output['modifiedResult'] : undefined;
  if (!isObject(result)) return undefined;
  const { resultType, textResultForLlm: text, ...more } = result;
  const isPlain = resultType === 'success' && typeof text === 'string' && Object.keys(more).length === 0;
  return isPlain ? text : result;
}

function filled(value: Json | undefined): string | undefined {
  return textOf(value)?.trim() || undefined;
}

/**
 * Encodes a verdict as JSON, because the agent drops stderr, and flat in both spellings, because the agent does not read nested fields together
 * with an exit code. Undefined if this dialect cannot express the verdict: it cannot talk to the user, suspend, or stop the run.
 */
export function encodeReply({ decision, effects }: Verdict, nativeEvent: string): Json | undefined {
  const camel = camelOf(nativeEvent) ?? 'preToolUse';
  let reply = wordsOf(decision, camel);
  for (const effect of effects) {
    const words: JsonObject | undefined = reply && wordsFor(effect, reply, camel);
    reply = words && { ...reply, ...words };
  }
  return reply;
}

function wordsOf(decision: Decision, camel: CamelName): JsonObject | undefined {
  if (decision.kind === 'pass') return {};
  if (decision.kind === 'hold') return undefined;
  const { kind, reason } = decision;
  switch (camel) {
    case 'preToolUse':
      return { permissionDecision: kind, ...(reason !== undefined && { permissionDecisionReason: reason }) };
    case 'permissionRequest':
      return kind === 'ask' ? undefined : { behavior: kind, ...(reason !== undefined && { message: reason }) };
    case 'agentStop':
    case 'subagentStop':
    case 'postToolUse':
      return kind === 'deny' && reason !== undefined ? { decision: 'block', reason } : undefined;
    case 'userPromptSubmitted':
      // A version that does not know the first takes the second.
      return kind === 'deny' && reason !== undefined ? { decision: 'block', reason, handled: true, responseContent: reason } : undefined;
    default:
      return undefined;
  }
}

function wordsFor(effect: Effect, reply: JsonObject, camel: CamelName): JsonObject | undefined {
  // quirk blocked-result: the refusal of a result stands alone.
  if (camel === 'postToolUse' && reply['decision'] === 'block') return undefined;
  switch (effect.kind) {
    case 'rewrite': {
      const key = REWRITES[camel];
      return key === undefined ? undefined : { [key]: effect.value };
    }
    case 'replace':
      if (camel === 'subagentStop') return typeof effect.value === 'string' ? { modifiedResponse: effect.value } : undefined;
      return camel === 'postToolUse' ? { modifiedResult: recased(resultOf(effect.value), false) } : undefined;
    case 'context': {
      if (effect.at === 'start') return undefined;
      const before = reply['additionalContext'];
      return { additionalContext: before === undefined ? effect.text : `${before}\n${effect.text}` };
    }
    case 'quiet':
      return { suppressOutput: true };
    case 'notice':
    case 'continue':
    case 'halt':
      return undefined;
  }
}

const REWRITES: { readonly [K in CamelName]?: string } = {
  preToolUse: 'modifiedArgs',
  userPromptSubmitted: 'modifiedPrompt',
  userPromptTransformed: 'modifiedTransformedPrompt',
};
