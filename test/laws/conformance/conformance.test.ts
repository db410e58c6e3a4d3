/** Every conformance case, through the built program, one test per hook system. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

const here = import.meta.dirname;
const cases = path.join(here, 'cases.json');
const systems = [...new Set((JSON.parse(readFileSync(cases, 'utf8')) as { system: string }[]).map(({ system }) => system))];

interface Result {
  readonly id: string;
  readonly ok: boolean;
  readonly failures: readonly string[];
}

describe.each(systems)('%s', (system) => {
  test('every case holds', async () => {
    const { passed, results } = await run(`^${system}-`);
    expect(results.filter(({ ok }) => !ok).map(({ id, failures }) => `${id}: ${failures.join('; ')}`)).toEqual([]);
    expect(passed).toBeGreaterThan(0);
  });
});

async function run(filter: string): Promise<{ readonly passed: number; readonly results: readonly Result[] }> {
  const args = [path.join(here, 'run.mjs'), cases, '--project', path.join(here, '../../..'), '--filter', filter, '--jobs', '4', '--json'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const text = (await child.stdout.setEncoding('utf8').toArray()).join('');
  return JSON.parse(text);
}
