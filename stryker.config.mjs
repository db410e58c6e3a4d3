/**
 * Mutation tests, one room at a time: `MUTATION_ROOM=core/decision npm run test:mutation`.
 * A room is a folder below src/core, src/engine or src/trust. Without one, all three are mutated, which takes hours.
 * Results are kept per room in .stryker/, so that a second run tests only what changed.
 */
import { statSync } from 'node:fs';

const room = process.env.MUTATION_ROOM;
const rooms = room === undefined ? ['core', 'engine', 'trust'] : room.split(',');
const name = rooms.join('+').replaceAll('/', '-');

// biome-ignore lint/style/noDefaultExport: Stryker reads the default export.
export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'test/mutation/vitest.config.ts', related: true },
  mutate: rooms.map((each) => (isFile(`src/${each}`) ? `src/${each}` : `src/${each}/**/*.ts`)),
  ignorePatterns: ['dist', 'dist.*', 'docs', '.stryker', 'coverage'],
  tempDirName: '.stryker/sandbox',
  // Stryker rewrites paths in the tsconfig by a function that TypeScript 7 no longer has. Ours needs no rewriting, so it is not named.
  tsconfigFile: '.stryker/no-tsconfig.json',
  coverageAnalysis: 'perTest',
  incremental: true,
  incrementalFile: `.stryker/${name}.incremental.json`,
  reporters: ['progress-append-only', 'clear-text', 'json', 'html'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  jsonReporter: { fileName: `.stryker/${name}.json` },
  htmlReporter: { fileName: `.stryker/${name}.html` },
  concurrency: Number(process.env.MUTATION_CONCURRENCY ?? 1),
  timeoutMS: 20_000,
  thresholds: { high: 95, low: 85, break: 85 },
};

function isFile(file) {
  return statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
}
