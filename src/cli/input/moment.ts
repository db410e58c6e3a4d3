/** Moments as people type them: an age or a date. */
import { usageError } from '../arguments.ts';

const UNIT_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** Parses an age (`90s`, `15m`, `1h`, `30d`, `2w`) or an ISO date into milliseconds since the epoch. */
export function readMoment(option: string, written: string, now: number): number {
  const age = /^(\d+(?:\.\d+)?)\s*([smhdw])$/.exec(written.trim());
  if (age) return now - Number(age[1]) * (UNIT_MS[age[2] as string] as number);
  const at = /^\d{4}-\d{2}-\d{2}/.test(written.trim()) ? Date.parse(written.trim()) : Number.NaN;
  if (!Number.isNaN(at)) return at;
  throw usageError(
    `\`--${option}\` must be an age or a date, not \`${written}\`.`,
    `Write \`--${option} 1h\` (s, m, h, d, w) or \`--${option} 2026-01-31T12:00:00Z\`.`,
  );
}
