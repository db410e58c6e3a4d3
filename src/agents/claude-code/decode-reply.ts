/** What an answer means as a verdict. The fields are one family for all events, and one more that depends on the event. */
import { type Decision, type Effect, NO_OPINION, PASS, type Verdict } from '../../core/decision.ts';
import type { HookEvent } from '../../core/event.ts';
import { asJson, isObject, type Json, type JsonObject } from '../../core/json.ts';
import { profile } from './profile.ts';
import { readSpecific } from './specific-output.ts';

export { encodeReply } from './say.ts';

const NO_REASON = 'The hook blocked this without giving a reason.';

/** JSON that is no object is text: context where text is, else nothing. */
export function decodeReply(value: Json, nativeEvent: string, _event: HookEvent): Verdict | string {
  if (isObject(value)) return readOutput(value, nativeEvent);
  return plainIsContext(nativeEvent)
    ? { decision: PASS, effects: [{ kind: 'context', text: typeof value === 'string' ? value : JSON.stringify(value) }] }
    : NO_OPINION;
}

/** A function answers with an output or nothing; a model, which may put it as text, with `{ok, reason}`. */
export function decodeValue(value: unknown, nativeEvent: string, event: HookEvent): Verdict | string {
  if (value === undefined || value === null) return NO_OPINION;
  const output = typeof value === 'string' ? fromText(value) : asJson(value);
  if (!isObject(output))
    return `A hook must answer with an object or nothing; this one answered with ${Array.isArray(value) ? 'a list' : typeof value}.`;
  const { ok, reason } = output;
  if (typeof ok !== 'boolean') return decodeReply(output, nativeEvent, event);
  return ok ? NO_OPINION : { decision: { kind: 'deny', reason: textIn(reason) ?? NO_REASON }, effects: [] };
}

/** Models like to put a fence around their JSON. */
function fromText(text: string): Json | undefined {
  try {
    return JSON.parse(text.replace(/^\s*```\w*\n?|```\s*$/g, '')) as Json;
  } catch {
    return undefined;
  }
}

function plainIsContext(nativeEvent: string): boolean {
  const events: Readonly<Record<string, { readonly read?: { readonly exit?: readonly { readonly means: JsonObject }[] } }>> =
    profile.events as never;
  const means = Object.hasOwn(events, nativeEvent) ? events[nativeEvent]?.read?.exit?.[0]?.means : undefined;
  return isObject(means?.['notJson']) && means['notJson']['text'] === 'context';
}

/** The fields that all events share; a sentence says which of them is not what it must be. quirk null-is-wrong: nor is null. */
function readOutput(output: JsonObject, nativeEvent: string): Verdict | string {
  // It goes on in the background, and its answer is nobody's.
  if (output['async'] === true) return NO_OPINION;
  const wrong = wrongField(output);
  if (wrong !== undefined) return wrong;
  const specific = readSpecific(output['hookSpecificOutput'], nativeEvent);
  if (typeof specific === 'string') return specific;
  const effects: Effect[] = [...specific.effects];
  const { systemMessage, stopReason } = output;
  if (typeof systemMessage === 'string' && systemMessage !== '') effects.push({ kind: 'notice', text: systemMessage });
  if (output['continue'] === false) effects.push({ kind: 'halt', reason: textIn(stopReason) ?? 'A hook has stopped the run.' });
  if (output['suppressOutput'] === true) effects.push({ kind: 'quiet' });
  const decision = specific.decision.kind === 'pass' ? sharedDecision(output, nativeEvent) : specific.decision;
  // A refusal in either place counts.
  const shared = sharedDecision(output, nativeEvent);
  return { decision: shared.kind === 'deny' && decision.kind !== 'deny' ? shared : decision, effects };
}

const TYPES: Readonly<Record<string, string>> = {
  continue: 'boolean',
  suppressOutput: 'boolean',
  stopReason: 'string',
  systemMessage: 'string',
  reason: 'string',
};

function wrongField(output: JsonObject): string | undefined {
  for (const [key, type] of Object.entries(TYPES)) {
    const value = output[key];
    if (value !== undefined && typeof value !== type)
      return `\`${key}\` must be ${type === 'boolean' ? 'true or false' : 'text'}, found ${JSON.stringify(value).slice(0, 60)}.`;
  }
  const { decision } = output;
  return decision === undefined || decision === 'approve' || decision === 'block'
    ? undefined
    : `\`decision\` must be "approve" or "block", found ${JSON.stringify(decision).slice(0, 60)}.`;
}

/** `approve` is how hooks of old allowed a tool; elsewhere it says nothing. */
function sharedDecision({ decision, reason }: JsonObject, nativeEvent: string): Decision {
  if (decision === 'block') return { kind: 'deny', reason: textIn(reason) ?? NO_REASON };
  if (decision !== 'approve' || nativeEvent !== 'PreToolUse') return PASS;
  const why = textIn(reason);
  return { kind: 'allow', ...(why !== undefined && { reason: why }) };
}

function textIn(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}
