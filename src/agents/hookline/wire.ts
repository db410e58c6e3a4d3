/** A function hook gets the event itself, and returns its answer as a value. */

import type { Wire } from '../../core/contracts/dialect.ts';
import type { HookEvent } from '../../core/event/event.ts';
import type { JsonObject } from '../../core/values/json.ts';
import { decodeAnswer } from './answer.ts';

export const wire: Wire = {
  eventKey: 'kind',
  // The event is JSON already, and frozen; all functions are shown the same one.
  encodeEvent: (event) => event as HookEvent & JsonObject,
  decodeEvent: (nativeEvent, payload) => ({ kind: nativeEvent as HookEvent['kind'], data: payload }),
  decodeReply: decodeAnswer,
  decodeValue: decodeAnswer,
  encodeReply: () => undefined,
};
