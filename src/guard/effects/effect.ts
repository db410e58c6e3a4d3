/**
 * Effects: what a command would do, in words that rules can ask about. Readers say what is; rules, which are data, say what of it
 * is bad. A reader never decides.
 */
import type { Effective } from '../shell/machine.ts';

/** What a rule may ask about an effect: each fact by name. A fact that is not there is false. */
export type Facts = Readonly<Record<string, string | boolean | readonly string[]>>;

export interface Effect {
  /** `fs.delete`, `git.discard`, `exec.remote`, … Every kind and its facts stand in docs/guard-rules.md. */
  readonly kind: string;
  readonly facts: Facts;
}

/** Where the judged command would run, as far as the caller knows. */
export interface Sight {
  readonly cwd?: string;
  readonly home?: string;
  /** The project. */
  readonly root?: string;
}

export type EffectReader = (command: Effective, sight: Sight) => readonly Effect[];

export function effect(kind: string, facts: Facts = {}): Effect {
  return { kind, facts };
}
