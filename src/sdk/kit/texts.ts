/** The texts that a model gets in place of a result, and how context is added to a result. They are the same in every SDK. */
import { asSentence } from '../../core/decision/explain.ts';

/** A call that a hook denied, or that could not be checked. */
export function refusalText(reason: string): string {
  return `This call was denied and did not run. Reason: ${asSentence(reason)} Do not repeat it unchanged.`;
}

/** A call that waits for a person. */
export function heldText(ticket: string, reason: string): string {
  return `This call did not run: it waits for a person (ticket ${ticket}). Reason: ${asSentence(reason)} Do not work around it. Continue with other work, or tell the user that ticket ${ticket} waits.`;
}

/** A call that was resumed although no person has approved it. */
export function stillHeldText(ticket: string, reason: string): string {
  return `This call did not run: no person has approved it (ticket ${ticket} is open). Reason: ${asSentence(reason)} Do not work around it.`;
}

/** The tool ran, but the model may not see its result. */
export function withheldText(reason: string): string {
  return `The tool ran, but its result is withheld. Reason: ${asSentence(reason)}`;
}

/** Returns the result with texts for the model after it: the value itself if there are none, otherwise one text. */
export function withContext(result: unknown, context: readonly string[]): unknown {
  if (context.length === 0) return result;
  const text = typeof result === 'string' ? result : (JSON.stringify(result) ?? '');
  return [...(text === '' ? [] : [text]), ...context].join('\n\n');
}
