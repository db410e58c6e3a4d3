/** The files that a command runs: scripts that it names, and the files that build tools, task runners and test runners look for. */
import { posix } from 'node:path';
import type { Analysis } from '../shell/analyse.ts';
import { codeReaders } from '../shell/code-readers.ts';
import type { EffectiveCommand } from '../shell/machine.ts';
import { isTestFile, runsTests, toolWithFiles } from '../shell/programs/tools-with-files.ts';

/** A file, and the folder that it is relative to. */
type FileRun = readonly [path: string, cwd: string];

/** Programs that copy a file, or give it another name. */
export const COPIES = /^g?(?:cp|mv|ln|install|link)$/;

/** Returns the files that a command runs by their names. */
export function filesRun({ runs, commands }: Analysis): readonly FileRun[] {
  const direct = runs.filter(({ path, how }) => how !== 'itself' || path.includes('/')).map(({ path, cwd }) => [path, cwd] as const);
  if (direct.length === 0) return [];
  return [...direct, ...copies(commands)];
}

/** Returns the files that a command copies, because a copy may be what runs. */
function copies(commands: readonly EffectiveCommand[]): readonly FileRun[] {
  return commands.filter(({ name }) => COPIES.test(name)).flatMap(({ argv, cwd }) => argv.slice(1, -1).map((path) => [path, cwd] as const));
}

/** Returns the commands that run files which they look for. */
export function toolsRun({ commands }: Analysis): readonly EffectiveCommand[] {
  return commands.filter(({ name, argv }) => toolWithFiles(name, argv) !== undefined || runsTests(name, argv));
}

/**
 * Returns the files that the tools would run, of those that the session wrote.
 *
 * @param commands All commands of the call, because a copy of a file may be what runs.
 * @param written The files with findings.
 * @param folderOf Returns the path of a folder without links.
 */
export function filesOfTools(
  tools: readonly EffectiveCommand[],
  commands: readonly EffectiveCommand[],
  written: readonly string[],
  folderOf: (folder: string) => string | undefined,
): readonly FileRun[] {
  if (tools.length === 0 || written.length === 0) return [];
  const names = new Set(written.map((path) => posix.basename(path)));
  const looked = tools.flatMap(({ name, argv, cwd }) =>
    codeReaders()
      .filesOfTool(name, argv)
      .filter((path) => names.has(posix.basename(path)))
      .map((path) => [path, cwd] as const),
  );
  const tests = tools.flatMap(({ name, argv, cwd }) => {
    const folder = runsTests(name, argv) ? folderOf(cwd) : undefined;
    return folder === undefined ? [] : written.filter((path) => isTestFile(path) && path.startsWith(`${folder}/`));
  });
  return [...looked, ...tests.map((path) => [path, ''] as const), ...copies(commands)];
}
