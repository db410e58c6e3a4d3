/** Encodes a verdict for Claude Code in the fewest fields that mean it. */

import type { Effect, Verdict } from '../../core/decision/decision.ts';
import type { HookEvent } from '../../core/event/event.ts';
import { isObject, type Json, type JsonObject } from '../../core/values/json.ts';

/**
 * Returns the replacement of a tool's output in the shape of that tool's own result. Claude Code ignores any other shape and shows the original, so
 * a text is placed where the result has its text. Undefined if that place is unknown.
 * @param result the tool's result, if it is known
 */
export function inShapeOf(result: Json | undefined, value: Json): Json | undefined {
  if (result === undefined || isAlike(result, value)) return value;
  if (typeof value !== 'string') return undefined;
  const block = [{ type: 'text', text: value }];
  if (Array.isArray(result)) return block;
  if (!isObject(result)) return undefined;
  const { stdout, file, content } = result;
  if (typeof stdout === 'string') return { ...result, stdout: value, stderr: '' };
  if (isObject(file) && typeof file['content'] === 'string') return { ...result, file: { ...file, content: value } };
  if (Array.isArray(content)) return { ...result, content: block };
  const key = ['content', 'result'].find((name) => typeof result[name] === 'string');
  return key === undefined ? undefined : { ...result, [key]: value };
}

function isAlike(result: Json, value: Json): boolean {
  if (isObject(result)) return isObject(value) && Object.keys(result).every((key) => hasKey(value, key));
  return Array.isArray(result) ? Array.isArray(value) : typeof result === typeof value;
}

function hasKey(value: JsonObject, key: string): boolean {
  return Object.hasOwn(value, key);
}

/** Returns undefined if the event cannot express the verdict. */
export function encodeReply({ decision, effects }: Verdict, nativeEvent: string, event?: HookEvent): Json | undefined {
  const sum = summed(effects);
  if (!sum) return undefined;
  const say = (Object.hasOwn(SPECIFIC, nativeEvent) ? SPECIFIC[nativeEvent] : undefined) ?? blocking;
  const parts = say(decision, sum, event);
  // Where there is no field for context, plain text is the only way to give it.
  if (!parts || (sum.context !== undefined && !TAKES_CONTEXT.has(nativeEvent))) return undefined;
  const { specific = {}, shared = {} } = parts;
  const own = { ...specific, ...(sum.context !== undefined && { additionalContext: sum.context }) };
  return {
    ...shared,
    ...(sum.halt !== undefined && { continue: false, stopReason: sum.halt }),
    ...(sum.notice !== undefined && { systemMessage: sum.notice }),
    ...(sum.quiet && { suppressOutput: true }),
    ...(Object.keys(own).length > 0 && { hookSpecificOutput: { hookEventName: nativeEvent, ...own } }),
  };
}

/** The sum of several effects. A second notice, or context at the start, cannot be expressed. */
interface Sum {
  readonly context?: string;
  readonly notice?: string;
  readonly halt?: string;
  readonly rewrite?: Json;
  readonly replace?: Json;
  readonly quiet: boolean;
}

interface ReplyParts {
  readonly shared?: JsonObject;
  readonly specific?: JsonObject;
}
type Say = (decision: Verdict['decision'], sum: Sum, event: HookEvent | undefined) => ReplyParts | undefined;

const TAKES_CONTEXT: ReadonlySet<string> = new Set([
  ...['PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'PostToolBatch', 'Notification', 'UserPromptSubmit', 'UserPromptExpansion'],
  ...['SessionStart', 'Setup', 'SubagentStart', 'PostModelSwitch'],
]);

const SPECIFIC: Readonly<Record<string, Say | undefined>> = {
  PreToolUse: permission,
  PreModelSwitch: permission,
  PermissionRequest: behavior,
  Elicitation: action,
  ElicitationResult: action,
  // quirk result-shape: a result that does not look like the tool's own is passed over without a word.
  PostToolUse(decision, { replace, ...sum }, event) {
    const output = replace === undefined ? undefined : inShapeOf(event?.data['result'], replace);
    if (replace !== undefined && output === undefined) return undefined;
    return replacing(decision, output === undefined ? sum : { ...sum, replace: output }, 'updatedToolOutput');
  },
  MessageDisplay: (decision, sum) => replacing(decision, sum, 'displayContent'),
  // Only its exit code says that there will be no worktree.
  WorktreeCreate: () => undefined,
};

function summed(effects: readonly Effect[]): Sum | undefined {
  const sum: { -readonly [K in keyof Sum]: Sum[K] } = { quiet: false };
  for (const effect of effects) {
    switch (effect.kind) {
      case 'context':
        if (effect.at === 'start' || effect.text === '') return undefined;
        sum.context = sum.context === undefined ? effect.text : `${sum.context}\n${effect.text}`;
        break;
      case 'notice':
        if (sum.notice !== undefined || effect.text === '') return undefined;
        sum.notice = effect.text;
        break;
      case 'halt':
        sum.halt ??= effect.reason;
        break;
      case 'rewrite':
      case 'replace':
        sum[effect.kind] = effect.value;
        break;
      case 'quiet':
        sum.quiet = true;
        break;
      case 'continue':
        return undefined;
    }
  }
  return sum;
}

function blocking(decision: Verdict['decision'], { rewrite, replace }: Sum): ReplyParts | undefined {
  if (rewrite !== undefined || replace !== undefined) return undefined;
  if (decision.kind === 'deny') return { shared: { decision: 'block', reason: decision.reason } };
  return decision.kind === 'pass' ? {} : undefined;
}

function permission(decision: Verdict['decision'], { rewrite, replace }: Sum): ReplyParts | undefined {
  if (replace !== undefined || decision.kind === 'hold') return undefined;
  const input = rewrite === undefined ? {} : { updatedInput: rewrite };
  if (decision.kind === 'pass') return { specific: input };
  const { kind, reason } = decision;
  return { specific: { permissionDecision: kind, ...(reason !== undefined && { permissionDecisionReason: reason }), ...input } };
}

function behavior(decision: Verdict['decision'], { rewrite, replace }: Sum): ReplyParts | undefined {
  if (replace !== undefined) return undefined;
  switch (decision.kind) {
    case 'pass':
      return rewrite === undefined ? {} : undefined;
    case 'allow':
      // There is no field for its reason.
      if (decision.reason !== undefined) return undefined;
      return { specific: { decision: { behavior: 'allow', ...(rewrite !== undefined && { updatedInput: rewrite }) } } };
    case 'deny':
      return rewrite === undefined ? { specific: { decision: { behavior: 'deny', message: decision.reason } } } : undefined;
    default:
      return undefined;
  }
}

function action(decision: Verdict['decision'], { rewrite, replace }: Sum): ReplyParts | undefined {
  if (rewrite !== undefined) return undefined;
  switch (decision.kind) {
    case 'pass':
      return replace === undefined ? {} : undefined;
    case 'allow':
      if (decision.reason !== undefined) return undefined;
      return { specific: { action: 'accept', ...(replace !== undefined && { content: replace }) } };
    case 'deny':
      // A reply with an action has no field for the reason; a block has both.
      return replace === undefined ? { shared: { decision: 'block', reason: decision.reason } } : undefined;
    default:
      return undefined;
  }
}

function replacing(decision: Verdict['decision'], { replace, ...sum }: Sum, key: string): ReplyParts | undefined {
  const parts = blocking(decision, sum);
  return parts && { ...parts, ...(replace !== undefined && { specific: { [key]: replace } }) };
}
