/** What an output means as a verdict, and how a verdict is said in the words of this dialect. */
import { type Effect, NO_OPINION, PASS, type Verdict } from '../../core/decision.ts';
import { isObject, type Json, type JsonObject } from '../../core/json.ts';
import { type OutputFields, readOutput } from './output-fields.ts';

const NO_REASON = 'The hook blocked this without giving a reason.';

/** JSON that is no object says as little as text that is no JSON. */
export function decodeReply(value: Json): Verdict | string {
  if (!isObject(value)) return NO_OPINION;
  const output = readOutput(value, 'snake');
  return typeof output === 'string' ? output : verdictOf(output);
}

/** A function may answer in either spelling, or with nothing. */
export function decodeValue(value: unknown): Verdict | string {
  if (value === undefined || value === null) return NO_OPINION;
  if (typeof value !== 'object' || Array.isArray(value))
    return `A hook must return an output or nothing; this one returned ${typeof value}.`;
  const output = readOutput(value, 'both');
  return typeof output === 'string' ? output : verdictOf(output);
}

/** Undefined if this dialect has no words for it: it can't ask, suspend, or talk to the user. */
export function encodeReply({ decision, effects }: Verdict): Json | undefined {
  if (decision.kind !== 'pass' && decision.kind !== 'deny') return undefined;
  let said: JsonObject = decision.kind === 'deny' ? { continue_execution: false, stop_reason: decision.reason } : {};
  for (const effect of effects) {
    const more = fieldFor(effect, said);
    if (!more) return undefined;
    said = { ...said, ...more };
  }
  return said;
}

function verdictOf(output: OutputFields): Verdict {
  const effects: Effect[] = [];
  if (output.systemMessage) effects.push({ kind: 'context', text: output.systemMessage, at: 'start' });
  if (output.additionalContext) effects.push({ kind: 'context', text: output.additionalContext });
  if (output.updatedInput !== undefined) effects.push({ kind: 'rewrite', value: output.updatedInput });
  if (output.suppressLogging) effects.push({ kind: 'quiet' });
  if (output.continueExecution) return effects.length === 0 ? NO_OPINION : { decision: PASS, effects };
  return { decision: { kind: 'deny', reason: output.stopReason?.trim() || NO_REASON }, effects };
}

function fieldFor(effect: Effect, said: JsonObject): JsonObject | undefined {
  switch (effect.kind) {
    case 'rewrite':
      return { updated_input: effect.value };
    case 'context': {
      if (effect.at === 'start') return { system_message: effect.text };
      const before = said['additional_context'];
      return { additional_context: before === undefined ? effect.text : `${before}\n${effect.text}` };
    }
    case 'quiet':
      return { suppress_logging: true };
    case 'notice':
    case 'replace':
    case 'continue':
    case 'halt':
      return undefined;
  }
}
