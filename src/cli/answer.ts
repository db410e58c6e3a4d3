/** What a command has to say, as a value: one exit code, the text for each stream, and what is left to do once both are written. */
import type { ErrorCode } from '../core/errors.ts';
import type { ExitCode } from './exit-codes.ts';

export interface Answer {
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
