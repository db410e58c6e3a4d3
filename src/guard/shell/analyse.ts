/** Entry point of the shell analysis: returns every command that a text would run. It is bounded and never throws. */
import { counted, OverLimit, STEPS_OF_CALL, spend } from '../limits.ts';
import { WrittenFiles } from './flow/written.ts';
import { createMachine, type Doubt, type EffectiveCommand, lineStarts, type Machine, type Place, type Run, type Shape } from './machine.ts';
import { parseShell } from './parse.ts';
import { Scope } from './scope.ts';
import { createEvaluator } from './walk/evaluate.ts';

export interface Analysis {
  readonly commands: readonly EffectiveCommand[];
  readonly shapes: readonly Shape[];
  readonly runs: readonly Run[];
  /** Why parts of the text could not be followed. */
  readonly doubts: readonly Doubt[];
  /** The files that the text writes, by path, with their known text. */
  readonly written: ReadonlyMap<string, string>;
}

export interface AnalyseOptions {
  readonly variables?: Readonly<Record<string, string>>;
  /** Collects the names of variables that the text does not set itself and that it asks for. No other of `variables` changes the result. */
  readonly asked?: Set<string>;
  /** The path of the script (`$0`). */
  readonly self?: string;
  readonly mostBytes?: number;
  /** Steps of the analysis. */
  readonly mostSteps?: number;
  /** Known files by path, as if the text had written them. */
  readonly files?: Readonly<Record<string, string>>;
}

export const MOST_TEXT = 128 * 1024;
const MOST_NESTING = 400;
const CONTROL = /[\x00-\x08\x0B\x0C\x0E-\x1F\x7F]/;
const CONTROLS = /[\x00-\x08\x0B\x0C\x0E-\x1F\x7F]/g;

export function analyse(written: string, options: AnalyseOptions = {}): Analysis {
  // A shell drops NUL, and other control characters can hide the end of a word.
  const text = CONTROL.test(written) ? written.replace(CONTROLS, '') : written;
  if (text.length > (options.mostBytes ?? MOST_TEXT)) return notFollowed('the text is too long');
  if (deepestNesting(text) > MOST_NESTING) return notFollowed('the text is nested too deep');
  const { value, left } = counted(options.mostSteps ?? STEPS_OF_CALL, () => walkTwice(text, options));
  return toAnalysis(value, left);
}

function walkTwice(text: string, options: AnalyseOptions): Walk {
  const known = new WrittenFiles();
  for (const [path, body] of Object.entries(options.files ?? {})) known.set(path, body);
  const first = walk(text, options, known);
  // A command can read a file before the command that writes it, so a second walk starts with all files that the first walk saw written.
  const { files } = first.machine;
  return files.late && first.why === undefined ? walk(text, options, files.forSecondWalk()) : first;
}

interface Walk {
  readonly machine: Machine;
  /** Why the walk ended early. */
  readonly why?: string;
}

function walk(text: string, { variables = {}, asked = new Set(), self }: AnalyseOptions, files: WrittenFiles): Walk {
  const machine = createMachine(createEvaluator, files);
  const scope = new Scope(undefined, false, { variables, asked });
  if (self !== undefined) scope.set('0', [[self]]);
  const place: Place = { line: 1, starts: lineStarts(text), span: [0, text.length], via: [], spawned: false, guessed: false };
  try {
    // The parser reads the whole text before anything is known about it.
    spend(1 + text.length / 16);
    machine.runScript(parseShell(text), scope, place);
    // Another script can source this one and call its functions, so functions without a call are walked too.
    for (const [node, { scope: home, place: where }] of machine.functions) {
      if (!machine.called.has(node)) machine.runNode(node.body, home.child(), where);
    }
    return { machine };
  } catch (error) {
    // A text that breaks the analysis has not been understood, so it counts as a doubt.
    return { machine, why: error instanceof OverLimit ? `the text is ${error.message}` : 'the text could not be analysed' };
  }
}

function toAnalysis({ machine, why }: Walk, left: readonly string[]): Analysis {
  const { commands, shapes, runs, doubts } = machine;
  const limits = [...(why === undefined ? [] : [why]), ...left].map((each): Doubt => ({ why: each, line: 1, limit: true }));
  return { commands, shapes, runs, doubts: limits.length === 0 ? doubts : [...doubts, ...limits], written: machine.files.all() };
}

function notFollowed(why: string): Analysis {
  return { commands: [], shapes: [], runs: [], doubts: [{ why, line: 1, limit: true }], written: new Map() };
}

/** Returns an upper bound for the nesting of brackets. The work of the parser grows with its square, so this check runs first. */
function deepestNesting(text: string): number {
  let [round, curly, most] = [0, 0, 0];
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i);
    if (char === 0x28) round++;
    else if (char === 0x29 && round > 0) round--;
    else if (char === 0x7b) curly++;
    else if (char === 0x7d && curly > 0) curly--;
    if (round + curly > most) most = round + curly;
  }
  return most;
}
