/** A command as data: what it is called, what it takes, how it is explained. The parser and the help pages read the same tables. */
import type { Answer } from './answer.ts';
import type { Arguments, UsageProblem } from './arguments.ts';

export interface OptionSpec {
  /** Without the dashes. */
  readonly name: string;
  /** What the value is called in the help; absent for a switch. */
  readonly value?: string;
  readonly repeatable?: true;
  readonly help: string;
}

export interface CommandSpec {
  readonly name: string;
  readonly summary: string;
  /** What stands after the name in the usage line, before the options. */
  readonly takes: string;
  /** How many words it takes besides options. */
  readonly words: { readonly min: number; readonly max: number; readonly missing: string };
  readonly options: readonly OptionSpec[];
  /** Paragraphs below the options. */
  readonly notes?: readonly string[];
  readonly examples: readonly { readonly does: string; readonly line: string }[];
}

/** What the module of a command exports. */
export interface CommandModule {
  readonly spec: CommandSpec;
  run(args: Arguments): Promise<Answer>;
  /** Its own answer to a failure; undefined leaves it to the rule for all commands. */
  failed?(args: Arguments, error: unknown): Answer | undefined | Promise<Answer | undefined>;
  /** Its own answer to a command line that can't be read. */
  misused?(argv: readonly string[], problem: UsageProblem): Answer | undefined | Promise<Answer | undefined>;
}
