/** The specification of a command (its name, arguments and help) and its result. The parser and the help pages read the same tables. */
import type { ErrorCode } from '../core/values/errors.ts';
import type { Arguments, UsageProblem } from './arguments.ts';

/** The result of a command: one exit code, the text for each stream, and the work that follows once both are written. */
export interface CommandResult {
  /** A code of Hookline, or for an agent's hook a code of the agent. */
  readonly exit: number;
  readonly out?: string;
  readonly err?: string;
  /** The text is for a program, so no line of it may be wrapped. */
  readonly verbatim?: true;
  /** The text is an agent's answer. If the caller gave a proof, both streams and the code are written as one frame that ends in it. */
  readonly answers?: true;
  /** Runs after everything is written. No caller waits for it. */
  readonly after?: () => void | Promise<void>;
  /** The process ends after that, with whatever is still open. Without it, Node ends when nothing is left to wait for, and closes what is open. */
  readonly isLast?: true;
}

/** The reason why there is no result. A command throws it; `main` turns it into a message and an exit code. */
export interface Problem {
  readonly exit: ExitCode;
  readonly code: ErrorCode | 'usage' | 'internal' | 'store-unavailable' | 'not-found' | 'not-permitted';
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

export interface OptionSpec {
  /** Without the dashes. */
  readonly name: string;
  /** The name of the value in the help; absent for a switch. */
  readonly value?: string;
  readonly repeatable?: true;
  readonly help: string;
}

export interface CommandSpec {
  readonly name: string;
  readonly summary: string;
  /** The arguments in the usage line, between the name and the options. */
  readonly takes: string;
  /** The number of positional arguments. */
  readonly words: { readonly min: number; readonly max: number; readonly missing: string };
  readonly options: readonly OptionSpec[];
  /** Paragraphs below the options. */
  readonly notes?: readonly string[];
  readonly examples: readonly { readonly does: string; readonly line: string }[];
}

/** The exports of a command's module. */
export interface CommandModule {
  readonly spec: CommandSpec;
  run(args: Arguments): Promise<CommandResult>;
  /** Handles a failure in the command's own way. Undefined applies the rule of all commands. */
  failed?(args: Arguments, error: unknown): CommandResult | undefined | Promise<CommandResult | undefined>;
  /** Handles a command line that cannot be parsed in the command's own way. */
  misused?(argv: readonly string[], problem: UsageProblem): CommandResult | undefined | Promise<CommandResult | undefined>;
}

/** Exit codes of every command. 2 means "blocked" and nothing else, because hosts rely on it. */
export const EXIT = {
  /** May proceed, or success. */
  ok: 0,
  /** A negative result: findings, not found, not permitted. */
  negative: 1,
  /** The action is denied. Only `fire`, `agent`, and `guard` as a hook, use this code. */
  blocked: 2,
  /** The action is held until a person settles it. */
  held: 3,
  usage: 64,
  bug: 70,
  config: 78,
} as const satisfies Record<string, number>;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
