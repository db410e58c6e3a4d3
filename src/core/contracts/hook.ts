/** A hook: one configured rule — when it applies, which handler is asked, within which limits. Plain data but for `run`. */
import type { Facet } from '../event/facet.ts';
import type { Diagnostic } from '../values/diagnostic.ts';
import type { JsonObject } from '../values/json.ts';

/** One test over a facet of the event; a hook's conditions must all hold. */
export interface Condition {
  readonly facet: Facet;
  readonly test: PatternTest | { readonly kind: 'oneOf'; readonly values: readonly string[] };
  /** What follows if the event has no such facet. */
  readonly missing: 'holds' | 'fails';
}

export interface PatternTest {
  readonly kind: 'pattern';
  readonly source: string;
  /** `i`, `m`, `s` as in JavaScript. */
  readonly flags?: string;
  /** Found anywhere in the value, or the value as a whole. */
  readonly anchor: 'search' | 'whole';
}

/** Whether a hook that is trusted by its content may run. A hook that is trusted by its place has no such state. */
export type TrustState = 'trusted' | 'untrusted' | 'modified' | 'denied';

export type Scope = 'managed' | 'user' | 'project' | 'plugin' | 'skill' | 'runtime';

export interface Source {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
  readonly scope: Scope;
}

export interface Hook {
  /** Stable across reloads: dialect, file and the path of the entry in it. */
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  readonly dialect: string;
  /** The event's native name. */
  readonly event: string;
  readonly when: readonly Condition[];
  readonly handler: { readonly type: string; readonly config: JsonObject };
  readonly timeoutMs: number;
  /** Higher runs first, where the dialect has priorities. */
  readonly priority: number;
  /** Not awaited; its answer is only logged. */
  readonly detach: boolean;
  readonly enabled: boolean;
  /** What has switched it off, and where that stands, if it is not its own entry. */
  readonly offBy?: string;
  /** Every fault of this hook on a gating event denies. */
  readonly strict?: boolean;
  readonly source: Source;
  /** The folder its commands run in; absent: the session's working directory. */
  readonly cwd?: string;
  /** The folder the hook lives in: where its scripts are looked for by audit and trust. */
  readonly folder?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Variables whose values are known when it runs: where the project is, which session it is. */
  readonly facts?: Readonly<Record<string, HookFact>>;
  /** Where the hooks of its event run at once: all of its lane that apply are asked one after another instead. */
  readonly sequence?: true;
  /** Asked once in a session. */
  readonly once?: boolean;
  /** The skill or plugin it came with. */
  readonly owner?: string;
  /** Asks not to be audited; counts only where the engine's own configuration permits it. */
  readonly skipAudit?: boolean;
  /** Where it applies and may not run, what it would have judged is denied. */
  readonly required?: boolean;
  /** A function instead of a file: runtime hooks only. */
  readonly run?: (payload: JsonObject, context: RunContext) => unknown;
}

export type HookFact = 'project' | 'session';

export interface RunContext {
  readonly signal: AbortSignal;
  readonly hook: Hook;
}

/** What a set of hooks as a whole must satisfy. */
export interface Requirements {
  readonly required: ReadonlySet<string>;
  readonly missing: readonly MissingProtection[];
}

/** Every action that can be denied is denied as long as it lasts. */
export interface MissingProtection {
  /** Named as the cause of the denial. */
  readonly by: string;
  readonly diagnostic: Diagnostic;
  /** A function hook of this name fixes it. */
  readonly unless?: string;
}
