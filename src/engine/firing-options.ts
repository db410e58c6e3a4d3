/** What a firing is told beside its event. */
import type { Environment } from '../core/environment.ts';
import type { Sum } from '../core/fold.ts';
import type { HookReport } from '../core/outcome.ts';

export interface FiringOptions {
  readonly signal?: AbortSignal | undefined;
  /** What hooks see of the environment; undefined: that of this process. */
  readonly environment?: Environment | undefined;
  /** Whoever fired it asks people themself. */
  readonly asks?: boolean;
  /** Ask only these: the hooks after the one that suspended the action. */
  readonly only?: ReadonlySet<string>;
  /** A person has settled what these hooks wanted: their hold counts no more. */
  readonly settled?: ReadonlySet<string>;
  /** What was said before the action was held, in sum and one by one. */
  readonly base?: Sum;
  readonly before?: readonly HookReport[];
}
