/** What a handler's answer means: ok, deny with a reason, or pending with a state. Never more: skillkit hooks do not change data. */
import { NO_OPINION, type Verdict } from '../../core/decision.ts';
import { asJson, isObject, type Json, textOf } from '../../core/json.ts';
import { isGate } from './profile.ts';

const NO_REASON = 'The hook denied this without giving a reason.';
const WAITING = 'The hook suspended this: it waits for approval.';

/** What an HTTP server answered. Only `deny` and `pending` say anything; all else lets the action proceed. */
export function decodeReply(value: Json): Verdict {
  if (!isObject(value)) return NO_OPINION;
  const reason = textOf(value['reason'])?.trim() || undefined;
  if (value['decision'] === 'deny') return deny(reason);
  if (value['decision'] === 'pending') return hold(value['state'], reason);
  return NO_OPINION;
}

/** What a function or a custom handler returned. After the action a return value is ignored, so it can't be wrong either. */
export function decodeValue(value: unknown, nativeEvent: string): Verdict | string {
  if (value === 'ok' || value === undefined) return NO_OPINION;
  if (isObject(value)) {
    if (Object.hasOwn(value, 'deny')) return deny(textOf(value['deny'])?.trim() || undefined);
    if (Object.hasOwn(value, 'pending')) return hold(value['pending']);
  }
  if (!isGate(nativeEvent)) return NO_OPINION;
  return `A hook must return 'ok', { deny: reason } or { pending: state }; this one returned ${shown(value)}.`;
}

function deny(reason: string = NO_REASON): Verdict {
  return { decision: { kind: 'deny', reason }, effects: [] };
}

function hold(given: unknown, reason: string = WAITING): Verdict {
  const state = asJson(given);
  return { decision: { kind: 'hold', reason, ...(state !== undefined && { state }) }, effects: [] };
}

function shown(value: unknown): string {
  const text = JSON.stringify(asJson(value)) ?? typeof value;
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
