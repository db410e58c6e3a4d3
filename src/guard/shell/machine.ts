/**
 * The state of one analysis: what has been seen so far, and a count of the work done. Work is counted, not timed, so that the same
 * text always gets the same answer. The evaluator hands its functions in here, so that words can run their substitutions.
 */
import type { Function as FunctionNode, ParsedScript, SyntaxNode } from 'unbash';
import type { Flow } from './flow/flow.ts';
import type { Written } from './flow/written.ts';
import type { Scope } from './scope.ts';

/** One command that would run, with wrappers taken off. */
export interface Effective {
  /** Base name in lower case. */
  readonly name: string;
  readonly argv: readonly string[];
  /** The text on its standard input. */
  readonly stdin: string;
  readonly fds: ReadonlyMap<number, string>;
  /** Paths that its redirections write. */
  readonly writes: readonly string[];
  readonly cwd: string;
  /** Is the script that runs it. */
  readonly self: boolean;
  /** Runs beside its caller: in the background or in a pipeline. */
  readonly spawned: boolean;
  readonly line: number;
  /** Where it stands in the judged text; the outermost command's, if it is inside another. */
  readonly span: readonly [start: number, end: number];
  /** What it is run by, outermost first: `sudo`, `bash -c`, `xargs`… */
  readonly via: readonly string[];
  /** Variables that the script gives it in its environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Runs only if the command that is handed this text takes it for shell code, which is not known. */
  readonly guessed: boolean;
  /** What comes before it in its pipeline. */
  readonly feeder: string;
  /** What it takes as its program, if it is a shell or an interpreter. */
  readonly program?: Program;
  /** What it reads and sends. */
  readonly flow?: Flow;
}

export interface Program {
  readonly language: 'shell' | 'awk' | 'python' | 'powershell' | 'other';
  /** Undefined: in a file that the analysis has not written itself. */
  readonly text: string | undefined;
  readonly from: 'argument' | 'stdin' | 'file';
  readonly path?: string;
  /** It was handed over in an encoding. */
  readonly encoded?: boolean;
}

/** Code of another language, as far as it is known. */
export function isForeign(program: Program | undefined): program is Program & { readonly text: string } {
  return program?.text !== undefined && program.language !== 'shell';
}

/** A file that a command runs or sources; `cwd` as in `Scope`. */
export interface Run {
  readonly path: string;
  readonly cwd: string;
  readonly how: 'shell' | 'source' | 'itself' | 'interpreter' | 'script';
}

/** Why a part of the text is not understood; `limit`: because there is too much of it. */
export interface Doubt {
  readonly why: string;
  readonly line: number;
  readonly limit: boolean;
}

/** A structure that no single command shows. */
export interface Shape {
  readonly kind: 'fork-bomb' | 'fork-loop' | 'piped-shell';
  readonly text: string;
  readonly line: number;
}

export interface Place {
  /** Of the command at hand; holds for all that has no position in the judged text. */
  readonly line: number;
  /** Where the lines of the judged text start; undefined if positions of nodes point into another text. */
  readonly starts: readonly number[] | undefined;
  readonly span: readonly [start: number, end: number];
  readonly via: readonly string[];
  readonly spawned: boolean;
  /** See `Effective`. */
  readonly guessed: boolean;
}

/** The work is too much; ends the analysis, which is then incomplete. */
export class OverLimit extends Error {}

/** About a second of it, at worst. */
const MOST_WORK = 400_000;
const MOST_DEPTH = 160;

export interface Machine {
  readonly commands: Effective[];
  readonly shapes: Shape[];
  readonly runs: Run[];
  readonly files: Written;
  readonly doubts: Doubt[];
  /** Process substitutions of the command at hand that wait for its output. */
  readonly sinks: { readonly script: ParsedScript; readonly scope: Scope; readonly place: Place }[];
  /** Every function that was defined. */
  readonly functions: Map<FunctionNode, { readonly scope: Scope; readonly place: Place }>;
  /** Functions that are being run, and those that ever were. */
  readonly running: Set<FunctionNode>;
  readonly called: Set<FunctionNode>;
  spend(units: number): void;
  /** Runs `body` one level deeper. */
  deeper<T>(body: () => T): T;
  /** Evaluates a parsed script and gives its output. */
  readonly runScript: (script: ParsedScript, scope: Scope, place: Place) => string;
  /** Parses a text as shell code and evaluates it. */
  readonly runText: (text: string, scope: Scope, place: Place) => string;
  readonly runNode: (node: SyntaxNode, scope: Scope, place: Place) => string;
}

type Evaluator = (machine: () => Machine) => Pick<Machine, 'runScript' | 'runText' | 'runNode'>;

export function createMachine(evaluator: Evaluator, files: Written): Machine {
  let work = 0;
  let depth = 0;
  const machine: Machine = {
    commands: [],
    shapes: [],
    runs: [],
    files,
    doubts: [],
    sinks: [],
    functions: new Map(),
    running: new Set(),
    called: new Set(),
    spend(units) {
      work += units;
      if (work > MOST_WORK) throw new OverLimit('too much to follow');
    },
    deeper(body) {
      if (++depth > MOST_DEPTH) throw new OverLimit('nested too deep');
      try {
        return body();
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
