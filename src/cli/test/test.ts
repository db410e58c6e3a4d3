/** `hookline test`: runs the tests of hooks, without an agent. Only trusted hooks run; at a terminal it asks for trust first. */

import { existsSync } from 'node:fs';
import path from 'node:path';
import { suggest } from '../../core/values/suggest.ts';
import { findTests } from '../../hooktest/find-tests.ts';
import { planTests, runTests, type TestOptions, type TestPlan, type TestRun } from '../../hooktest/run-tests.ts';
import { type Arguments, hasFlag, optionValue, usageError } from '../arguments.ts';
import { type CommandResult, type CommandSpec, EXIT, type ExitCode } from '../command.ts';
import { engineOptions } from '../engine-options.ts';
import { problemText } from '../failure.ts';
import { add } from '../hooks/trust-add.ts';
import { isInteractive, trustTask } from '../hooks/trust-task.ts';
import { HELP_OPTION, JSON_OPTION, LOAD_OPTIONS } from '../options.ts';
import { write } from '../output.ts';
import { REPORTERS, type ReporterName } from './reporters.ts';

export { testSpec as spec };

export async function run(args: Arguments): Promise<CommandResult> {
  const reporter = readReporter(args);
  const [given] = args.positionals;
  const engine = engineOptions(args);
  const task: TestTask = {
    args,
    options: { root: engine.root as string, engine },
    path: path.resolve(given ?? (engine.root as string)),
    reporter,
  };
  if (!existsSync(task.path)) throw usageError(`There is nothing at ${task.path}.`, 'Name a file of tests, a hook file, or a folder.');
  if (hasFlag(args, 'watch')) {
    const { watchTests } = await import('./watch.ts');
    return watchTests(task.options.root, async () => (await runOnce(task)).exit);
  }
  return runOnce(task, true);
}

interface TestTask {
  readonly args: Arguments;
  readonly options: TestOptions;
  readonly path: string;
  readonly reporter: ReporterName;
}

/** @param isWhole the result is returned and not written, for a command that ends with it */
async function runOnce(task: TestTask, isWhole = false): Promise<CommandResult> {
  const { options, reporter } = task;
  const files = findTests(task.path);
  const plan = await askTrust(task, await planTests(files, options), files);
  const done = await runTests(plan, options);
  const isProgram = reporter !== 'pretty';
  const exit: ExitCode = done.failed === 0 && files.length > 0 ? EXIT.ok : EXIT.negative;
  const result: CommandResult = {
    exit,
    out: REPORTERS[reporter](done),
    err: files.length === 0 ? nothing(task, done) : '',
    ...(isProgram && { verbatim: true }),
  };
  if (isWhole) return result;
  await write(1, result.out ?? '');
  await write(2, result.err ?? '');
  return { exit };
}

function nothing({ path: folder }: TestTask, { coverage }: TestRun): string {
  const message = `There are no tests at ${folder}.`;
  const hint =
    coverage.length === 0
      ? '`hookline new` writes a hook and its test.'
      : 'Write `<name>.hooktest.yaml` next to a hook. `hookline new` writes an example.';
  return problemText({ message, hint });
}

/** Shows the hooks that are not trusted and asks for each, as `hookline trust add` does. Without a terminal their cases fail. */
async function askTrust({ args, options }: TestTask, plan: TestPlan, files: readonly string[]): Promise<TestPlan> {
  const open = new Set(plan.files.flatMap(({ hooks }) => hooks.filter(({ trust }) => trust === 'untrusted' || trust === 'modified')));
  if (open.size === 0 || !isInteractive() || hasFlag(args, 'json')) return plan;
  const answer = await add(trustTask(args, [...new Set([...open].map(({ source }) => source.file))], false));
  await write(1, answer.out ?? '');
  await write(2, answer.err ?? '');
  return planTests(files, options);
}

function readReporter(args: Arguments): ReporterName {
  const given = optionValue(args, 'reporter') ?? (hasFlag(args, 'json') ? 'json' : 'pretty');
  if (Object.hasOwn(REPORTERS, given)) return given as ReporterName;
  const names = Object.keys(REPORTERS);
  const near = suggest(given, names);
  throw usageError(`There is no reporter \`${given}\`.`, near ? `Did you mean \`${near}\`?` : `Reporters: ${names.join(', ')}.`);
}

/** The specification of `hookline test`. */
export const testSpec: CommandSpec = {
  name: 'test',
  summary: 'Run the tests of hooks, `<name>.hooktest.yaml`, without an agent. Exit 1 if one fails.',
  takes: '[path]',
  words: { min: 0, max: 1, missing: '' },
  options: [
    { name: 'watch', help: 'Run again after each change. `q` ends it.' },
    { name: 'reporter', value: 'NAME', help: 'How to print the results: pretty (default), json, junit or tap.' },
    ...LOAD_OPTIONS.filter(({ name }) => name !== 'store'),
    { ...JSON_OPTION, help: 'The same as `--reporter json`.' },
    HELP_OPTION,
  ],
  notes: [
    'A path is a file of tests, a hook file or a folder. Default: the project. Only the hooks next to a file of tests run, each case with a state, a home and a temporary folder of its own. Nothing is logged, and no action is held for people.',
    'Only trusted hooks run. At a terminal the command shows the others and asks. Elsewhere their cases fail; in CI, pass `--trust-lock`.',
    'Exit codes: 0 all cases passed, 1 a case failed, a file of tests is wrong, or there is no test, 64 wrong usage.',
  ],
  examples: [
    { does: 'Every test of the project', line: 'hookline test' },
    { does: 'The tests of one hook, again after each change', line: 'hookline test .agents/hooks/gate --watch' },
    { does: 'In CI', line: 'hookline test --trust-lock ../trusted-hooks.json --reporter junit' },
  ],
};
