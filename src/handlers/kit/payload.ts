/** The payload as one JSON text. It is whole or it is not sent: half a payload is a way around a guard. */

import { type Fault, fault } from '../../core/decision/reply.ts';
import type { JsonObject } from '../../core/values/json.ts';

/**
 * What can't be written at all (nested deeper than the stack) is `oversize` too: like one that is too long it can't be shown to
 * the hook, and must not slip past it.
 */
export function encodePayload(
  payload: JsonObject,
  limitBytes: number,
  write: (payload: JsonObject) => string = JSON.stringify,
): string | Fault {
  let text: string;
  try {
    text = write(payload);
  } catch (error) {
    return fault('oversize', `the payload can not be written as JSON: ${error instanceof Error ? error.message : 'unknown cause'}`);
  }
  // No character takes more than three bytes per UTF-16 unit, so most texts need no counting.
  if (text.length * 3 <= limitBytes) return text;
  const bytes = Buffer.byteLength(text);
  return bytes <= limitBytes ? text : fault('oversize', `the payload has ${bytes} bytes; at most ${limitBytes} are sent to a hook`);
}
