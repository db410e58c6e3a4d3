/** The agent SDKs themselves, from npm: `npm run test:sdks`. Not a part of the tests that must pass everywhere. */
import { defineConfig } from 'vitest/config';

// biome-ignore lint/style/noDefaultExport: vitest reads the default export.
export default defineConfig({
  test: {
    // Shows what was skipped, and why.
    reporters: ['verbose'],
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 900_000,
    hookTimeout: 900_000,
    include: ['test/sdks/**/*.test.ts'],
    globalSetup: ['test/support/build-once.ts'],
  },
});
