/**
 * Effects: what a command would do, in terms that rules can match. Readers describe effects. Rules, which are data, decide which effects
 * are dangerous. A reader never decides.
 */
import type { EffectiveCommand } from '../shell/machine.ts';

/** The facts of an effect that a rule can match, by name. A missing fact is false. */
export type Facts = Readonly<Record<string, string | boolean | readonly string[]>>;

export interface Effect {
  /** For example `fs.delete`, `git.discard` or `exec`. */
  readonly kind: string;
  readonly facts: Facts;
  /** Position of the statement in the code of another language that has the effect. */
  readonly at?: number;
}

/** The folders in which the judged command would run, as far as the caller knows them. */
export interface KnownFolders {
  readonly cwd?: string;
  readonly home?: string;
  /** The project folder. */
  readonly root?: string;
  /** Where Hookline itself is on this machine, if that differs from the usual places. */
  readonly own?: OwnPlaces;
}

export interface OwnPlaces {
  /** Folders with its records and its settings. */
  readonly stores: readonly string[];
  /** Folders of the program that runs. */
  readonly programs: readonly string[];
}

export type EffectReader = (command: EffectiveCommand, knownFolders: KnownFolders) => readonly Effect[];

export function effect(kind: string, facts: Facts = {}, at?: number): Effect {
  return { kind, facts, ...(at !== undefined && { at }) };
}
