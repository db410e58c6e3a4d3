/** Runs files of tests, one case after the other, and collects the results and the coverage. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openHookline } from '../api/create-hookline.ts';
import type { ListedHook } from '../api/hookline.ts';
import type { GroupedOptions } from '../api/options.ts';
import { DIALECTS, HOSTS } from '../builtins.ts';
import type { Diagnostic } from '../core/values/diagnostic.ts';
import { readText } from '../load/find/read-text.ts';
import { type CoveredHook, coverageOf } from './coverage.ts';
import { readTestFile } from './read-test.ts';
import { type CaseResult, runCase } from './run-case.ts';
import { selectHooks } from './select-hooks.ts';
import type { TestFile } from './test-file.ts';

/** A file of tests and the hooks that it is about. */
export interface PlannedFile {
  readonly test: TestFile;
  readonly hooks: readonly ListedHook[];
  /** Why its cases cannot run. */
  readonly problems: readonly Diagnostic[];
}

export interface TestPlan {
  readonly files: readonly PlannedFile[];
  /** The hooks of the project, and the other hooks that are tested. */
  readonly hooks: readonly ListedHook[];
  /** Problems of hook files. */
  readonly diagnostics: readonly Diagnostic[];
}

export interface FileResult {
  readonly file: string;
  /** A file that cannot be used counts as a failure. */
  readonly problems: readonly Diagnostic[];
  readonly cases: readonly CaseResult[];
}

export interface TestRun {
  readonly files: readonly FileResult[];
  readonly passed: number;
  readonly failed: number;
  readonly coverage: readonly CoveredHook[];
}

export interface TestOptions {
  readonly root: string;
  /** Which hooks are found, and which are trusted. */
  readonly engine: GroupedOptions;
}

/** A file of tests, by its path, and its text if it is not read from there. */
export type GivenFile = string | { readonly file: string; readonly text: string };

/** Reads the files and finds their hooks. Runs nothing. */
export async function planTests(files: readonly GivenFile[], { root, engine }: TestOptions): Promise<TestPlan> {
  const { hooks, diagnostics } = await listHooks(root, engine);
  const hosts = HOSTS.map(({ id }) => id);
  const planned = files.map((given): PlannedFile => {
    const file = typeof given === 'string' ? given : given.file;
    const read = typeof given === 'string' ? readText(given) : given;
    if (!read || 'problem' in read)
      return { test: { file, cases: [], diagnostics: [] }, hooks: [], problems: [read?.problem ?? missing(file)] };
    const test = readTestFile(file, read.text, DIALECTS, hosts);
    const errors = test.diagnostics.filter(({ severity }) => severity === 'error');
    const selected = selectHooks(test, hooks);
    const problems = [...errors, ...('severity' in selected ? [selected] : [])];
    return { test, hooks: 'severity' in selected ? [] : selected, problems };
  });
  const tested = new Set(planned.flatMap((file) => file.hooks));
  return { files: planned, hooks: hooks.filter((hook) => OF_PROJECT.has(hook.source.scope) || tested.has(hook)), diagnostics };
}

const OF_PROJECT: ReadonlySet<string> = new Set(['project', 'skill', 'plugin']);

/** @param onFile called after each file, so that a person sees results early */
export async function runTests(plan: TestPlan, { root, engine }: TestOptions, onFile?: (result: FileResult) => void): Promise<TestRun> {
  const files: FileResult[] = [];
  for (const { test, hooks, problems } of plan.files) {
    const cases: CaseResult[] = [];
    if (problems.length === 0)
      for (const one of test.cases)
        for (const host of one.hosts.length === 0 ? [undefined] : one.hosts) cases.push(await runCase(one, host, { root, engine, hooks }));
    const result = { file: test.file, problems, cases };
    files.push(result);
    onFile?.(result);
  }
  const cases = files.flatMap((file) => file.cases);
  const active = plan.hooks.filter(({ state }) => state !== 'disabled' && state !== 'nothing to run');
  return {
    files,
    passed: cases.filter(({ passed }) => passed).length,
    failed: cases.filter(({ passed }) => !passed).length + files.filter(({ problems }) => problems.length > 0).length,
    coverage: coverageOf(active, cases),
  };
}

async function listHooks(root: string, engine: GroupedOptions) {
  const stateFolder = mkdtempSync(path.join(tmpdir(), 'hookline-test-'));
  try {
    const { hookline } = await openHookline({ ...engine, root, store: 'memory:' }, process.env, { stateFolder, keep: () => true });
    const listed = await hookline.list();
    await hookline.close(0);
    return listed;
  } finally {
    rmSync(stateFolder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function missing(file: string): Diagnostic {
  return { severity: 'error', code: 'not-found', file, message: 'There is nothing at this path.', hint: 'Check the path.' };
}
