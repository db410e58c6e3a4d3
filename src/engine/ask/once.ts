/** Which hooks have answered in a session that want to be asked once in it. That it can't be kept never makes a hook be skipped. */

import type { Hook } from '../../core/contracts/hook.ts';
import type { Diagnostic } from '../../core/values/diagnostic.ts';

export const ASKED_ONCE = 'it wants to be asked once in a session, and has been';
const MOST_SESSIONS = 1_000;

export interface OnceMemory {
  has(session: string, hook: string): boolean;
  /** Answers why it can't be kept as long as it should, if it can't. */
  add(session: string, hook: string): string | undefined;
}

/** For as long as the engine lives. */
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
    message: `Hook \`${name}\` wants to be asked once in a session, and that it was could not be noted: ${problem}. It will be asked again.`,
    hint: 'Let the state folder be written.',
  });
}
