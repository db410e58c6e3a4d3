/**
 * Durations, counted in buckets that each are a fifth longer than the one before. Buckets of several hours are added, and still give the
 * median and the 95th percentile within about 10 %.
 */

export type Buckets = Map<number, number>;

const FACTOR = Math.log(1.2);
/** The upper end of the first bucket, in milliseconds. */
const SHORTEST = 0.1;
/** More than half an hour. */
const LAST = 92;

export function bucketOf(ms: number): number {
  return ms <= SHORTEST ? 0 : Math.min(LAST, Math.ceil(Math.log(ms / SHORTEST) / FACTOR));
}

export function addToBucket(buckets: Buckets, bucket: number, count: number): void {
  buckets.set(bucket, (buckets.get(bucket) ?? 0) + count);
}

/** Adds buckets that were written as text. */
export function addWritten(buckets: Buckets, text: string): void {
  if (text === '') return;
  for (const part of text.split(' ')) {
    const colon = part.indexOf(':');
    addToBucket(buckets, Number.parseInt(part.slice(0, colon), 36), Number.parseInt(part.slice(colon + 1), 36));
  }
}

export function writeBuckets(buckets: Buckets): string {
  return [...buckets]
    .sort(([one], [other]) => one - other)
    .map(([bucket, count]) => `${bucket.toString(36)}:${count.toString(36)}`)
    .join(' ');
}

/** Returns the duration below which this share of all durations is; null if there are none. */
export function percentile(buckets: Buckets, share: number): number | null {
  let total = 0;
  for (const count of buckets.values()) total += count;
  if (total === 0) return null;
  let left = Math.ceil(total * share);
  for (const [bucket, count] of [...buckets].sort(([one], [other]) => one - other)) {
    left -= count;
    if (left <= 0) return middleOf(bucket);
  }
  return null;
}

function middleOf(bucket: number): number {
  return bucket === 0 ? SHORTEST / 2 : SHORTEST * Math.exp((bucket - 0.5) * FACTOR);
}
