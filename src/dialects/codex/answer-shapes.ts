/** Which keys an answer may have on each event: closed, as Codex's own schemas are. An event without a shape is not listened to. */
import { isObject, type Json, type JsonObject } from '../../core/json.ts';
import type { EventName } from './profile.ts';

export interface Answer {
  /** How a refusal is said. */
  readonly refuse: 'permissionDecision' | 'behavior' | 'block' | 'continue' | null;
  /** Keys beside those of every answer. */
  readonly top: readonly string[];
  /** Keys of `hookSpecificOutput` beside `hookEventName`. */
  readonly specific: readonly string[];
  /** Keys of every answer that fail it here. */
  readonly unsupported: readonly string[];
  readonly contexts: boolean;
  /** `continue: false` stops the run. */
  readonly halts: boolean;
  /** What text that is no JSON becomes. */
  readonly text: 'pass' | 'context';
}

const plain: Answer = { refuse: null, top: [], specific: [], unsupported: [], contexts: false, halts: false, text: 'pass' };
const starting: Answer = { ...plain, specific: ['additionalContext'], contexts: true, text: 'context' };
const stopping: Answer = { ...plain, refuse: 'block', top: ['decision', 'reason'], halts: true };

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
