/**
 * The recipes in CONTRIBUTING.md are complete. A tiny dialect, host, handler and store are added to a copy of the project, in the places that
 * the recipes name and nowhere else. The types then hold, and the suite finds and passes each addition by itself.
 */
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codeIn, readPage, repository, tableUnder } from '../docs/pages.ts';

interface Recipe {
  readonly kind: 'dialect' | 'host' | 'handler' | 'store';
  readonly id: string;
  /** The number of places that it touches. */
  readonly places: number;
  /** Names of tests that run for the addition, or their beginnings. */
  readonly finds: readonly string[];
}

/** In this order: the host is added to the dialect. The files of each are in `test/fixtures/recipes/<kind>`, at their paths in the project. */
const RECIPES: readonly Recipe[] = [
  {
    kind: 'dialect',
    id: 'pebble',
    places: 4,
    finds: [
      'dialect pebble the profile is plain data',
      'dialect pebble a native payload of tool_start loses nothing',
      'dialect pebble a verdict that is rendered is interpreted as the same verdict',
      'deny-is-text: ',
      'every example runs docs/dialects/pebble.md',
      'docs/dialects/pebble.md has every event, its kinds and what it can do',
      'docs/dialects/pebble.md has every quirk',
      'README.md has every format that is read',
      'docs/events.md has the names of every kind in every agent',
      'pebble .pebble/hooks.json (hooks)',
      'pebble a file at .pebble/hooks.json is read by its owner',
      'pebble: its hook files does not switch it off',
      'every format that has hooks in files is attempted',
      'anything as .pebble/hooks.json loads into diagnostics',
      'no agent is named in shared code',
      'the payload of pebble says which tool and what input',
    ],
  },
  {
    kind: 'host',
    id: 'pebble',
    places: 1,
    finds: [
      'host pebble it has the id of its dialect',
      'host pebble nothing of a payload of tool_start is lost',
      'host pebble a denial, and a request for a person, never become consent',
      'has every host and what hooks can do there',
      'has what the hooks of every host never see',
      'every host says what its hooks never see',
      'Pebble is installed into, passes the canary, and is left as it was',
    ],
  },
  {
    kind: 'handler',
    id: 'memo',
    places: 3,
    finds: [
      'handler memo a hook that answers is returned as a reply',
      'handler memo a hook that cannot be run is a fault',
      'every built-in handler type is held to the contract',
      'docs/handlers.md has every handler type',
    ],
  },
  {
    kind: 'store',
    id: 'shared',
    places: 3,
    finds: [
      'store shared of many that settle one ticket at once, exactly one wins',
      'store shared an approval releases its action once',
      'store shared a closed store releases waiting callers',
      'docs/storage.md has every kind of store',
    ],
  },
];

/** The tests that run over the lists of agents, handlers and stores. */
const SUITE: readonly string[] = [
  'test/architecture.test.ts',
  'test/docs/docs.test.ts',
  'test/docs/hosts.test.ts',
  'test/flows/install/cli.test.ts',
  'test/flows/trust/never-replaced.test.ts',
  'test/laws/contracts.test.ts',
  'test/laws/pins/',
  'test/laws/properties/hostile-files.test.ts',
  'test/laws/stores.test.ts',
  'test/unit/agents/limits.test.ts',
  'test/unit/agents/pebble/',
  'test/unit/guard/rules/places.test.ts',
  'test/unit/guard/tools/tool-call.test.ts',
  'test/unit/load/find/hook-paths.test.ts',
];

/** Beginnings of tests on one agent, handler, store or page that is no addition. They run in the project itself, and here they only take time. */
const OTHERS: readonly string[] = [
  "every example runs (?!'?docs/dialects/pebble)",
  '(?:dialect|host) (?!pebble)',
  'handler (?!memo)',
  'store (?!shared)',
  'anything as (?!\\.pebble)',
  '(?!pebble)[a-z-]+: .* does not switch it off',
  "'(?!Pebble)[^']+' is installed into",
  '(?:install|doctor) ',
];
const WITHOUT_OTHERS = `^(?!${OTHERS.join('|')})`;

interface LineToAdd {
  readonly file: string;
  readonly after: string;
  readonly add: string;
}

interface Results {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

const fixtures = path.join(repository, 'test/fixtures/recipes');
const contributing = readPage('CONTRIBUTING.md');

describe.each(RECIPES)('the recipe for a $kind', (recipe) => {
  const places = placesOf(recipe);

  test(`its list has length ${recipe.places}`, () => {
    expect(places).toHaveLength(recipe.places);
  });

  test('names every file that it touches, and touches every place that it names', () => {
    const touched = touchedBy(recipe);
    expect(touched.filter((file) => !places.flat().some((place) => isAt(file, place)))).toEqual([]);
    expect(places.filter((paths) => !touched.some((file) => paths.some((place) => isAt(file, place))))).toEqual([]);
  });
});

describe('all recipes, carried out on a copy', () => {
  const copy = realpathSync(mkdtempSync(path.join(tmpdir(), 'hookline-recipes-')));
  afterAll(() => rmSync(copy, { recursive: true, force: true, maxRetries: 5 }));
  let tests: { readonly name: string; readonly status: string; readonly why: string }[] = [];

  beforeAll(async () => {
    copyProject(copy);
    for (const recipe of RECIPES) carryOut(recipe, copy);
    await run(copy, ['scripts/compile-rules.mjs']);
    await run(copy, ['node_modules/typescript/bin/tsc']);
    const vitest = ['node_modules/vitest/vitest.mjs', 'run'];
    await run(copy, [...vitest, '--project', 'whole', 'test/docs/docs.test.ts', 'test/docs/hosts.test.ts', '-t', WITHOUT_OTHERS], {
      UPDATE_DOCS: '1',
    });
    const results = path.join(copy, 'results.json');
    const failure = await run(copy, [
      ...vitest,
      ...SUITE,
      '-t',
      WITHOUT_OTHERS,
      '--no-isolate',
      '--reporter',
      'json',
      '--outputFile',
      results,
    ]).catch(String);
    tests = testsIn(results);
    if (typeof failure === 'string' && tests.every(({ status }) => status !== 'failed')) throw new Error(failure);
  });

  test('no test fails', () => {
    expect(tests.filter(({ status }) => status === 'failed')).toEqual([]);
  });

  test.each(RECIPES)('the suite finds the $kind, and it passes', ({ finds }) => {
    const passed = tests.filter(({ status }) => status === 'passed');
    expect(finds.filter((name) => !passed.some((one) => one.name.startsWith(name)))).toEqual([]);
  });

  test('no file differs from the project but those of the recipes and generated ones', () => {
    const touched = new Set(RECIPES.flatMap(touchedBy));
    const generated = tableUnder(contributing, 'Generated files').flatMap(([, writes]) => codeIn(writes));
    const differing = filesOf(copy).filter((file) => file !== 'results.json' && textOf(copy, file) !== textOf(repository, file));
    expect(differing.filter((file) => !touched.has(file) && !generated.includes(file))).toEqual([]);
    expect([...touched].filter((file) => !differing.includes(file))).toEqual([]);
  });
});

/** Returns the places of a recipe: for each item of its numbered list the paths that the item names. */
function placesOf({ kind, id }: Recipe): string[][] {
  const start = contributing.prose.indexOf(`## Add a ${kind}`);
  expect(start).toBeGreaterThan(-1);
  const length = contributing.prose.slice(start + 1).findIndex((line) => line.startsWith('## '));
  const places: string[][] = [];
  let isItem = false;
  for (const line of contributing.prose.slice(start + 1, start + 1 + length)) {
    if (/^\d+\. /.test(line)) places.push([]);
    // An item ends with the first line that is not indented.
    isItem = /^\d+\. /.test(line) || (isItem && /^( {3}|$)/.test(line));
    if (isItem) places.at(-1)?.push(...codeIn(line).filter((code) => /^(?:src|test|docs)\//.test(code)));
  }
  return places.map((paths) => paths.map((named) => named.replaceAll(/<(?:id|type)>/g, id)));
}

function isAt(file: string, place: string): boolean {
  return place.endsWith('/') ? file.startsWith(place) : file === place;
}

function touchedBy(recipe: Recipe): string[] {
  return [...new Set([...newFilesOf(recipe), ...linesOf(recipe).map(({ file }) => file)])];
}

function newFilesOf({ kind }: Recipe): string[] {
  return filesOf(path.join(fixtures, kind)).filter((file) => file !== 'lines.json');
}

function linesOf({ kind }: Recipe): LineToAdd[] {
  const text = textOf(path.join(fixtures, kind), 'lines.json');
  return text === undefined ? [] : JSON.parse(text);
}

function carryOut(recipe: Recipe, copy: string): void {
  for (const file of newFilesOf(recipe)) cpSync(path.join(fixtures, recipe.kind, file), path.join(copy, file));
  for (const { file, after, add } of linesOf(recipe)) {
    const lines = readFileSync(path.join(copy, file), 'utf8').split('\n');
    if (lines.filter((line) => line === after).length !== 1) throw new Error(`${file} must have one line ${after}`);
    lines.splice(lines.indexOf(after) + 1, 0, add);
    writeFileSync(path.join(copy, file), lines.join('\n'));
  }
}

function copyProject(copy: string): void {
  for (const file of filesOf(repository)) cpSync(path.join(repository, file), path.join(copy, file));
  symlinkSync(realpathSync(path.join(repository, 'node_modules')), path.join(copy, 'node_modules'), 'dir');
}

/** Returns the files of the project, without what is installed, built or kept by tools, and without these fixtures. */
function filesOf(folder: string, below = ''): string[] {
  return readdirSync(path.join(folder, below), { withFileTypes: true }).flatMap((entry) => {
    const name = path.posix.join(below, entry.name);
    if (entry.isFile()) return [name];
    const isOurs = entry.isDirectory() && (below !== '' || /^(?:bin|docs|examples|scripts|src|test|web)$/.test(name));
    return isOurs && name !== 'test/fixtures/recipes' ? filesOf(folder, name) : [];
  });
}

function textOf(folder: string, file: string): string | undefined {
  try {
    return readFileSync(path.join(folder, file), 'utf8');
  } catch {
    return undefined;
  }
}

/** Runs a program of Node in the copy. Rejects with its output if it fails. */
function run(copy: string, args: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<void> {
  // The variables of this test run would make the other one a part of it.
  const kept = Object.entries(process.env).filter(([name]) => !/^(?:VITEST|HOOKLINE_|UPDATE_DOCS|TEST$)/.test(name));
  const env = { ...Object.fromEntries(kept), ...more };
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [...args], { cwd: copy, env, maxBuffer: 2 ** 28 }, (error, stdout, stderr) => {
      if (error) reject(new Error(`${args.join(' ')}: ${error.code}\n${stdout.slice(-10_000)}\n${stderr.slice(-10_000)}`));
      else resolve();
    });
  });
}

/** Returns every test that ran; a file that could not be loaded counts as a failed test. */
function testsIn(file: string): { readonly name: string; readonly status: string; readonly why: string }[] {
  const { testResults } = JSON.parse(readFileSync(file, 'utf8')) as Results;
  return testResults.flatMap(({ name, status, message, assertionResults }) => [
    ...(status === 'failed' && assertionResults.every((one) => one.status !== 'failed') ? [{ name, status, why: message }] : []),
    // vitest quotes the values in a name.
    ...assertionResults.map((one) => ({ name: one.fullName.replaceAll("'", ''), status: one.status, why: one.failureMessages.join('\n') })),
  ]);
}
