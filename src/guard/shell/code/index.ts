/** Reads a program in another language: the commands that it runs and the files that it changes, in order. Bounded, and it never throws. */
import { leaveOut, OverLimit } from '../../limits.ts';
import { flavourOf } from '../foreign/flavour.ts';
import { Cursor } from './cursor.ts';
import { Evaluator, type World } from './evaluator.ts';
import { type Action, list, NOTHING, text } from './value.ts';

export type { Action } from './value.ts';

const MOST_ACTIONS = 512;

export interface Surroundings {
  readonly file: (path: string) => string | undefined;
  readonly stdin: string;
  /** The words after the program. */
  readonly args?: readonly string[];
}

/** The names under which a language has the words after the program, and the number of other words before them. */
const ARGUMENTS: Readonly<Record<string, readonly [name: string, before: number]>> = {
  python: ['sys.argv', 1],
  js: ['process.argv', 1],
  ruby: ['ARGV', 0],
  perl: ['ARGV', 0],
  php: ['argv', 1],
  lua: ['arg', 1],
};

/** @param name The command that runs the code. */
export function actionsOf(code: string, name: string, surroundings: Surroundings): readonly Action[] {
  const flavour = flavourOf(name, code);
  const world: World = { ...surroundings, actions: [], steps: 0, depth: 0 };
  try {
    const reader = new Evaluator(new Cursor(code, flavour), world);
    const { args = [] } = surroundings;
    const [variable, before] = ARGUMENTS[flavour] ?? ['', 0];
    if (args.length > 0 && variable !== '')
      reader.names.set(variable, list([...Array.from({ length: before }, () => NOTHING), ...args.map(text)]));
    reader.run(0, reader.cursor.length);
    // Other code can call a function that this code only defines.
    for (const value of reader.names.values()) if (value.kind === 'code' && !reader.ran.has(value.from)) reader.runFunction(value, []);
  } catch (error) {
    if (error instanceof OverLimit) throw error;
    leaveOut('a program could not be read');
  }
  if (world.actions.length > MOST_ACTIONS) leaveOut(`a program has more than ${MOST_ACTIONS} actions`);
  return world.actions.slice(0, MOST_ACTIONS);
}
