/** The result of reading a command or a program: the further files that it runs, and the parts that are known only at run time. */
import type { FollowedFile } from '../files.ts';
import type { Language } from './literals.ts';

/** Code that a hook would run and that is known only at run time. */
export interface Unknown {
  /** The words of the hook, as far as they are known. */
  readonly what: string;
  readonly why: string;
  readonly line?: number;
  /** The folder that the code is in, if that is known. */
  readonly within?: string;
}

export interface Reached {
  readonly runs: readonly FollowedFile[];
  readonly unknown: readonly Unknown[];
}

export const NOTHING_REACHED: Reached = { runs: [], unknown: [] };

export function joinReached(all: readonly Reached[]): Reached {
  return { runs: all.flatMap(({ runs }) => runs), unknown: all.flatMap(({ unknown }) => unknown) };
}

/** A file that is part of the hook. It is not judged, because it is text for a program that the audit does not read. */
export function part(path: string): FollowedFile {
  return { path, cwd: '', how: 'part' };
}

/** A file that a program of this language loads. */
export function imported(path: string, language?: Language): FollowedFile {
  return { path, cwd: '', how: 'import', ...(language && { language }) };
}

/** Where the names in a text are looked up. */
export interface Ground {
  /** The project. */
  readonly root: string;
  /** The folder in which the text runs. Empty: the folder in which the hook runs. */
  readonly cwd: string;
  /** The file that contains the text, if the text is a program in a file. */
  readonly file?: string;
  /** The variables that the hook sets for its processes. */
  readonly env: Readonly<Record<string, string>>;
  /** The variables whose values are known. */
  readonly variables: Readonly<Record<string, string>>;
  /** Collects the names of the variables that were asked for, as in `AnalyseOptions`. */
  readonly asked?: Set<string>;
  /** Returns the absolute paths that a name can mean. */
  resolve(path: string, cwd: string): readonly string[];
}

/** Returns the value of a variable that the hook or a command sets. Empty: neither does. */
export function valueIn(env: Readonly<Record<string, string>>, name: string, { asked }: Pick<Ground, 'asked'>): string {
  asked?.add(name);
  return Object.hasOwn(env, name) ? (env[name] ?? '') : '';
}
