/** The page on scale is what the simulation says, and the simulation follows the costs that were measured. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { repository } from './pages.ts';

const simulation = await import(path.join(repository, 'scripts/simulate.mjs'));
const read = (name: string): string => readFileSync(path.join(repository, 'docs', name), 'utf8');
const costs = simulation.costsFrom(JSON.parse(read('performance.json')));

test('docs/scale.md has the tables of the simulation', () => {
  expect(simulation.written(read('scale.md'), simulation.tables(costs))).toBe(read('scale.md'));
});

test('a log that costs ten times as much carries a tenth of the developers', () => {
  const reached = (ms: number): number =>
    simulation.limits({ ...costs, postgresMs: ms }).find(([name]: [string]) => name === 'one log in Postgres')[2];
  expect(reached(10) / reached(1)).toBeCloseTo(0.1, 1);
});

test('an entry waits longer the fuller the log is, and beyond its capacity the page says so', () => {
  const at = (developers: number) => simulation.simulate(developers, { ...costs, postgresMs: 2 });
  const [small, large, over] = [at(200), at(2_000), at(100_000)];
  expect(small.p99).toBeLessThan(large.p99);
  expect(over.load).toBeGreaterThan(1);
  expect(over.logs * 0.7).toBeGreaterThanOrEqual(over.load);
});
