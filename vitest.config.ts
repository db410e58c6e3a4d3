/** Unit tests, which need no build, and tests of the whole, for which the program is built first. */
import path from 'node:path';
import { defineConfig } from 'vitest/config';

const common = {
  pool: 'forks',
  // Only a test that never ends reaches these limits, however busy the machine is.
  testTimeout: 900_000,
  hookTimeout: 900_000,
  exclude: ['**/node_modules/**', '**/dist/**', 'test/agents/**', 'test/sdks/**', 'test/bundlers/**', 'test/fixtures/**'],
} as const;

/** Unit tests that need a process of their own: what a module keeps, or what is loaded, is their subject. */
const APART = [
  'test/unit/engine/select/linear-engine.test.ts',
  'test/unit/guard/audit/shared-file.test.ts',
  'test/unit/handlers/command/*.launched.test.ts',
  'test/unit/handlers/command/outlet.test.ts',
];

// biome-ignore lint/style/noDefaultExport: vitest reads the default export.
export default defineConfig({
  // The pages of the dashboard are built by the project's own script.
  optimizeDeps: { noDiscovery: true },
  test: {
    // The tests start processes of their own. More workers would make their timeouts unreliable.
    maxWorkers: 2,
    projects: [
      // In the same two processes: starting one for each file took longer than the tests.
      { test: { ...common, name: 'unit', isolate: false, include: ['test/unit/**/*.test.ts'], exclude: [...common.exclude, ...APART] } },
      { test: { ...common, name: 'apart', include: APART } },
      // The laws on the sources need no build, and `npm run check` runs them.
      { test: { ...common, name: 'laws', include: ['test/architecture.test.ts'] } },
      {
        // The sources have no worker next to them, so their tests use the built one.
        define: { __HOOKLINE_WORKER__: JSON.stringify(path.join(import.meta.dirname, 'dist/cli/worker-main.js')) },
        test: {
          ...common,
          name: 'whole',
          include: ['test/**/*.test.ts'],
          exclude: [...common.exclude, 'test/unit/**', 'test/architecture.test.ts'],
          globalSetup: ['test/support/build-once.ts', 'test/flows/postgres/global-setup.ts'],
        },
      },
    ],
  },
});
