/** Durations in buckets: what is added in parts is the same as what is added at once, and percentiles are close. */
import { expect, test } from 'vitest';
import { addToBucket, addWritten, type Buckets, bucketOf, percentile, writeBuckets } from '../../../src/views/buckets.ts';

function filled(durations: readonly number[]): Buckets {
  const buckets: Buckets = new Map();
  for (const ms of durations) addToBucket(buckets, bucketOf(ms), 1);
  return buckets;
}

test('a percentile is within a tenth of the real one, from a tenth of a millisecond to minutes', () => {
  for (const scale of [0.15, 1, 40, 900, 120_000]) {
    const durations = Array.from({ length: 1000 }, (_, i) => scale * (1 + i / 500));
    for (const share of [0.5, 0.95]) {
      const real = durations[Math.ceil(durations.length * share) - 1] as number;
      expect(Math.abs((percentile(filled(durations), share) ?? 0) - real) / real, `${scale} ${share}`).toBeLessThan(0.1);
    }
  }
});

test('no durations have no percentile', () => {
  expect(percentile(new Map(), 0.5)).toBe(null);
});

test('durations that were written and added are those that were counted at once', () => {
  const [one, other] = [
    [0, 0.05, 3, 3, 70, 1e12],
    [3, 5000, 0],
  ];
  const added: Buckets = new Map();
  addWritten(added, writeBuckets(filled(one)));
  addWritten(added, writeBuckets(filled(other)));
  addWritten(added, '');
  expect(writeBuckets(added)).toBe(writeBuckets(filled([...one, ...other])));
});
