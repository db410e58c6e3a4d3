/** Remembers which hooks have answered in a session and ask to run only once in it. A hook whose answer cannot be stored is asked again. */

import type { Hook } from '../../core/contracts/hook.ts';
import type { Diagnostic } from '../../core/values/diagnostic.ts';

export const ASKED_ONCE = 'it asks to run once in a session, and has run';
const MOST_SESSIONS = 1_000;

export interface OnceMemory {
  has(session: string, hook: string): boolean;
  /** Returns why it cannot be kept as long as it should, or undefined if it is kept. */
  add(session: string, hook: string): string | undefined;
}

/** A memory that lasts as long as the engine. */
export function createOnceMemory(): OnceMemory {
  const answered = new Map<string, Set<string>>();
  return {
    has: (session, hook) => answered.get(session)?.has(hook) ?? false,
    add(session, hook) {
      const known = answered.get(session) ?? new Set();
      if (!answered.has(session) && answered.size >= MOST_SESSIONS) answered.delete(answered.keys().next().value as string);
      answered.set(session, known.add(hook));
      return undefined;
    },
  };
}

export function noteAsked(memory: OnceMemory, session: string, { id, name, once, source }: Hook, diagnostics: Diagnostic[]): void {
  const problem = once ? memory.add(session, id) : undefined;
  if (problem === undefined) return;
  diagnostics.push({
    severity: 'warning',
    code: 'once-not-noted',
    file: source.file,
    ...(source.line !== undefined && { line: source.line }),
    message: `Hook \`${name}\` asks to run once in a session, but its run could not be stored: ${problem}. It will run again.`,
    hint: 'Make the state folder writable.',
  });
}
