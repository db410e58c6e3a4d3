/** An agent that bundles Hookline keeps every guard. Here with the bundlers of this project; `npm run test:bundlers` has the others. */
import { expect, test } from 'vitest';
import { BUNDLERS, OPTIONAL } from '../../bundlers/bundlers.ts';
import { describeBundlers } from '../../bundlers/laws.ts';
import { runBundled } from '../../bundlers/run-bundled.ts';

const installed = BUNDLERS.filter(({ packages }) => packages === undefined);

describeBundlers(installed);

test.each(installed.slice(0, 1))('a bundle of $name finds the optional packages that are installed next to it', async (bundler) => {
  const { held, heldInPostgres } = (await runBundled(bundler, OPTIONAL)).report;
  expect(held).toEqual({ decision: 'hold', reason: 'A person decides.', stored: 1 });
  // No server listens there, so the action is denied.
  expect(heldInPostgres).toEqual({ decision: 'deny', reason: expect.stringContaining('ECONNREFUSED'), stored: 0 });
});
