/**
 * The state of one analysis: everything found so far. The evaluator passes its functions in, so that words can run their substitutions.
 */
import type { Function as FunctionNode, ParsedScript, SyntaxNode } from 'unbash';
import { OverLimit } from '../limits.ts';
import type { Flow } from './flow/flow.ts';
import type { WrittenFiles } from './flow/written.ts';
import type { Scope } from './scope.ts';

/** One command that would run, without its wrappers. */
export interface EffectiveCommand {
  /** The base name in lower case. */
  readonly name: string;
  readonly argv: readonly string[];
  /** The text on its standard input. */
  readonly stdin: string;
  readonly fds: ReadonlyMap<number, string>;
  /** The paths that its redirections write. */
  readonly writes: readonly string[];
  readonly cwd: string;
  /** Whether it is the script that runs it. */
  readonly self: boolean;
  /** Whether it runs in parallel with its caller, in the background or in a pipeline. */
  readonly spawned: boolean;
  readonly line: number;
  /** Position in the judged text. For a command inside another one, the position of the outermost command. */
  readonly span: readonly [start: number, end: number];
  /** The commands that run it, outermost first, for example `sudo`, `bash -c` or `xargs`. */
  readonly via: readonly string[];
  /** The variables that the script sets in its environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Whether it runs only if another command treats this text as shell code, which is unknown. */
  readonly guessed: boolean;
  /** The previous command in the pipeline. */
  readonly feeder: string;
  /** The words of the next command in the pipeline, as they are written. */
  readonly next: readonly string[];
  /** Whether its output is that of the text, and not inserted into another command. */
  readonly shown: boolean;
  /** Whether its output becomes the value of a variable and is not shown. */
  readonly loads: boolean;
  /** Position of the call that runs it, in the code of a file in another language. */
  readonly at?: number | undefined;
  /** The program that has the call. */
  readonly source?: Source | undefined;
  /** The program that it runs, if it is a shell or an interpreter. */
  readonly program?: Program | undefined;
  /** The data that it reads and sends. */
  readonly flow?: Flow | undefined;
}

/** A place in a program that is not the judged text, such as code in an option or a file that the text has written. */
export interface Source {
  readonly text: string;
  readonly file?: string;
  /** Position of the call in the program. */
  readonly at?: number;
}

export interface Program {
  readonly language: 'shell' | 'awk' | 'python' | 'powershell' | 'other';
  /** Undefined: the program is in a file that the analysed text did not write. */
  readonly text: string | undefined;
  readonly from: 'argument' | 'stdin' | 'file';
  readonly path?: string;
  /** Whether the program was passed in an encoded form. */
  readonly encoded?: boolean;
}

/** Returns whether a program is known code in another language. */
export function isForeign(program: Program | undefined): program is Program & { readonly text: string } {
  return program?.text !== undefined && program.language !== 'shell';
}

/** A file that a command runs or sources. `cwd` is as in `Scope`. */
export interface Run {
  readonly path: string;
  readonly cwd: string;
  readonly how: 'shell' | 'source' | 'itself' | 'interpreter' | 'script';
  /** It runs only if another command treats this text as shell code, so a file that does not exist is no mistake of the author. */
  readonly guessed?: true;
}

/** Why a part of the text is not understood. `limit`: because the text exceeds a limit. */
export interface Doubt {
  readonly why: string;
  readonly line: number;
  readonly limit: boolean;
}

/** A structure of several commands. */
export interface Shape {
  readonly kind: 'fork-bomb' | 'fork-loop' | 'piped-shell' | 'own-function';
  readonly text: string;
  readonly line: number;
  /** Position in the judged text. */
  readonly span?: readonly [start: number, end: number];
  /** As in `EffectiveCommand`. */
  readonly at?: number;
}

export interface Place {
  /** Line of the current command. It applies to everything without a position in the judged text. */
  readonly line: number;
  /** Start positions of the lines in the judged text. Undefined: the positions of nodes refer to another text. */
  readonly starts: readonly number[] | undefined;
  readonly span: readonly [start: number, end: number];
  readonly via: readonly string[];
  readonly spawned: boolean;
  /** As in `Effective`. */
  readonly guessed: boolean;
  /** As in `EffectiveCommand`. */
  readonly at?: number;
  readonly source?: Source;
}

const MOST_DEPTH = 160;

export interface Machine {
  readonly commands: EffectiveCommand[];
  readonly shapes: Shape[];
  readonly runs: Run[];
  readonly files: WrittenFiles;
  readonly doubts: Doubt[];
  /** Above zero while the value of a variable is worked out. */
  loading: number;
  /** Above zero inside a substitution. */
  inserting: number;
  /** Process substitutions of the current command that wait for its output. */
  readonly sinks: { readonly path: string; readonly script: ParsedScript; readonly scope: Scope; readonly place: Place }[];
  /** Process substitutions that a descriptor of the shell stays connected to, by their paths. */
  readonly kept: Map<string, { readonly script: ParsedScript; readonly scope: Scope; readonly place: Place }>;
  /** Every function that the script defines. */
  readonly functions: Map<FunctionNode, { readonly scope: Scope; readonly place: Place }>;
  /** Functions that are running now, and functions that were ever called. */
  readonly running: Set<FunctionNode>;
  readonly called: Set<FunctionNode>;
  /** Runs `body` with these arguments one level deeper. */
  deeper<A, B, T>(body: (first: A, second: B) => T, first: A, second: B): T;
  /** Evaluates a parsed script and returns its output. */
  readonly runScript: (script: ParsedScript, scope: Scope, place: Place) => string;
  /** Parses a text as shell code, evaluates it and returns its output. */
  readonly runText: (text: string, scope: Scope, place: Place) => string;
  readonly runNode: (node: SyntaxNode, scope: Scope, place: Place) => string;
}

type Evaluator = (machine: () => Machine) => Pick<Machine, 'runScript' | 'runText' | 'runNode'>;

export function createMachine(evaluator: Evaluator, files: WrittenFiles): Machine {
  let depth = 0;
  const machine: Machine = {
    commands: [],
    shapes: [],
    runs: [],
    files,
    doubts: [],
    loading: 0,
    inserting: 0,
    sinks: [],
    kept: new Map(),
    functions: new Map(),
    running: new Set(),
    called: new Set(),
    deeper(body, first, second) {
      if (++depth > MOST_DEPTH) throw new OverLimit('nested too deep');
      try {
        return body(first, second);
      } finally {
        depth--;
      }
    },
    ...evaluator(() => machine),
  };
  return machine;
}

export function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

export function lineOf({ line, starts }: Place, position: number): number {
  if (starts === undefined) return line;
  let [low, high] = [0, starts.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= position) low = middle;
    else high = middle;
  }
  return low + 1;
}
