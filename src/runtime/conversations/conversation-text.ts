/** A conversation as the text that stores keep, and back. A text that is none is an error: it must not be begun anew. */
import { HooklineError } from '../../core/values/errors.ts';
import { isObject } from '../../core/values/json.ts';
import type { Conversation } from '../contract.ts';

export function conversationText(session: string, conversation: Conversation): string {
  return JSON.stringify({ version: 1, session, ...conversation }, asBase64);
}

/** @param place where the text is, for the message */
export function readConversation(place: string, text: string): Conversation {
  const unusable = (why: string): HooklineError =>
    new HooklineError('bad-conversation', `${place} ${why}.`, { hint: 'Restore it, or remove it to begin the conversation anew.' });
  let stored: unknown;
  try {
    stored = JSON.parse(text);
  } catch (error) {
    throw unusable(`is not JSON: ${(error as Error).message}`);
  }
  if (!isObject(stored) || stored['version'] !== 1 || !Array.isArray(stored['messages'])) throw unusable('is no conversation of version 1');
  const { messages, parked } = stored;
  return { messages: messages as unknown as Conversation['messages'], ...(parked !== undefined && { parked }) };
}

/** Bytes of a file in a message, in a form that the SDK accepts as well. */
function asBase64(this: unknown, key: string, value: unknown): unknown {
  const own = (this as Record<string, unknown>)[key];
  return own instanceof Uint8Array ? Buffer.from(own).toString('base64') : value;
}
