/** Reads a length of time: `90s`, `30m`, `2h`, `1d`, or a number of milliseconds. */
import { HooklineError } from '../../core/values/errors.ts';

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** @param name the option that has the value, for the error */
export function readDuration(value: string | number, name: string): number {
  const [, count, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(String(value).trim()) ?? [];
  const ms = typeof value === 'number' ? value : Number(count) * (UNITS[unit ?? ''] ?? Number.NaN);
  if (Number.isFinite(ms) && ms > 0) return ms;
  throw new HooklineError('bad-option', `\`${name}\` must be a length of time, not \`${value}\`.`, {
    hint: `Write, for example, \`${name}: '30m'\`. Units: ${Object.keys(UNITS).join(', ')}.`,
  });
}
