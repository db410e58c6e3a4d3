/** The payload as one JSON text. It is sent whole or not at all, because half a payload could hide something from a guard. */

import { type Fault, fault } from '../../core/decision/reply.ts';
import type { JsonObject } from '../../core/values/json.ts';

/**
 * A payload that cannot be written at all (nested deeper than the stack) is `oversize` too: the hook cannot see it, so it must not
 * pass the hook.
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
    return fault('oversize', `the payload cannot be written as JSON: ${error instanceof Error ? error.message : 'unknown cause'}`);
  }
  // No character takes more than three bytes per UTF-16 unit, so most texts need no counting.
  if (text.length * 3 <= limitBytes) return text;
  const bytes = Buffer.byteLength(text);
  return bytes <= limitBytes ? text : fault('oversize', `the payload has ${bytes} bytes; at most ${limitBytes} are sent to a hook`);
}
