/** Finds the further files that a script or a program in a file runs. */
import type { JudgeOptions } from '../../judge.ts';
import type { Analysis } from '../../shell/analyse.ts';
import { type Files, type FollowedFile, isBelow } from '../files.ts';
import { reachOfCode } from './code.ts';
import { languageOf } from './literals.ts';
import { isFile } from './lookup.ts';
import { reachOfShell } from './reach.ts';
import { type Ground, NOTHING_REACHED, type Reached } from './reached.ts';

/** Texts that no program runs, and the programs of tools whose language cannot start anything. */
const NO_PROGRAM = /\.(json|ya?ml|toml|txt|md|sed|jq|sql|html|css|xml|csv|wasm|env|ini|cfg|lock)$/i;

/** @param analysis The analysis of the file, if it is a shell script. */
export function reachOfFile(
  path: string,
  body: string,
  run: FollowedFile,
  options: JudgeOptions,
  files: Files,
  analysis?: Analysis,
): Reached {
  const ground = groundOf(files, options, run.cwd, path);
  if (!ground) return NOTHING_REACHED;
  if (analysis) return reachOfShell(body, ground, { ...options, self: path, mostBytes: Number.POSITIVE_INFINITY }, analysis);
  const language = languageOf(path, body) ?? run.language;
  if (language) return reachOfCode(body, language, ground, reachOfShell);
  if (NO_PROGRAM.test(path) || isReadByProject(body, ground)) return NOTHING_REACHED;
  return { runs: [], unknown: [{ what: 'the files that it runs', why: 'the file is in a language that Hookline does not read', line: 1 }] };
}

/** Returns whether the first line names a program of the project. That program is followed, and the file is what it reads. */
function isReadByProject(body: string, { cwd, root, resolve }: Ground): boolean {
  const program = /^#![ \t]*(\S+)/.exec(body)?.[1];
  return program !== undefined && resolve(program, cwd).some((file) => isBelow(file, root) && isFile(file));
}

/** Returns where the names in a text are looked up. Undefined: the hook is one of the user, and only its scripts are followed. */
export function groundOf(files: Files, options: JudgeOptions, cwd: string, file?: string): Ground | undefined {
  const { root, resolve } = files;
  const { variables = {}, asked } = options;
  if (root === undefined) return undefined;
  return { root, cwd, env: variables, variables, resolve, ...(asked && { asked }), ...(file !== undefined && { file }) };
}
