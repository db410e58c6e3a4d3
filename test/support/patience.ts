/** Limits that a busy machine does not reach: only a condition that never holds does. */

export const LONG_MS = 600_000;

/** For `expect.poll` and `vi.waitFor`. */
export const POLL = { timeout: LONG_MS, interval: 50 };

/** Resolves as soon as the condition holds. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = performance.now() + LONG_MS; !(await holds()); await new Promise((resolve) => setTimeout(resolve, 10)))
    if (performance.now() > end) throw new Error(`the condition did not hold within ${LONG_MS} ms: ${holds}`);
}
