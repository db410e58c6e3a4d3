/**
 * How a verdict is said in the words of this dialect: as JSON, since the agent drops what stands on stderr, and flat in both spellings: what is
 * nested is not looked for beside an exit code.
 */
import type { Decision, Effect, Verdict } from '../../core/decision.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { recased, resultOf } from './event-fields.ts';
import { type CamelName, camelOf } from './profile.ts';

/** Undefined if this dialect has no words for it: it can't talk to the user, suspend, or stop the run. */
export function encodeReply({ decision, effects }: Verdict, nativeEvent: string): Json | undefined {
  const camel = camelOf(nativeEvent) ?? 'preToolUse';
  let said = wordsOf(decision, camel);
  for (const effect of effects) {
    const words: JsonObject | undefined = said && wordsFor(effect, said, camel);
    said = words && { ...said, ...words };
  }
  return said;
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

function wordsFor(effect: Effect, said: JsonObject, camel: CamelName): JsonObject | undefined {
  // quirk blocked-result: the refusal of a result stands alone.
  if (camel === 'postToolUse' && said['decision'] === 'block') return undefined;
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
      const before = said['additionalContext'];
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
