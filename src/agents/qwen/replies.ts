/** The replies of a Qwen Code hook: its own JSON, or `{ok, reason}` of a model. Unknown keys are ignored; a denial counts whatever else is wrong. */
import { type Decision, type Effect, NO_OPINION, PASS, type Verdict } from '../../core/decision/decision.ts';
import { asJson, isObject, type Json, type JsonObject, textOf } from '../../core/values/json.ts';
import { type EventName, isEventName, profile } from './profile.ts';

const NO_REASON = 'The hook refused this and gave no reason.';
const ASKED = 'The hook wants a person to decide and gave no reason.';

/** Where `continue: false` keeps the thing itself from happening, or from being seen; on a stop it means that the agent continues. */
const STOP_REFUSES: ReadonlySet<string> = new Set<EventName>([
  'PreToolUse',
  'PostToolUse',
  'PostToolBatch',
  'UserPromptSubmit',
  'UserPromptExpansion',
  'Stop',
  'SubagentStop',
]);

export function decodeReply(value: Json, nativeEvent: string): Verdict | string {
  if (Array.isArray(value)) return 'The output is JSON, but not an object.';
  // A number or a word is JSON by accident: it is text.
  if (!isObject(value)) return NO_OPINION;
  const specific = isObject(value['hookSpecificOutput']) ? value['hookSpecificOutput'] : {};
  const decided =
    nativeEvent === 'PermissionRequest' ? permissionRequest(specific['decision'], value) : decisionIn(value, specific, nativeEvent);
  if (typeof decided === 'string') return decided;
  const effects = effectsIn(value, specific, nativeEvent);
  return decided.kind === 'pass' && effects.length === 0 ? NO_OPINION : { decision: decided, effects };
}

/** A model may bring its object as text. */
export function decodeValue(value: unknown, nativeEvent: string): Verdict | string {
  if (value === undefined || value === null) return NO_OPINION;
  const json = asJson(typeof value === 'string' ? parsed(value) : value);
  return json === undefined ? 'The answer is not JSON.' : decodeReply(json, nativeEvent);
}

/** Returns the shortest reply with this meaning; undefined if Qwen Code cannot express it on this event. */
export function encodeReply({ decision, effects }: Verdict, nativeEvent: string): Json | undefined {
  const decided = sayDecision(decision, nativeEvent);
  if (!decided) return undefined;
  let { top, specific } = decided;
  for (const effect of effects) {
    const more = sayEffect(effect, nativeEvent, { top, specific });
    if (!more) return undefined;
    ({ top, specific } = more);
  }
  return { ...top, ...(Object.keys(specific).length > 0 && { hookSpecificOutput: { hookEventName: nativeEvent, ...specific } }) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function decisionIn(value: JsonObject, specific: JsonObject, nativeEvent: string): Decision | string {
  const own = nativeEvent === 'PreToolUse' ? specific['permissionDecision'] : undefined;
  const word = own ?? value['decision'];
  const reason = filled(own === undefined ? undefined : specific['permissionDecisionReason']) ?? filled(value['reason']);
  const stops = value['continue'] === false && STOP_REFUSES.has(nativeEvent);
  switch (word) {
    case 'deny':
    case 'block':
      // quirk post-block-is-nothing
      if (nativeEvent === 'PostToolUse' && !stops) return PASS;
      return { kind: 'deny', reason: reason ?? filled(value['stopReason']) ?? NO_REASON };
    case 'ask':
      return { kind: 'ask', reason: reason ?? ASKED };
    case 'allow':
    case 'approve':
    case undefined:
    case null:
      break;
    default:
      return `A decision must be \`allow\`, \`deny\` or \`ask\`, found ${JSON.stringify(word)}.`;
  }
  if (stops) return { kind: 'deny', reason: filled(value['stopReason']) ?? reason ?? NO_REASON };
  // `{ok}` is what a model answers with; consent changes nothing (quirk allow-is-silence).
  return value['ok'] === false ? { kind: 'deny', reason: reason ?? NO_REASON } : PASS;
}

function permissionRequest(decision: Json | undefined, { ok, reason }: JsonObject): Decision | string {
  if (!isObject(decision)) return ok === false ? { kind: 'deny', reason: filled(reason) ?? NO_REASON } : PASS;
  const message = filled(decision['message']);
  if (decision['behavior'] === 'deny') return { kind: 'deny', reason: message ?? NO_REASON };
  if (decision['behavior'] === 'allow') return { kind: 'allow', ...(message !== undefined && { reason: message }) };
  return `\`behavior\` must be \`allow\` or \`deny\`, found ${JSON.stringify(decision['behavior'])}.`;
}

function effectsIn(value: JsonObject, specific: JsonObject, nativeEvent: string): Effect[] {
  const notice = textOf(value['systemMessage']);
  const context = textOf(specific['additionalContext'] ?? value['additionalContext']);
  const { decision } = specific;
  const input =
    nativeEvent === 'PermissionRequest' && isObject(decision) && decision['behavior'] === 'allow'
      ? decision['updatedInput']
      : specific['updatedInput'];
  const isIdle = nativeEvent === 'PostToolUse' && (value['decision'] === 'block' || value['decision'] === 'deny');
  const halts = value['continue'] === false && !STOP_REFUSES.has(nativeEvent);
  return [
    ...(input !== undefined && input !== null ? [{ kind: 'rewrite', value: input } as const] : []),
    ...(context ? [{ kind: 'context', text: context } as const] : []),
    ...(notice ? [{ kind: 'notice', text: notice } as const] : []),
    ...(isIdle && value['continue'] !== false ? [{ kind: 'notice', text: filled(value['reason']) ?? NO_REASON } as const] : []),
    ...(halts ? [{ kind: 'halt', reason: filled(value['stopReason']) ?? 'The hook stopped the run and gave no reason.' } as const] : []),
  ];
}

function filled(value: Json | undefined): string | undefined {
  return textOf(value)?.trim() || undefined;
}

interface Words {
  readonly top: JsonObject;
  readonly specific: JsonObject;
}

function sayDecision(decision: Decision, nativeEvent: string): Words | undefined {
  if (decision.kind === 'pass') return { top: {}, specific: {} };
  if (decision.kind === 'hold') return undefined;
  const { reason } = decision;
  if (nativeEvent === 'PreToolUse') {
    if (decision.kind === 'allow') return undefined;
    // quirk last-word-counts: this is what no other hook can take back.
    const top = decision.kind === 'deny' ? { continue: false, stopReason: decision.reason } : {};
    return { top, specific: { permissionDecision: decision.kind, permissionDecisionReason: decision.reason } };
  }
  if (nativeEvent === 'PostToolUse')
    return decision.kind === 'deny' ? { top: { continue: false, stopReason: decision.reason }, specific: {} } : undefined;
  if (nativeEvent === 'PermissionRequest') {
    if (decision.kind === 'ask') return undefined;
    return { top: {}, specific: { decision: { behavior: decision.kind, ...(reason !== undefined && { message: reason }) } } };
  }
  return decision.kind === 'deny' ? { top: { decision: 'block', reason: decision.reason }, specific: {} } : undefined;
}

function sayEffect(effect: Effect, nativeEvent: string, { top, specific }: Words): Words | undefined {
  const grants: readonly string[] = isEventName(nativeEvent) ? profile.events[nativeEvent].grants : [];
  if (!grants.includes(effect.kind)) return undefined;
  switch (effect.kind) {
    case 'rewrite': {
      // Only consent carries another input: to say it alone would be to consent.
      const { decision } = specific;
      if (!isObject(decision) || decision['behavior'] !== 'allow') return undefined;
      return { top, specific: { ...specific, decision: { ...decision, updatedInput: effect.value } } };
    }
    case 'context': {
      if (effect.at === 'start') return undefined;
      const before = specific['additionalContext'];
      return { top, specific: { ...specific, additionalContext: before === undefined ? effect.text : `${before}\n${effect.text}` } };
    }
    case 'notice':
      return top['systemMessage'] === undefined ? { top: { ...top, systemMessage: effect.text }, specific } : undefined;
    default:
      return undefined;
  }
}
