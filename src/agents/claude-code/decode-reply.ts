/** Turns a reply into a verdict. One family of fields is the same for all events, and another depends on the event. */
import { type Decision, type Effect, NO_OPINION, PASS, type Verdict } from '../../core/decision/decision.ts';
import type { HookEvent } from '../../core/event/event.ts';
import { asJson, isObject, type Json, type JsonObject } from '../../core/values/json.ts';
import { profile } from './profile.ts';

export { encodeReply } from './encode-reply.ts';

const DENIED_WITHOUT_REASON = 'The hook refused this without giving a reason.';
const ASKED = 'The hook wants a person to be asked.';

/** quirk stop-context: here it is the feedback with which the agent continues. */
const GOES_ON: readonly string[] = ['Stop', 'SubagentStop'];

/** Reads `hookSpecificOutput`: the fields that an event permits in addition to the shared ones. All others are ignored. */
export function readSpecific(output: Json | undefined, nativeEvent: string): Verdict | string {
  if (output === undefined) return NO_OPINION;
  if (!isObject(output)) return '`hookSpecificOutput` must be an object.';
  const { hookEventName: name } = output;
  if (name !== nativeEvent) return `\`hookEventName\` must be "${nativeEvent}", found ${JSON.stringify(name ?? null).slice(0, 60)}.`;
  const decided = readDecision(output, nativeEvent);
  if (typeof decided === 'string') return decided;
  const { additionalContext: context } = output;
  if (context !== undefined && typeof context !== 'string') return '`additionalContext` must be text.';
  if (!context) return decided;
  if (GOES_ON.includes(nativeEvent)) return { ...decided, decision: { kind: 'deny', reason: context } };
  return { ...decided, effects: [...decided.effects, { kind: 'context', text: context }] };
}

function readDecision(output: JsonObject, nativeEvent: string): Verdict | string {
  switch (nativeEvent) {
    case 'PreToolUse':
    case 'PreModelSwitch':
      return readPermission(output);
    case 'PermissionRequest':
      return readBehavior(output['decision']);
    case 'Elicitation':
    case 'ElicitationResult':
      return readAction(output);
    case 'PostToolUse':
      return replaced(output['updatedToolOutput'] ?? output['updatedMCPToolOutput']);
    case 'MessageDisplay':
      return replaced(output['displayContent']);
    default:
      return NO_OPINION;
  }
}

function readPermission({ permissionDecision, permissionDecisionReason: why, updatedInput: input }: JsonObject): Verdict | string {
  const effects: Effect[] = isObject(input) ? [{ kind: 'rewrite', value: input }] : [];
  if (input !== undefined && effects.length === 0) return '`updatedInput` must be an object.';
  if (why !== undefined && typeof why !== 'string') return '`permissionDecisionReason` must be text.';
  const reason = textIn(why);
  switch (permissionDecision) {
    case undefined:
      return { decision: PASS, effects };
    case 'allow':
      return { decision: { kind: 'allow', ...(reason !== undefined && { reason }) }, effects };
    case 'deny':
      return { decision: { kind: 'deny', reason: reason ?? DENIED_WITHOUT_REASON }, effects };
    // quirk defer-asks: whoever puts it off wants somebody else to decide.
    case 'ask':
    case 'defer':
      return { decision: { kind: 'ask', reason: reason ?? ASKED }, effects };
    default:
      return `\`permissionDecision\` must be "allow", "deny", "ask" or "defer", found ${JSON.stringify(permissionDecision).slice(0, 60)}.`;
  }
}

function readBehavior(decision: Json | undefined): Verdict | string {
  if (decision === undefined || decision === null) return NO_OPINION;
  if (!isObject(decision)) return '`decision` must be an object with a `behavior`.';
  const { behavior, updatedInput: input, message, interrupt } = decision;
  const effects: Effect[] = isObject(input) ? [{ kind: 'rewrite', value: input }] : [];
  if (behavior === 'allow') return { decision: { kind: 'allow' }, effects };
  if (behavior !== 'deny') return `\`behavior\` must be "allow" or "deny", found ${JSON.stringify(behavior ?? null).slice(0, 60)}.`;
  const reason = textIn(message) ?? DENIED_WITHOUT_REASON;
  return { decision: { kind: 'deny', reason }, effects: interrupt === true ? [{ kind: 'halt', reason }] : [] };
}

function readAction({ action, content }: JsonObject): Verdict | string {
  const { effects } = replaced(content);
  switch (action) {
    case undefined:
    case null:
      return NO_OPINION;
    case 'accept':
      return { decision: { kind: 'allow' }, effects };
    case 'decline':
    case 'cancel':
      return { decision: { kind: 'deny', reason: `The hook has chosen to ${action}.` }, effects: [] };
    default:
      return `\`action\` must be "accept", "decline" or "cancel", found ${JSON.stringify(action).slice(0, 60)}.`;
  }
}

function replaced(value: Json | undefined): { readonly decision: Decision; readonly effects: readonly Effect[] } {
  return value === undefined || value === null ? NO_OPINION : { decision: PASS, effects: [{ kind: 'replace', value }] };
}

function textIn(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

const BLOCKED_WITHOUT_REASON = 'The hook blocked this without giving a reason.';

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
  return ok ? NO_OPINION : { decision: { kind: 'deny', reason: textIn(reason) ?? BLOCKED_WITHOUT_REASON }, effects: [] };
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
  // The hook continues in the background, and its reply is not used.
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
  if (decision === 'block') return { kind: 'deny', reason: textIn(reason) ?? BLOCKED_WITHOUT_REASON };
  if (decision !== 'approve' || nativeEvent !== 'PreToolUse') return PASS;
  const why = textIn(reason);
  return { kind: 'allow', ...(why !== undefined && { reason: why }) };
}
