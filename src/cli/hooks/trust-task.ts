/** The input of every action of `hookline trust`, and the rule that only a person may change trust, never a tool call. */
import type { Diagnostic } from '../../core/values/diagnostic.ts';
import type { FindOptions } from '../../load/check-files.ts';
import type { KeptTexts } from '../../trust/kept-texts.ts';
import type { Trust } from '../../trust/trust-file.ts';
import { type CommandResult, EXIT, type ExitCode } from '../command.ts';
import { problemText } from '../failure.ts';
import { startedBy } from '../input/started-by.ts';
import { jsonDocument } from '../output.ts';

export interface TrustTask {
  readonly find: FindOptions;
  readonly paths: readonly string[];
  readonly trust: Trust;
  readonly texts: KeptTexts;
  readonly yes: boolean;
  readonly json: boolean;
}

export function isInteractive(): boolean {
  return process.stdin.isTTY === true && process.stdout.isTTY === true;
}

/** Returns an error if an agent or a hook runs the command and no person is at the terminal. */
export function notByAgent({ json }: Pick<TrustTask, 'json'>, key: 'added' | 'removed'): CommandResult | undefined {
  const agent = startedBy(process.env);
  return agent === undefined || isInteractive() ? undefined : rejection(json, key, `${agent} may not change trust.`, BY_A_PERSON);
}

/** Returns the exit code of an action that did its work: a path that names no hook file, or a broken one, is a failure. */
export function exitFor({ paths }: Pick<TrustTask, 'paths'>, diagnostics: readonly Diagnostic[]): ExitCode {
  return paths.length > 0 && diagnostics.some(({ severity }) => severity === 'error') ? EXIT.negative : EXIT.ok;
}

const BY_A_PERSON = 'Run the command yourself, in your own terminal.';

export function rejection(json: boolean, key: 'added' | 'removed', message: string, hint: string): CommandResult {
  return { exit: EXIT.negative, ...(json && { out: jsonDocument({ [key]: [], reason: message }) }), err: problemText({ message, hint }) };
}
