/** Remembers, per session and for as long as the engine lives, which hooks have answered that want to be asked once. */
export const ASKED_ONCE = 'it wants to be asked once in a session, and has been';
const MOST_SESSIONS = 1_000;

export interface OnceMemory {
  has(session: string, hook: string): boolean;
  add(session: string, hook: string): void;
}

export function createOnceMemory(): OnceMemory {
  const answered = new Map<string, Set<string>>();
  return {
    has: (session, hook) => answered.get(session)?.has(hook) ?? false,
    add(session, hook) {
      const known = answered.get(session) ?? new Set();
      if (!answered.has(session) && answered.size >= MOST_SESSIONS) answered.delete(answered.keys().next().value as string);
      answered.set(session, known.add(hook));
    },
  };
}
