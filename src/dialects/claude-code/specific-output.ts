/** `hookSpecificOutput`: what an event permits beyond the fields that all share. What it does not permit there is not looked at. */
import { type Decision, type Effect, NO_OPINION, PASS, type Verdict } from '../../core/decision.ts';
import { isObject, type Json, type JsonObject } from '../../core/json.ts';

const NO_REASON = 'The hook refused this without giving a reason.';
const ASKED = 'The hook wants a person to be asked.';

/** quirk stop-context: here it is what the agent goes on with. */
const GOES_ON: readonly string[] = ['Stop', 'SubagentStop'];

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

function readPermission({ permissionDecision: said, permissionDecisionReason: why, updatedInput: input }: JsonObject): Verdict | string {
  const effects: Effect[] = isObject(input) ? [{ kind: 'rewrite', value: input }] : [];
  if (input !== undefined && effects.length === 0) return '`updatedInput` must be an object.';
  if (why !== undefined && typeof why !== 'string') return '`permissionDecisionReason` must be text.';
  const reason = textIn(why);
  switch (said) {
    case undefined:
      return { decision: PASS, effects };
    case 'allow':
      return { decision: { kind: 'allow', ...(reason !== undefined && { reason }) }, effects };
    case 'deny':
      return { decision: { kind: 'deny', reason: reason ?? NO_REASON }, effects };
    // quirk defer-asks: whoever puts it off wants somebody else to decide.
    case 'ask':
    case 'defer':
      return { decision: { kind: 'ask', reason: reason ?? ASKED }, effects };
    default:
      return `\`permissionDecision\` must be "allow", "deny", "ask" or "defer", found ${JSON.stringify(said).slice(0, 60)}.`;
  }
}

function readBehavior(decision: Json | undefined): Verdict | string {
  if (decision === undefined || decision === null) return NO_OPINION;
  if (!isObject(decision)) return '`decision` must be an object with a `behavior`.';
  const { behavior, updatedInput: input, message, interrupt } = decision;
  const effects: Effect[] = isObject(input) ? [{ kind: 'rewrite', value: input }] : [];
  if (behavior === 'allow') return { decision: { kind: 'allow' }, effects };
  if (behavior !== 'deny') return `\`behavior\` must be "allow" or "deny", found ${JSON.stringify(behavior ?? null).slice(0, 60)}.`;
  const reason = textIn(message) ?? NO_REASON;
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
