/**
 * A profile says, as plain data, what a dialect means: eight questions, each answered by every dialect. Shared code reads the
 * answers and never asks which dialect it serves. A new difference between dialects is a new required field here.
 */
import type { Grant } from '../decision/decision.ts';
import type { FaultKind } from '../decision/reply.ts';
import { type EventKind, kindRule } from '../event/event.ts';
import type { Facet } from '../event/facet.ts';
import type { PromisedEnvironment } from '../values/environment.ts';

export interface Profile {
  /** Which events there are, by native name. */
  readonly events: Readonly<Record<string, EventRule>>;
  /** What its files may hold. */
  readonly load: LoadRule;
  /** How a hook is found to apply. */
  readonly match: MatchRule;
  /** In what order hooks run, and when a lane ends. */
  readonly run: RunRule;
  /** How a hook is asked. */
  readonly ask: Ask;
  /** What an answer means. */
  readonly read: Read;
  /** What follows when there is no answer. */
  readonly fail: Fail;
  /** How several answers become one. */
  readonly fold: FoldRule;
}

export interface EventRule {
  /** The canonical kinds this event stands for. */
  readonly kinds: readonly EventKind[];
  readonly run: 'sequence' | 'parallel' | 'detach';
  readonly grants: readonly Grant[];
  /** What a plain `matcher` looks at on this event. */
  readonly facet: Facet | null;
  /** Rows that take the place of the profile's on this event. */
  readonly read?: Partial<Read>;
  readonly fail?: Partial<Fail>;
}

export interface LoadRule {
  /** How loud an unknown event name is: a warning leaves the file's other hooks alone, an error is an error. */
  readonly unknownEvent: 'warning' | 'error';
  /** Beyond this many hooks the rest are not loaded, with an error; null: no limit. */
  readonly maxHooks: number | null;
  /** Whether the audit looks at every file of a hook's folder, not only at what the hook runs. */
  readonly auditFolder: boolean;
}

export interface MatchRule {
  readonly anchor: 'search' | 'whole';
  /** What a matcher does on an event that has nothing to match. */
  readonly missingFacet: 'holds' | 'fails';
}

export interface RunRule {
  readonly order: 'declared' | 'priority';
  /** Decisions that end the lane. */
  readonly stopOn: readonly ('deny' | 'hold' | 'ask')[];
  /** Whether a later hook of the lane is shown what an earlier one left. */
  readonly inputs: 'original' | 'piped';
}

export interface Ask {
  readonly timeout: { readonly unit: 'ms' | 's'; readonly fallbackMs: number; readonly minMs?: number; readonly maxMs?: number };
  readonly command: {
    /** `shell`: `sh -c`; `bash`: `bash -c`; `own-shell`: the same of the user's own shell; `script`: the file itself, by its shebang. */
    readonly launch: 'shell' | 'bash' | 'own-shell' | 'script';
    /** How the payload reaches the command: on stdin, or in the named environment variable (stdin is then empty). */
    readonly input: 'stdin' | { readonly env: string };
    /** `spaced` writes a space after every `:` and `,`; `line` is compact and ends with a newline, without which a shell's `read` fails. */
    readonly json: 'compact' | 'spaced' | 'line';
    /** `joined` also keeps stdout and stderr as interleaved. */
    readonly capture: 'split' | 'joined';
    /** What the format promises its commands of the agent's environment; the variables a hook sets itself come on top. */
    readonly environment: PromisedEnvironment;
  };
  /** How many redirects are followed; with 0 a redirect is an answer like any other. */
  readonly http: { readonly redirects: number };
}

/** Where the text of a reason, notice or body is taken from; the first that is not empty, trimmed. */
export type Stream = 'stdout' | 'stderr' | 'output';

export type Meaning =
  /**
   * JSON for the dialect's wire, from the first of `from` that is not empty; without `from` it is stdout. Empty is a pass. Where `text` is
   * told apart, plain text is nothing, context or a notice, and only what begins like JSON and is none is a fault. `means` is what nothing,
   * or no JSON, means instead; with `always` it holds whatever the JSON says, which adds why, and effects.
   */
  | {
      readonly say: 'parse';
      readonly from?: readonly Stream[];
      readonly notJson:
        | 'pass'
        | 'fault'
        | { readonly text: 'pass' | 'context' | 'notice' }
        | { readonly means: PlainMeaning; readonly always?: true };
    }
  | PlainMeaning;

/** What does not depend on what JSON says. */
export type PlainMeaning =
  | { readonly say: 'pass' }
  /** `{name}`, `{exit}`, `{status}`, `{stderr}` are filled in `otherwise`, which is used if no stream has text. */
  | { readonly say: 'deny'; readonly reason: readonly Stream[]; readonly otherwise: string }
  | { readonly say: 'notice' }
  | { readonly say: 'fault'; readonly fault: FaultKind };

export interface ExitRow {
  /** `other` catches every code not named; it never catches a signal. */
  readonly exit: readonly number[] | 'other';
  readonly means: Meaning;
  /** JSON on stdout counts beside what the code means: a refusal before it, effects and wishes in spite of it. */
  readonly beside?: 'json';
}
export interface StatusRow {
  readonly status: '2xx' | 'other';
  readonly means: Meaning;
}
export interface Read {
  readonly exit: readonly ExitRow[];
  readonly status: readonly StatusRow[];
}

export type FaultPolicy = 'pass' | 'deny';
/** A deny counts only where the event grants it. `oversize`, `cancelled` and `depth` deny in every dialect and can't be set. */
export type Fail = { readonly otherwise: FaultPolicy } & {
  readonly [K in Exclude<FaultKind, 'oversize' | 'cancelled' | 'depth'>]?: FaultPolicy;
};

export interface FoldRule {
  /** Context at the start (a system message): only the last one counts, or all. */
  readonly contextStart: 'last' | 'all';
  /** Other context: each text on its own, or joined by newline into one. */
  readonly contextEnd: 'each' | 'joined';
}

export function isGating(rule: EventRule): boolean {
  return rule.grants.includes('deny');
}

/**
 * Whether a deny on this event keeps something from happening. A deny that sends an agent back to work blocks nothing, and a failure that
 * repeats it would never end.
 */
export function isBlockingEvent(rule: EventRule): boolean {
  return isGating(rule) && !rule.kinds.some((kind) => kindRule(kind).denyContinues || kindRule(kind).denySendsBack);
}

/** Whether any of these formats could deny an event of this kind: where one could, a failure of ours must not read as consent. */
export function canBeDenied(kind: EventKind, profiles: readonly Profile[]): boolean {
  return profiles.some(({ events }) => Object.values(events).some((rule) => isGating(rule) && rule.kinds.includes(kind)));
}
