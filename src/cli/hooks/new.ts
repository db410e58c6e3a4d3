/** `hookline new`: writes a working hook and its test, in any format. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { createHookline } from '../../api/create-hookline.ts';
import { AGENTS } from '../../builtins.ts';
import type { Agent } from '../../core/contracts/agent.ts';
import { quotedPath } from '../../core/values/quoted-path.ts';
import { suggest } from '../../core/values/suggest.ts';
import { resolveHome } from '../../load/find/home.ts';
import { type Arguments, hasFlag, optionValue, usageError } from '../arguments.ts';
import { type CommandResult, type CommandSpec, EXIT } from '../command.ts';
import { engineOptions, readRoot } from '../engine-options.ts';
import { problemText } from '../failure.ts';
import { HELP_OPTION, HOME_OPTION, JSON_OPTION } from '../options.ts';
import { jsonDocument } from '../output.ts';
import { terminalStyle } from '../print/style.ts';
import { oneLine, shortName } from '../print/text.ts';
import { nameInTest, newHook, type WrittenNew, writeNew } from './new-files.ts';

export { newSpec as spec };

export async function run(args: Arguments): Promise<CommandResult> {
  const [format = '', name = ''] = args.positionals;
  const agent = agentNamed(format);
  if (!NAME.test(name))
    throw usageError(
      `\`${oneLine(name)}\` cannot be the name of a hook.`,
      'Use at most 64 lower-case letters, digits and hyphens: `no-force-push`.',
    );
  const { home } = resolveHome({ home: optionValue(args, 'home') }, process.env);
  const root = readRoot(args);
  const at = (file: string): string => (file.startsWith('~/') ? path.join(home, file.slice(2)) : path.join(root, file));
  const scaffold = await (agent.dialect.scaffold as NonNullable<Agent['dialect']['scaffold']>)();
  const made = await newHook(agent, name, scaffold, (file) => existsSync(at(file)));
  const { files, entry } = writeNew(made, root, home);
  const isAdded = entry && 'text' in entry.result;
  const place = entry && isAdded ? entry.result : { line: 1, column: 1 };
  if (made.among !== undefined && (!entry || isAdded)) await chooseInTest(args, agent, { ...place, file: at(made.among) }, at(made.test));
  const exit = entry && !isAdded ? EXIT.negative : EXIT.ok;
  if (hasFlag(args, 'json')) return { exit, out: jsonDocument({ format: agent.id, name, files, ...(entry && { entry: asJson(entry) }) }) };
  const style = terminalStyle();
  const added = entry && isAdded ? [`  ${style.green('~')} ${shortName(entry.file)}:${entry.result.line}:${entry.result.column}`] : [];
  const lines = [...added, ...files.map((file) => `  ${style.green('+')} ${shortName(file)}`)];
  if (entry && !isAdded) return { exit, out: `${lines.join('\n')}\n`, err: toPaste(entry) };
  const isOfUser = made.test.startsWith('~/');
  const where = isOfUser ? ` ${quotedPath(path.join(home, made.test.slice(2)))}` : '';
  const next = isOfUser
    ? `\`hookline test${where}\` runs its test.`
    : '`hookline test` shows the hook, asks whether you trust it, and runs its test.';
  return { exit: EXIT.ok, out: `${lines.join('\n')}\n\n${style.cyan('next:')} ${next}\n` };
}

type Entry = NonNullable<WrittenNew['entry']>;

function asJson({ file, result, snippet }: Entry): object {
  const { line, column } = result;
  return 'problem' in result ? { file, added: false, line, column, problem: result.problem, snippet } : { file, added: true, line, column };
}

interface HookPlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** The file or its folder has hooks of others, which this test must not ask. */
async function chooseInTest(args: Arguments, agent: Agent, place: HookPlace, test: string): Promise<void> {
  const hookline = await createHookline({ ...engineOptions(args), store: 'memory:' });
  const { hooks } = await hookline.list();
  await hookline.close(0);
  const isFrom = ({ line = 0, column = 0 }): boolean => line > place.line || (line === place.line && column >= place.column);
  const own = hooks.find(({ dialect, source }) => dialect === agent.id && source.file === place.file && isFrom(source));
  if (own) nameInTest(test, own.name);
}

function toPaste({ file, result, snippet }: Entry): string {
  const problem = 'problem' in result ? result.problem : '';
  const message = `The hook cannot be added to ${file}:${result.line}:${result.column}: ${problem}`;
  return `${problemText({ message, hint: 'Fix the file, and add this to it:' })}\n${snippet}`;
}

/** The strictest rule of all formats. It also keeps the names of files short enough for every file system. */
const NAME = /^(?=.{1,64}$)[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;

function agentNamed(format: string): Agent {
  const found = AGENTS.find(({ id }) => id === format);
  if (found?.dialect.scaffold) return found;
  const known = AGENTS.filter(({ dialect }) => dialect.scaffold !== null).map(({ id }) => id);
  const near = suggest(format, known);
  if (found)
    throw usageError(`The hooks of \`${format}\` are code of that agent, which Hookline does not run.`, `Formats: ${known.join(', ')}.`);
  throw usageError(`There is no format \`${oneLine(format)}\`.`, near ? `Did you mean \`${near}\`?` : `Formats: ${known.join(', ')}.`);
}

/** The specification of `hookline new`. */
export const newSpec: CommandSpec = {
  name: 'new',
  summary: 'Write a working hook and its test, in any format.',
  takes: '<format> <name>',
  words: { min: 2, max: 2, missing: 'The format and the name are missing. Write, for example, `hookline new agenthooks no-force-push`.' },
  options: [{ name: 'root', value: 'DIR', help: 'The project. Default: the working directory.' }, HOME_OPTION, JSON_OPTION, HELP_OPTION],
  notes: [
    `Formats: ${AGENTS.filter(({ dialect }) => dialect.scaffold !== null)
      .map(({ id }) => id)
      .join(', ')}.`,
    'The hook denies a force push; change it to what you need. A file that exists is never changed, unless the format has one file for all hooks: it gets an entry, and the rest stays byte for byte. A script whose name is that of its event gets another ending if the name is taken. The schemas that the files name are for editors, in `.hookline/schemas`.',
  ],
  examples: [
    { does: 'A HOOK.md for every agent', line: 'hookline new agenthooks no-force-push' },
    { does: 'An entry in the settings of Claude Code', line: 'hookline new claude-code no-force-push' },
  ],
};
