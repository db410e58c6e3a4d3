/**
 * The replies that a hook of Codex may give. If a reply has an unknown field, Codex treats the
 * hook as failed and continues. So only the fields that Codex accepts are read here, and only the necessary ones are written.
 */

import { type Decision, type Effect, NO_OPINION, PASS, type Verdict } from '../../core/decision/decision.ts';
import { asJson, isObject, type Json, type JsonObject, textOf } from '../../core/values/json.ts';
import { type EventName, isEventName } from './profile.ts';

export interface Answer {
  /** How a denial is expressed. */
  readonly refuse: 'permissionDecision' | 'behavior' | 'block' | 'continue' | null;
  /** Keys in addition to those of every reply. */
  readonly top: readonly string[];
  /** Keys of `hookSpecificOutput` in addition to `hookEventName`. */
  readonly specific: readonly string[];
  /** Keys of every answer that fail it here. */
  readonly unsupported: readonly string[];
  readonly contexts: boolean;
  /** `continue: false` stops the run. */
  readonly halts: boolean;
  /** The meaning of text that is no JSON. */
  readonly text: 'pass' | 'context';
}

const plain: Answer = { refuse: null, top: [], specific: [], unsupported: [], contexts: false, halts: false, text: 'pass' };
const starting: Answer = { ...plain, specific: ['additionalContext'], contexts: true, text: 'context' };
const stopping: Answer = { ...plain, refuse: 'block', top: ['decision', 'reason'], halts: true };

/** Which keys a reply may have on each event: closed, as Codex's own schemas are. The reply to an event without a shape is ignored. */
export const ANSWERS: Readonly<Record<EventName, Answer | null>> = {
  PreToolUse: {
    ...plain,
    refuse: 'permissionDecision',
    top: ['decision', 'reason'],
    specific: ['permissionDecision', 'permissionDecisionReason', 'updatedInput', 'additionalContext'],
    unsupported: ['continue', 'stopReason', 'suppressOutput'],
    contexts: true,
  },
  PermissionRequest: { ...plain, refuse: 'behavior', specific: ['decision'], unsupported: ['continue', 'stopReason', 'suppressOutput'] },
  PostToolUse: { ...stopping, specific: ['additionalContext'], unsupported: ['suppressOutput'], contexts: true },
  PreCompact: { ...plain, refuse: 'continue' },
  PostCompact: { ...plain, halts: true },
  SessionStart: { ...starting, halts: true },
  SessionEnd: null,
  UserPromptSubmit: { ...stopping, specific: ['additionalContext'], contexts: true, text: 'context' },
  SubagentStart: starting,
  SubagentStop: stopping,
  Stop: stopping,
  PreModelRequest: null,
  PostModelRequest: null,
  Interrupt: { ...plain, unsupported: ['continue', 'stopReason', 'suppressOutput'] },
};

const UNIVERSAL: Readonly<Record<string, 'boolean' | 'string'>> = {
  continue: 'boolean',
  stopReason: 'string',
  suppressOutput: 'boolean',
  systemMessage: 'string',
};
const TEXTS = ['reason', 'permissionDecisionReason', 'additionalContext'];
/** Keys of a decision on a permission; all but the first two are reserved. */
const DECISION = ['behavior', 'message', 'updatedInput', 'updatedPermissions', 'interrupt'];

/** Why Codex would take this for a failed hook; undefined if it would not. */
export function wrongIn(value: JsonObject, shape: Answer, nativeEvent: string): string | undefined {
  const { hookSpecificOutput: specific, ...top } = value;
  const hasSpecific = specific !== undefined && specific !== null;
  const stray =
    strayIn(top, [...Object.keys(UNIVERSAL), ...shape.top]) ?? (hasSpecific ? wrongSpecific(specific, shape, nativeEvent) : undefined);
  if (stray !== undefined) return stray;
  for (const [key, type] of Object.entries(UNIVERSAL)) {
    const given = top[key];
    if (given === undefined || (given === null && type === 'string')) continue;
    if (typeof given !== type) return `\`${key}\` must be ${type === 'boolean' ? 'true or false' : 'text'}.`;
    const isDefault = key === 'continue' ? given === true : given === false;
    if (shape.unsupported.includes(key) && !isDefault) return `\`${key}\` is not taken on ${nativeEvent}.`;
  }
  return notText(top);
}

function wrongSpecific(specific: Json, shape: Answer, nativeEvent: string): string | undefined {
  if (!isObject(specific)) return '`hookSpecificOutput` must be an object.';
  if (shape.specific.length === 0) return `\`hookSpecificOutput\` is not taken on ${nativeEvent}.`;
  const { hookEventName, ...rest } = specific;
  if (hookEventName !== nativeEvent) return `\`hookSpecificOutput\` needs \`"hookEventName": "${nativeEvent}"\`.`;
  const { decision } = rest;
  const inDecision =
    decision === undefined || decision === null
      ? undefined
      : isObject(decision)
        ? strayIn(decision, DECISION)
        : '`decision` must be an object.';
  return strayIn(rest, shape.specific) ?? notText(rest) ?? inDecision;
}

function strayIn(value: JsonObject, known: readonly string[]): string | undefined {
  const stray = Object.keys(value).find((key) => !known.includes(key));
  return stray === undefined ? undefined : `There is no \`${stray}\` in an answer here, and Codex does not listen to one that has it.`;
}

function notText(value: JsonObject): string | undefined {
  const wrong = TEXTS.find((key) => value[key] !== undefined && value[key] !== null && typeof value[key] !== 'string');
  return wrong === undefined ? undefined : `\`${wrong}\` must be text.`;
}

const NO_REASON = 'The hook refused this and gave no reason.';

export function decodeReply(value: Json, nativeEvent: string): Verdict | string {
  const shape = isEventName(nativeEvent) ? ANSWERS[nativeEvent] : undefined;
  if (!shape) return NO_OPINION;
  if (Array.isArray(value)) return 'The output is JSON, but not an object.';
  // A number or a word is JSON by accident: to Codex it is text.
  if (!isObject(value)) return shape.text === 'context' && value !== null ? saying(PASS, [context(String(value))]) : NO_OPINION;
  const wrong = wrongIn(value, shape, nativeEvent);
  if (wrong !== undefined) return wrong;
  const specific = isObject(value['hookSpecificOutput']) ? value['hookSpecificOutput'] : {};
  const decided = decisionIn(value, specific, shape);
  if (typeof decided === 'string') return decided;
  return saying(decided, effectsIn(value, specific, shape));
}

export function decodeValue(value: unknown, nativeEvent: string): Verdict | string {
  if (value === undefined || value === null) return NO_OPINION;
  const json = asJson(value);
  return json === undefined ? 'The function returned something that is not JSON.' : decodeReply(json, nativeEvent);
}

/** Returns the shortest reply with this meaning; undefined if Codex cannot express it on this event. */
export function encodeReply({ decision, effects }: Verdict, nativeEvent: string): Json | undefined {
  const shape = isEventName(nativeEvent) ? ANSWERS[nativeEvent] : ANSWERS.Stop;
  if (!shape) return decision.kind === 'pass' && effects.length === 0 ? {} : undefined;
  const decided = sayDecision(decision, shape);
  if (!decided) return undefined;
  let { top, specific } = decided;
  for (const effect of effects) {
    const more = sayEffect(effect, shape, { top, specific });
    if (!more) return undefined;
    ({ top, specific } = more);
  }
  return { ...top, ...(Object.keys(specific).length > 0 && { hookSpecificOutput: { hookEventName: nativeEvent, ...specific } }) };
}

function saying(decision: Decision, effects: readonly Effect[]): Verdict {
  return decision.kind === 'pass' && effects.length === 0 ? NO_OPINION : { decision, effects };
}

function context(text: string): Effect {
  return { kind: 'context', text };
}

function decisionIn(value: JsonObject, specific: JsonObject, { refuse }: Answer): Decision | string {
  switch (refuse) {
    case 'permissionDecision':
      return preToolUse(value, specific);
    case 'behavior':
      return permissionRequest(specific['decision']);
    case 'continue':
      return value['continue'] === false ? { kind: 'deny', reason: filled(value['stopReason']) ?? NO_REASON } : PASS;
    case 'block':
      return blockIn(value, value['continue'] === false);
    case null:
      return PASS;
  }
}

function preToolUse(value: JsonObject, specific: JsonObject): Decision | string {
  const { permissionDecision, permissionDecisionReason, updatedInput } = specific;
  const has = (one: Json | undefined): boolean => one !== undefined && one !== null;
  if (!has(permissionDecision) && !has(permissionDecisionReason) && !has(updatedInput)) {
    return value['decision'] === 'approve' ? '`decision: "approve"` is not taken by Codex.' : blockIn(value, false);
  }
  if (has(updatedInput) && permissionDecision !== 'allow') return '`updatedInput` counts only with `permissionDecision: "allow"`.';
  switch (permissionDecision) {
    case 'deny': {
      const reason = filled(permissionDecisionReason);
      return reason === undefined ? 'A `permissionDecision: "deny"` needs a `permissionDecisionReason`.' : { kind: 'deny', reason };
    }
    case 'allow':
      return has(updatedInput) ? PASS : '`permissionDecision: "allow"` counts only with `updatedInput`.';
    case undefined:
    case null:
      return '`permissionDecisionReason` needs a `permissionDecision`.';
    default:
      return `\`permissionDecision\` must be \`deny\`, or \`allow\` with \`updatedInput\`, found ${JSON.stringify(permissionDecision)}.`;
  }
}

function permissionRequest(decision: Json | undefined): Decision | string {
  if (!isObject(decision)) return PASS;
  const reserved = ['updatedInput', 'updatedPermissions'].find((key) => decision[key] !== undefined && decision[key] !== null);
  if (reserved !== undefined) return `\`${reserved}\` is reserved.`;
  if (decision['interrupt'] === true) return '`interrupt` is reserved.';
  const reason = filled(decision['message']);
  if (decision['behavior'] === 'deny') return { kind: 'deny', reason: reason ?? NO_REASON };
  if (decision['behavior'] === 'allow') return { kind: 'allow', ...(reason !== undefined && { reason }) };
  return `\`behavior\` must be \`allow\` or \`deny\`, found ${JSON.stringify(decision['behavior'])}.`;
}

function blockIn({ decision, reason }: JsonObject, stops: boolean): Decision | string {
  if (decision === undefined || decision === null) {
    return (reason ?? null) === null || stops ? PASS : 'There is a `reason` without a `decision`.';
  }
  if (decision !== 'block') return `\`decision\` must be \`block\`, found ${JSON.stringify(decision)}.`;
  const given = filled(reason);
  return given === undefined ? 'A `decision: "block"` needs a `reason`.' : { kind: 'deny', reason: given };
}

function effectsIn(value: JsonObject, specific: JsonObject, { refuse, halts }: Answer): Effect[] {
  const { systemMessage } = value;
  const { updatedInput, additionalContext } = specific;
  return [
    ...(updatedInput !== undefined && updatedInput !== null ? [{ kind: 'rewrite', value: updatedInput } as const] : []),
    ...(textOf(additionalContext) ? [context(textOf(additionalContext) as string)] : []),
    ...(textOf(systemMessage) ? [{ kind: 'notice', text: textOf(systemMessage) as string } as const] : []),
    ...(halts && refuse !== 'continue' && value['continue'] === false
      ? [{ kind: 'halt', reason: filled(value['stopReason']) ?? 'The hook stopped the run and gave no reason.' } as const]
      : []),
  ];
}

function filled(value: Json | undefined): string | undefined {
  return textOf(value)?.trim() || undefined;
}

interface Words {
  readonly top: JsonObject;
  readonly specific: JsonObject;
}

function sayDecision(decision: Decision, { refuse }: Answer): Words | undefined {
  if (decision.kind === 'pass') return { top: {}, specific: {} };
  if (decision.kind === 'allow') {
    const message = decision.reason === undefined ? {} : { message: decision.reason };
    return refuse === 'behavior' ? { top: {}, specific: { decision: { behavior: 'allow', ...message } } } : undefined;
  }
  if (decision.kind !== 'deny') return undefined;
  // A blank reason would make Codex take the answer for none.
  const reason = decision.reason.trim() === '' ? NO_REASON : decision.reason;
  switch (refuse) {
    case 'permissionDecision':
      return { top: {}, specific: { permissionDecision: 'deny', permissionDecisionReason: reason } };
    case 'behavior':
      return { top: {}, specific: { decision: { behavior: 'deny', message: reason } } };
    case 'continue':
      return { top: { continue: false, stopReason: reason }, specific: {} };
    case 'block':
      return { top: { decision: 'block', reason }, specific: {} };
    case null:
      return undefined;
  }
}

function sayEffect(effect: Effect, { refuse, contexts, halts }: Answer, { top, specific }: Words): Words | undefined {
  switch (effect.kind) {
    case 'rewrite':
      // It needs an `allow`, which a refusal leaves no place for.
      if (refuse !== 'permissionDecision' || (specific['permissionDecision'] ?? 'allow') !== 'allow') return undefined;
      return { top, specific: { ...specific, permissionDecision: 'allow', updatedInput: effect.value } };
    case 'context': {
      if (!contexts || effect.at === 'start') return undefined;
      const before = specific['additionalContext'];
      return { top, specific: { ...specific, additionalContext: before === undefined ? effect.text : `${before}\n${effect.text}` } };
    }
    case 'notice':
      return top['systemMessage'] === undefined ? { top: { ...top, systemMessage: effect.text }, specific } : undefined;
    case 'halt':
      if (!halts || refuse === 'continue') return undefined;
      return top['continue'] === false ? { top, specific } : { top: { ...top, continue: false, stopReason: effect.reason }, specific };
    default:
      return undefined;
  }
}
