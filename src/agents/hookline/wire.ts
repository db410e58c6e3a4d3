/** A function hook gets the event itself, and returns its answer as a value. */

import type { Wire } from '../../core/contracts/dialect.ts';
import { type Decision, type Effect, NO_OPINION, type Verdict } from '../../core/decision/decision.ts';
import type { HookEvent } from '../../core/event/event.ts';
import { isObject, type Json, type JsonObject, textOf } from '../../core/values/json.ts';

/** The value that a function hook may return; nothing at all means no opinion. */
export interface HookAnswer {
  readonly decision?: 'pass' | 'allow' | 'ask' | 'hold' | 'deny';
  /** Why; wanted with `deny`, `ask` and `hold`. */
  readonly reason?: string;
  /** With `hold`: whatever the one who settles it should see. */
  readonly state?: Json;
  /** Takes the place of the tool's input, the prompt or the message. */
  readonly rewrite?: Json;
  /** Takes the place of what the tool, the subagent or the model brought back, or of what is shown. */
  readonly replace?: Json;
  /** Added to the agent's context. */
  readonly context?: string | readonly string[];
  /** Shown to the user. */
  readonly notice?: string;
  /** Keep this event out of logs. */
  readonly quiet?: boolean;
  /** Stop the whole run, and why. */
  readonly halt?: string;
}

const DECISIONS: readonly string[] = ['pass', 'allow', 'ask', 'hold', 'deny'];

export const wire: Wire = {
  eventKey: 'kind',
  // The event is JSON already; a function is shown it as it is.
  encodeEvent: (event) => event as HookEvent & JsonObject,
  decodeEvent: (nativeEvent, payload) => ({ kind: nativeEvent as HookEvent['kind'], data: payload }),
  decodeReply: decode,
  decodeValue: decode,
  encodeReply: () => undefined,
};

function decode(value: unknown): Verdict | string {
  if (value === undefined || value === null) return NO_OPINION;
  if (!isObject(value)) return 'a hook function returns an object such as `{ decision: "deny", reason }`, or nothing';
  const { decision: word } = value;
  if (word !== undefined && (typeof word !== 'string' || !DECISIONS.includes(word))) {
    return `\`decision\` must be one of ${DECISIONS.join(', ')}`;
  }
  const effects = effectsOf(value);
  if (effects.length === 0 && (word === undefined || word === 'pass')) return NO_OPINION;
  return { decision: decisionOf((word as Decision['kind'] | undefined) ?? 'pass', value), effects };
}

function decisionOf(kind: Decision['kind'], value: JsonObject): Decision {
  const reason = textOf(value['reason']);
  switch (kind) {
    case 'pass':
      return { kind };
    case 'allow':
      return reason === undefined ? { kind } : { kind, reason };
    case 'ask':
      return { kind, reason: reason ?? 'A hook wants a person to be asked.' };
    case 'hold':
      return {
        kind,
        reason: reason ?? 'A hook suspended this until a person approves.',
        ...(value['state'] !== undefined && { state: value['state'] }),
      };
    case 'deny':
      return { kind, reason: reason ?? 'Denied by a hook that gave no reason.' };
  }
}

function effectsOf(value: JsonObject): Effect[] {
  const effects: Effect[] = [];
  if (value['rewrite'] !== undefined) effects.push({ kind: 'rewrite', value: value['rewrite'] });
  if (value['replace'] !== undefined) effects.push({ kind: 'replace', value: value['replace'] });
  for (const text of [value['context']].flat()) if (typeof text === 'string') effects.push({ kind: 'context', text });
  const notice = textOf(value['notice']);
  if (notice !== undefined) effects.push({ kind: 'notice', text: notice });
  if (value['quiet'] === true) effects.push({ kind: 'quiet' });
  const halt = textOf(value['halt']);
  if (halt !== undefined) effects.push({ kind: 'halt', reason: halt });
  return effects;
}
