/**
 * Makes an event the engine's own: its payload is a frozen copy from then on. So neither the caller, which keeps the object that it passed, nor a
 * hook can change what is judged and recorded. It happens once and in place, when a hook or the log is about to see the event, because most
 * events concern neither.
 */
import type { HookEvent } from '../../core/event/event.ts';
import { HooklineError } from '../../core/values/errors.ts';
import { frozenCopy } from '../../core/values/frozen.ts';

/** @throws HooklineError `bad-payload` if the payload cannot be copied, because it contains itself or a part of it throws */
export function takeOver(event: HookEvent): void {
  if (Object.isFrozen(event)) return;
  try {
    (event as { data: HookEvent['data'] }).data = frozenCopy(event.data);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new HooklineError('bad-payload', `The payload of ${event.kind} is not JSON: ${why}.`, {
      hint: 'Give an object of plain values.',
    });
  }
  Object.freeze(event);
}

export function isBadPayload(error: unknown): boolean {
  return error instanceof HooklineError && error.code === 'bad-payload';
}
