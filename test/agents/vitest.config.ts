/** The agents themselves, from npm: `npm run test:hosts`. Not a part of the tests that must pass everywhere. */
import { defineConfig } from 'vitest/config';

// biome-ignore lint/style/noDefaultExport: vitest reads the default export.
export default defineConfig({
  test: {
    // Shows what was skipped, and why.
    reporters: ['verbose'],
    pool: 'forks',
    maxWorkers: 1,
    hookTimeout: 600_000,
    include: ['test/agents/**/*.test.ts'],
    globalSetup: ['test/support/build-once.ts'],
  },
});
