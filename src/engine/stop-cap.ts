/** Counts, per session, how often in a row the agent was sent back to work, so that no hook can keep it going for ever. */
const MOST_SESSIONS = 10_000;

export interface StopCap {
  /** How often so far; the caller's own count wins where it is higher. */
  count(session: string, told: unknown): number;
  sentBack(session: string, count: number): void;
  reset(session: string): void;
}

export function createStopCap(): StopCap {
  const counts = new Map<string, number>();
  return {
    count(session, told) {
      const known = counts.get(session) ?? 0;
      return typeof told === 'number' && Number.isInteger(told) && told > known ? told : known;
    },
    sentBack(session, count) {
      if (counts.size >= MOST_SESSIONS && !counts.has(session)) counts.delete(counts.keys().next().value as string);
      counts.set(session, count + 1);
    },
    reset(session) {
      if (counts.size > 0) counts.delete(session);
    },
  };
}
