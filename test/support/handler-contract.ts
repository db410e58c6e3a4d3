/** How a built-in handler is held to its contract. `test/laws/scenes/<type>.ts` exports one value of this type, as `contract`. */
import type { HandlerOptions, HandlerScenes } from '../../src/api/testing/index.ts';

export type HandlerContract = SceneContract | NeverAvailable;

interface SceneContract {
  scenes(): HandlerScenes | Promise<HandlerScenes>;
  /** Scenes that do not apply, each with the reason. */
  readonly skip?: NonNullable<HandlerOptions['skip']>;
  /** Removes what the scenes made. */
  close?(): unknown;
}

/** A handler that has nothing to ask yet. */
interface NeverAvailable {
  readonly unavailable: {
    /** The name of the test. */
    readonly law: string;
    /** A part of the fault's text. */
    readonly says: string;
  };
}

/** The reason to skip the scene `floods`. */
export const VALUES = 'answers with values, not with text';

export const never = (): Promise<unknown> => new Promise(() => {});
