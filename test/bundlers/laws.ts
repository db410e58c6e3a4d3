/** The laws of a bundled agent. */
import { expect, test } from 'vitest';
import type { Bundler } from './bundlers.ts';
import { runBundled, runPlain } from './run-bundled.ts';
import { expectEveryGuard, type Report } from './scene.ts';

export function describeBundlers(bundlers: readonly Bundler[]): void {
  let plain: Report;

  test('the agent has every guard in plain Node', () => {
    plain = runPlain();
    expectEveryGuard(plain);
  });

  test.each(bundlers)('the agent has every guard when $name bundles it ($setting)', async (bundler) => {
    const { report, warnings, files } = await runBundled(bundler);
    expect(warnings).toEqual([]);
    expectEveryGuard(report);
    expect(report).toEqual(plain);
    // The process that starts hooks for a large one is a file of the package. A bundle does without.
    expect(files).not.toContain('helper-main.js');
  });
}
