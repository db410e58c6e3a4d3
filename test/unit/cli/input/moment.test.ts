import { expect, test } from 'vitest';
import { readMoment } from '../../../../src/cli/input/moment.ts';

const NOW = Date.UTC(2026, 0, 31);

test.each([
  ['90s', NOW - 90_000],
  ['15m', NOW - 900_000],
  ['1.5h', NOW - 5_400_000],
  ['30d', NOW - 30 * 86_400_000],
  ['2w', NOW - 14 * 86_400_000],
  ['2026-01-01', Date.UTC(2026, 0, 1)],
  ['2026-01-01T10:00:00Z', Date.UTC(2026, 0, 1, 10)],
])('%s is a moment', (written, at) => {
  expect(readMoment('since', written, NOW)).toBe(at);
});

test.each(['', 'yesterday', '5', '5y', '2026', '2026-99-99', '-1h'])('%j is wrong usage, never a guess', (written) => {
  expect(() => readMoment('since', written, NOW)).toThrow('`--since` must be an age or a date');
});
