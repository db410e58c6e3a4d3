/** The entry of an act: something that a person, or Hookline for a person, did besides judging an event. */
import type { ActKind, LogRecord } from '../../core/record/decision-record.ts';
import type { Actor, Who } from '../../core/record/who.ts';
import { digestOf, type Hash } from '../../core/values/digest.ts';
import type { JsonObject } from '../../core/values/json.ts';
import { redact } from '../../core/values/redact.ts';

export interface Act {
  readonly id: string;
  readonly at: number;
  readonly kind: ActKind;
  /** Whether it was done. A refused act is recorded too. */
  readonly allowed: boolean;
  /** A sentence that says what was done or refused, and why. */
  readonly says: string;
  readonly data: JsonObject;
  readonly root: string;
  readonly who?: Who;
  readonly actor?: Actor;
  readonly session?: string;
  readonly tool?: string | null;
  readonly ticket?: string;
}

export function actRecord(act: Act, hash: Hash): LogRecord {
  const { id, at, kind, allowed, says, data, root, who, actor, session = '', tool = null, ticket = null } = act;
  const parts = { data: redact(data), reason: redact(says) };
  return {
    id,
    at,
    session,
    root,
    kind,
    tool,
    decision: allowed ? 'allow' : 'deny',
    reason: parts.reason.value as string,
    ticket,
    data: parts.data.value as JsonObject,
    masked: Object.entries(parts).flatMap(([name, { masked }]) => masked.map((pointer) => `/${name}${pointer}`)),
    outcome: {},
    digests: { event: digestOf(data, hash), hooks: '' },
    ms: 0,
    ...(who && { who }),
    ...(actor && { actor }),
  };
}
