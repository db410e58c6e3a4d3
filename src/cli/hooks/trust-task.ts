/** What every action of `hookline trust` works on, and who may change anything: a person, never a tool call. */
import type { FindOptions } from '../../load/check-files.ts';
import type { KeptTexts } from '../../trust/kept-texts.ts';
import type { Trust } from '../../trust/trust-file.ts';
import { type CommandResult, EXIT } from '../command.ts';
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

/** The refusal, if an agent or a hook asks and no person is at the terminal. */
export function notByAgent({ json }: Pick<TrustTask, 'json'>, key: 'added' | 'removed'): CommandResult | undefined {
  const agent = startedBy(process.env);
  return agent === undefined || isInteractive() ? undefined : refusal(json, key, `Trust is not changed by ${agent}.`, BY_A_PERSON);
}

const BY_A_PERSON = 'Type the command yourself, in a terminal of your own.';

export function refusal(json: boolean, key: 'added' | 'removed', message: string, hint: string): CommandResult {
  return { exit: EXIT.negative, ...(json && { out: jsonDocument({ [key]: [], reason: message }) }), err: problemText({ message, hint }) };
}
