/** The input of every action of `hookline trust`, and the rule that only a person may change trust, never a tool call. */
import type { Diagnostic } from '../../core/values/diagnostic.ts';
import type { FindOptions } from '../../load/check-files.ts';
import { resolveHome } from '../../load/find/home.ts';
import { type KeptTexts, openKeptTexts } from '../../trust/kept-texts.ts';
import { openTrust, type Trust } from '../../trust/trust-file.ts';
import { type Arguments, hasFlag, optionValue } from '../arguments.ts';
import { type CommandResult, EXIT, type ExitCode } from '../command.ts';
import { problemText } from '../failure.ts';
import { askPerson, type Permitted } from '../input/by-a-person.ts';
import { jsonDocument } from '../output.ts';
import { findOptions } from './find-options.ts';

export interface TrustTask {
  readonly args: Arguments;
  readonly find: FindOptions;
  readonly paths: readonly string[];
  readonly trust: Trust;
  readonly texts: KeptTexts;
  readonly yes: boolean;
  readonly json: boolean;
}

/** @param paths the files or folders whose hooks are meant; none: the whole project */
export function trustTask(args: Arguments, paths: readonly string[], yes: boolean): TrustTask {
  const home = optionValue(args, 'home');
  const { stateFolder } = resolveHome({ home }, process.env);
  const texts = openKeptTexts(stateFolder);
  // Only hooks of the project need trust. The user's own hooks are trusted.
  const { home: _, ...places } = findOptions(args, paths);
  const find = { ...places, ...(home !== undefined && { settingsHome: home }) };
  return { args, find, paths, trust: openTrust(stateFolder, texts), texts, yes, json: hasFlag(args, 'json') };
}

export function isInteractive(): boolean {
  return process.stdin.isTTY === true && process.stdout.isTTY === true;
}

/** Returns the permission to change trust, or the answer if there is none. */
export async function permitTrust({ args, find, json }: TrustTask, key: 'added' | 'removed'): Promise<Permitted | CommandResult> {
  const data = { project: find.root };
  const act = { kind: `trust.${key}`, weight: 'settling', does: 'change trust', data, root: find.root } as const;
  const permission = await askPerson(args, act);
  return permission.permitted ? permission : rejection(json, key, permission.message, permission.hint);
}

/** Returns the exit code of an action that did its work: a path that names no hook file, or a broken one, is a failure. */
export function exitFor({ paths }: Pick<TrustTask, 'paths'>, diagnostics: readonly Diagnostic[]): ExitCode {
  return paths.length > 0 && diagnostics.some(({ severity }) => severity === 'error') ? EXIT.negative : EXIT.ok;
}

export function rejection(json: boolean, key: 'added' | 'removed', message: string, hint: string): CommandResult {
  return { exit: EXIT.negative, ...(json && { out: jsonDocument({ [key]: [], reason: message }) }), err: problemText({ message, hint }) };
}
