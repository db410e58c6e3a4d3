/** The bundlers from npm: `npm run test:bundlers`. Not a part of the tests that must pass everywhere. */
import { defineConfig } from 'vitest/config';

// biome-ignore lint/style/noDefaultExport: vitest reads the default export.
export default defineConfig({
  test: {
    reporters: ['verbose'],
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 900_000,
    include: ['test/bundlers/**/*.test.ts'],
    globalSetup: ['test/support/build-once.ts'],
  },
});
