/** What a hook's output means as a verdict. Where the agent ignores what looks like a refusal, that is said instead of passed over. */
import { type Decision, type Effect, NO_OPINION, PASS, type Verdict } from '../../core/decision.ts';
import { asJson, isObject, type Json, type JsonObject, textOf } from '../../core/json.ts';
import { recased } from './event-fields.ts';
import { camelOf, isPascal } from './profile.ts';

export { encodeReply } from './said.ts';

const NO_REASON = 'The hook denied this without giving a reason.';

/** JSON that is no object says as little as text that is no JSON. */
export function decodeReply(value: Json, nativeEvent: string): Verdict | string {
  if (!isObject(value)) return NO_OPINION;
  const inner = value['hookSpecificOutput'];
  const output = isPascal(nativeEvent) && isObject(inner) ? { ...value, ...inner } : value;
  const decision = decisionOf(output, value, nativeEvent);
  if (typeof decision === 'string') return decision;
  const effects = effectsOf(output, nativeEvent);
  return decision === PASS && effects.length === 0 ? NO_OPINION : { decision, effects };
}

export function decodeValue(value: unknown, nativeEvent: string): Verdict | string {
  if (value === undefined || value === null) return NO_OPINION;
  const json = asJson(value);
  return json === undefined ? 'The answer is not JSON.' : decodeReply(json, nativeEvent);
}

function decisionOf(output: JsonObject, whole: JsonObject, nativeEvent: string): Decision | string {
  switch (camelOf(nativeEvent)) {
    case 'preToolUse':
      return permission(output, whole, nativeEvent);
    case 'permissionRequest':
      return behaviour(isObject(output['decision']) ? output['decision'] : output);
    case 'agentStop':
    case 'subagentStop':
      if (output['decision'] !== 'block') return PASS;
      return { kind: 'deny', reason: filled(output['reason']) ?? 'The hook wants the work to go on.' };
    case 'userPromptSubmitted':
      // quirk handled-is-a-deny: the hook answers in the model's place, so the prompt never gets there.
      if (output['handled'] !== true) return PASS;
      return { kind: 'deny', reason: filled(output['responseContent']) ?? NO_REASON };
    default:
      return PASS;
  }
}

function permission(output: JsonObject, whole: JsonObject, nativeEvent: string): Decision | string {
  const { permissionDecision: said, permissionDecisionReason: reason } = output;
  switch (said ?? undefined) {
    case undefined:
      return misplaced(whole, nativeEvent) ?? PASS;
    case 'allow': {
      const why = filled(reason);
      return { kind: 'allow', ...(why !== undefined && { reason: why }) };
    }
    case 'deny':
      return { kind: 'deny', reason: filled(reason) ?? NO_REASON };
    case 'ask':
      return { kind: 'ask', reason: filled(reason) ?? 'The hook wants a person to decide.' };
    default:
      return `\`permissionDecision\` must be \`allow\`, \`deny\` or \`ask\`, found ${JSON.stringify(said)}.`;
  }
}

/** quirk ignored-refusals: the agent passes these over and runs the tool; whoever wrote them meant something. */
function misplaced({ hookSpecificOutput: inner, decision }: JsonObject, nativeEvent: string): string | undefined {
  if (!isPascal(nativeEvent) && isObject(inner) && inner['permissionDecision'] !== undefined) {
    return `The agent ignores \`hookSpecificOutput\` on \`${nativeEvent}\`: write \`permissionDecision\` at the top, or name the event \`PreToolUse\`.`;
  }
  if (decision !== 'block' && decision !== 'deny') return undefined;
  return `The agent ignores \`decision\` on \`${nativeEvent}\`: write \`permissionDecision\`.`;
}

function behaviour({ behavior: said, message }: JsonObject): Decision | string {
  const why = filled(message);
  switch (said ?? undefined) {
    case undefined:
      return PASS;
    case 'allow':
      return { kind: 'allow', ...(why !== undefined && { reason: why }) };
    case 'deny':
      return { kind: 'deny', reason: why ?? NO_REASON };
    default:
      return `\`behavior\` must be \`allow\` or \`deny\`, found ${JSON.stringify(said)}.`;
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
    case 'preToolUse': {
      const args = output['modifiedArgs'] ?? (isPascal(nativeEvent) ? output['updatedInput'] : undefined);
      return isObject(args) ? args : undefined;
    }
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
  const { resultType, textResultForLlm: text, ...more } = recased(result, false);
  const isPlain = resultType === 'success' && typeof text === 'string' && Object.keys(more).length === 0;
  return isPlain ? text : result;
}

function filled(value: Json | undefined): string | undefined {
  return textOf(value)?.trim() || undefined;
}
