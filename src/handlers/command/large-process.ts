/** Whether this process is so large that it had better not start others itself: that blocks it for longer the more memory it has. */

export function isLargeProcess(): boolean {
  const now = performance.now();
  if (now - lookedAt >= LOOK_MS) {
    large = process.memoryUsage.rss() >= LARGE_BYTES;
    lookedAt = now;
  }
  return large;
}

/** Here a start blocks for some 15 ms; through the helper a hook takes about one more than it does in a small process. */
const LARGE_BYTES = 300 * 1024 * 1024;
/** Looking costs a little, and memory does not change that fast. */
const LOOK_MS = 1000;
let lookedAt = Number.NEGATIVE_INFINITY;
let large = false;
