/** What a command has to say, as a value: one exit code, the text for each stream, and what is left to do once both are written. */
import type { ErrorCode } from '../core/values/errors.ts';
import type { Arguments, UsageProblem } from './arguments.ts';

export interface CommandResult {
  /** One of ours; of an agent's hook, the agent's. */
  readonly exit: number;
  readonly out?: string;
  readonly err?: string;
  /** Runs after everything is written: nobody waits for it. */
  readonly after?: () => void | Promise<void>;
}

/** Why there is no answer. Thrown inside a command; `main` turns it into words and an exit code. */
export interface Problem {
  readonly exit: ExitCode;
  readonly code: ErrorCode | 'usage' | 'internal' | 'store-unavailable' | 'not-found';
  readonly message: string;
  readonly hint?: string;
}

export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.message);
    this.problem = problem;
  }
}

/** A command as data: what it is called, what it takes, how it is explained. The parser and the help pages read the same tables. */

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
  run(args: Arguments): Promise<CommandResult>;
  /** Its own answer to a failure; undefined leaves it to the rule for all commands. */
  failed?(args: Arguments, error: unknown): CommandResult | undefined | Promise<CommandResult | undefined>;
  /** Its own answer to a command line that can't be read. */
  misused?(argv: readonly string[], problem: UsageProblem): CommandResult | undefined | Promise<CommandResult | undefined>;
}

/** Exit codes of every command. 2 means "blocked" and nothing else: a host that reads it must be able to rely on it. */
export const EXIT = {
  /** May proceed; done. */
  ok: 0,
  /** A negative answer: findings, not found, refused. */
  negative: 1,
  /** The action is denied. Only `fire`, and `guard` as a hook, say this. */
  blocked: 2,
  /** The action is held until a person settles it. */
  held: 3,
  usage: 64,
  bug: 70,
  config: 78,
} as const satisfies Record<string, number>;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
