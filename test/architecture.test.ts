/** The edges of the design: who may import whom, and that shared code knows no dialect, no clock and no chance. */
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import extractDepcruiseOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';
import { expect, onTestFinished, test } from 'vitest';
import { DIALECTS } from '../src/builtins.ts';
import { type SourceText, sourcesOf, writeSkeleton } from './import-skeleton.ts';

const project = path.join(import.meta.dirname, '..');

test('every import keeps to the edges of the design', async () => {
  const folder = skeleton();
  const sources = writeSkeleton(project, folder);
  const { summary, modules } = await cruiseIn(folder);
  expect(summary.violations.map(({ from, to, rule }) => `${rule.name}: ${from} → ${to}`)).toEqual([]);
  expect(modules.filter(({ source }) => source.startsWith('src/'))).toHaveLength(sources.length);
});

test('an import that leaves them would be found', async () => {
  const folder = skeleton();
  writeSkeleton(project, folder);
  const forbidden = [
    ['src/core/json.js', 'node:fs', 'core-is-pure'],
    ['src/core/hook.js', '../engine/ports.js', 'core-is-pure'],
    ['src/engine/ports.js', '../dialects/arawn/index.js', 'engine-knows-core'],
    ['src/dialects/arawn/wire.js', '../hooktoml/profile.js', 'dialects-are-strangers'],
    ['src/dialects/arawn/load.js', 'yaml', 'dialects-are-strangers'],
    ['src/handlers/http/index.js', '../command/launch.js', 'handlers-are-strangers'],
    ['src/api/events.js', '../cli/exit-codes.js', 'nothing-imports-the-cli'],
    ['src/core/json.js', './facet.js', 'no-cycles'],
    ['src/testing/suite.js', 'vitest', 'no-dev-dependency-in-the-product'],
  ] as const;
  for (const [file, specifier] of forbidden) writeFileSync(path.join(folder, file), `import '${specifier}';\n`, { flag: 'a' });
  // A cycle is reported at one of its files, whichever comes first.
  const found = (await cruiseIn(folder)).summary.violations.map(({ from, rule: { name } }) =>
    name === 'no-cycles' ? name : `${name}: ${from}`,
  );
  const wanted = forbidden.map(([file, , rule]) => (rule === 'no-cycles' ? rule : `${rule}: ${file}`));
  expect(wanted.filter((one) => !found.includes(one))).toEqual([]);
});

test('no dialect is named in shared code', () => {
  const ids = DIALECTS.map(({ id }) => id).filter((id) => id !== 'hookline');
  const named = shared().flatMap(({ name, text }) =>
    ids.filter((id) => new RegExp(`['"\`]${id}['"\`:/]`).test(text)).map((id) => `${name}: ${id}`),
  );
  expect(named).toEqual([]);
});

test('the core has no clock, no chance, no process and no Node', () => {
  const worldly = /\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\bperformance\b|(?<!\.)\bprocess\.|\bsetTimeout\b|\bfetch\(|['"]node:/;
  const core = shared().filter(({ name }) => name.startsWith('src/core/'));
  expect(core.length).toBeGreaterThan(10);
  expect(core.filter(({ text }) => worldly.test(withoutComments(text))).map(({ name }) => name)).toEqual([]);
});

test('no file of the product is longer than 200 lines', () => {
  expect(
    sourcesOf(project)
      .filter(({ text }) => text.split('\n').length > 201)
      .map(({ name }) => name),
  ).toEqual([]);
});

function shared(): SourceText[] {
  return sourcesOf(project).filter(({ name }) => /^src\/(core|engine)\//.test(name));
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
}

function skeleton(): string {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'hookline-edges-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function cruiseIn(folder: string): Promise<ICruiseResult> {
  const options = await extractDepcruiseOptions(path.join(project, '.dependency-cruiser.cjs'));
  const { output } = await cruise(['src'], { ...options, baseDir: folder }, options.enhancedResolveOptions);
  // Without an output type the result is an object, not its text.
  return output as ICruiseResult;
}
