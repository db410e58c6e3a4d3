/** Two projects: tests beside the code, which need no build, and tests of the whole, for which the program is built first. */
import { defineConfig } from 'vitest/config';

const common = {
  pool: 'forks',
  testTimeout: 30_000,
  hookTimeout: 60_000,
  exclude: ['**/node_modules/**', '**/dist/**', 'test/agents/**'],
} as const;

// biome-ignore lint/style/noDefaultExport: vitest reads the default export.
export default defineConfig({
  test: {
    // The tests start processes of their own; more workers would make their timeouts a matter of luck.
    maxWorkers: 2,
    projects: [
      { test: { ...common, name: 'beside', include: ['src/**/*.test.ts'] } },
      {
        test: {
          ...common,
          name: 'whole',
          include: ['test/**/*.test.ts'],
          globalSetup: ['test/build-once.ts', 'test/postgres/global-setup.ts'],
        },
      },
    ],
  },
});
