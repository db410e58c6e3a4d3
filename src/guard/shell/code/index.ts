/** Reads a program in another language: the commands that it runs and the files that it changes, in order. Bounded, and it never throws. */
import { leaveOut, OverLimit } from '../../limits.ts';
import { flavourOf } from '../foreign/flavour.ts';
import { Cursor } from './cursor.ts';
import { Evaluator, type World } from './evaluator.ts';
import type { Action } from './value.ts';

export type { Action } from './value.ts';

const MOST_ACTIONS = 512;

export interface Surroundings {
  readonly file: (path: string) => string | undefined;
  readonly stdin: string;
}

/** @param name The command that runs the code. */
export function actionsOf(code: string, name: string, surroundings: Surroundings): readonly Action[] {
  const flavour = flavourOf(name, code);
  const world: World = { ...surroundings, actions: [], steps: 0, depth: 0 };
  try {
    const reader = new Evaluator(new Cursor(code, flavour), world);
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
