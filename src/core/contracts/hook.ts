/** A hook: one configured rule that states when it applies, which handler is asked, and within which limits. Plain data except for `run`. */
import type { EventKind } from '../event/event.ts';
import type { Facet } from '../event/facet.ts';
import type { Diagnostic } from '../values/diagnostic.ts';
import type { JsonObject } from '../values/json.ts';

/** One test of a facet of the event. All conditions of a hook must hold. */
export interface Condition {
  readonly facet: Facet;
  readonly test: PatternTest | { readonly kind: 'oneOf'; readonly values: readonly string[] };
  /** Whether the condition holds if the event has no such facet. */
  readonly missing: 'holds' | 'fails';
}

export interface PatternTest {
  readonly kind: 'pattern';
  readonly source: string;
  /** `i`, `m`, `s` as in JavaScript. */
  readonly flags?: string;
  /** Whether the pattern is searched in the value or must match the whole value. */
  readonly anchor: 'search' | 'whole';
}

/** Whether a hook that is trusted by its content may run. A hook that is trusted by its place has no such state. */
export type TrustState = 'trusted' | 'untrusted' | 'modified' | 'denied';

/** The consequence of a fault: the action passes, is denied, or a person is asked. */
export type OnError = 'pass' | 'deny' | 'ask';

export type Scope = 'managed' | 'user' | 'project' | 'plugin' | 'skill' | 'runtime';

export interface Source {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
  readonly scope: Scope;
}

export interface HookHandler {
  readonly type: string;
  readonly config: JsonObject;
  /** Values that the handler needs and that are not part of the hook's definition, such as the variables of a server, which no text may show. */
  readonly aside?: JsonObject;
}

export interface Hook {
  /** Stable across reloads: dialect, file and the path of the entry in it. */
  readonly id: string;
  readonly name: string;
  /** Set if the name was made for a hook without one: the name that earlier versions made. Trust, pins and settings that use it still count. */
  readonly formerName?: string;
  readonly description?: string;
  readonly dialect: string;
  /** The event's native name. */
  readonly event: string;
  readonly when: readonly Condition[];
  readonly handler: HookHandler;
  readonly timeoutMs: number;
  /** Higher runs first, where the dialect has priorities. */
  readonly priority: number;
  /** Not awaited; its answer is only logged. */
  readonly detach: boolean;
  readonly enabled: boolean;
  /** The setting that disabled it, and its place, unless its own entry did. */
  readonly offBy?: string;
  /** Its file names nothing to run, so it is listed and never asked. It is not enabled. */
  readonly nothingToRun?: true;
  /** Every fault of this hook on a gating event denies. */
  readonly strict?: boolean;
  /** The consequence of its faults on a gating event, by the user's settings or the policy of the machine. Absent: as its format says. */
  readonly onError?: OnError;
  readonly source: Source;
  /** The folder in which its commands run; absent: the session's working directory. */
  readonly cwd?: string;
  /** The folder in which the hook lives, where audit and trust look for its scripts. */
  readonly folder?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Variables whose values are known only when it runs: the project folder, the session, a value of the payload. */
  readonly facts?: Readonly<Record<string, HookFact>>;
  /** The hooks of its lane run one after another, although the hooks of its event otherwise run at once. */
  readonly sequence?: true;
  /** Asked once in a session. */
  readonly once?: boolean;
  /** Asked only while the skill of this name is active in the session. */
  readonly skill?: string;
  /** The skill or plugin it came with. */
  readonly owner?: string;
  /** Asks not to be audited; counts only if the engine's configuration permits it. */
  readonly skipAudit?: boolean;
  /** If it applies and may not run, the event is denied. */
  readonly required?: boolean;
  /** It runs and its verdict is recorded, but changes nothing. It counts nevertheless if it is required. */
  readonly shadow?: true;
  /** Why its entry cannot be used, as a clause. It is not run: where the event can be denied it denies, elsewhere it is a fault. */
  readonly unusable?: string;
  /** Its own agent does not run it: the agent drops its file, or does not read its shape. So it runs here even if that agent calls. */
  readonly skippedByAgent?: true;
  /** A function instead of a file: runtime hooks only. */
  readonly run?: (payload: JsonObject, context: RunContext) => unknown;
}

/** Whether this is a name of the hook, now or in an earlier version. */
export function isCalled(
  { name, formerName }: { readonly name: string; readonly formerName?: string | undefined },
  given: string,
): boolean {
  return name === given || formerName === given;
}

/** With `payload`, the value of this key of the payload, if it is a text, a number or a boolean. */
export type HookFact = 'project' | 'session' | { readonly payload: string };

export interface RunContext {
  readonly signal: AbortSignal;
  readonly hook: Hook;
  /** The working directory of the session. */
  readonly cwd?: string;
}

/** The requirements on a set of hooks as a whole. */
export interface Requirements {
  readonly required: ReadonlySet<string>;
  readonly missing: readonly MissingProtection[];
}

/** A protection that is missing. The actions that it would judge are denied until it is restored. */
export interface MissingProtection {
  /** The cause that the denial names. */
  readonly by: string;
  readonly diagnostic: Diagnostic;
  /** The policy of the machine demands it, so a pause does not lift it. */
  readonly isManaged?: true;
  /** A function hook of this name restores it. */
  readonly unless?: string;
  /** Only events of these kinds are denied. Absent: all that can be. */
  readonly kinds?: readonly EventKind[];
}
