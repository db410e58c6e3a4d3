/**
 * The tests that mutants of a room are run against: the room's own unit tests and the fast laws on it. They run in process and need no
 * build. Tests of other rooms would kill more mutants, but each mutant would then take minutes, and a room is to hold its own lines.
 */
import { defineConfig } from 'vitest/config';

const LAWS: readonly (readonly [room: string, tests: readonly string[]])[] = [
  ['core/decision', ['test/laws/properties/decisions.test.ts']],
  ['core/meaning', ['test/laws/properties/render.test.ts']],
  ['core/values', ['test/laws/properties/decisions.test.ts']],
  ['engine', ['test/flows/engine/**/*.test.ts', 'test/flows/hosts/**/*.test.ts']],
];

const rooms = (process.env['MUTATION_ROOM'] ?? 'core,engine,trust').split(',').map((room) => room.replace(/(\/[^/]*)?\.ts$/, ''));
const overlaps = (one: string, other: string): boolean => `${one}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${one}/`);

// biome-ignore lint/style/noDefaultExport: vitest reads the default export.
export default defineConfig({
  test: {
    pool: 'forks',
    testTimeout: 30_000,
    hookTimeout: 60_000,
    maxWorkers: 1,
    include: rooms.flatMap((room) => [
      `test/unit/${room}/**/*.test.ts`,
      ...LAWS.filter(([law]) => overlaps(law, room)).flatMap(([, tests]) => tests),
    ]),
    setupFiles: ['test/mutation/few-runs.ts'],
  },
});
