/**
 * A profile states, as plain data, what a dialect means. It answers nine questions, and every dialect answers each of them. Shared code reads
 * the answers and never asks which dialect it serves. A new difference between dialects is a new required field here.
 */
import type { ServerFile } from '../contracts/tool-server.ts';
import type { Grant } from '../decision/decision.ts';
import type { FaultKind } from '../decision/reply.ts';
import { type EventKind, kindRule } from '../event/event.ts';
import type { Facet } from '../event/facet.ts';
import { wordingIn } from '../event/tool-wording.ts';
import type { PromisedEnvironment } from '../values/environment.ts';
import { isObject, type Json, type JsonObject } from '../values/json.ts';

export interface Profile {
  /** The events that exist, by native name. */
  readonly events: Readonly<Record<string, EventRule>>;
  /** The limits and checks of its files. */
  readonly load: LoadRule;
  /** How a matcher decides whether a hook applies. */
  readonly match: MatchRule;
  /** The order of hooks, and the decisions that end a lane. */
  readonly run: RunRule;
  /** How a hook is asked. */
  readonly ask: Ask;
  /** The meaning of a reply. */
  readonly read: Read;
  /** The consequence of a fault. */
  readonly fail: Fail;
  /** Whether a rewritten input takes the place of the old one, or is laid over it, so that a key that it leaves out stays. */
  readonly rewrite: 'replaces' | 'merges';
  /** How several verdicts become one. */
  readonly fold: FoldRule;
}

export interface EventRule {
  /** The canonical kinds that this event stands for. */
  readonly kinds: readonly EventKind[];
  readonly run: 'sequence' | 'parallel' | 'detach';
  readonly grants: readonly Grant[];
  /** The facet that a plain `matcher` tests on this event. */
  readonly facet: Facet | null;
  /** Rows that replace those of the profile on this event. */
  readonly read?: Partial<Read>;
  readonly fail?: Partial<Fail>;
  /** Facts that its payload has a field for, and that follow from the session if the caller does not say them. */
  readonly wants?: readonly SessionFact[];
}

/** A key of the canonical payload whose value follows from the events of the session. */
export type SessionFact = 'durationSeconds' | 'totalSteps' | 'turnCount' | 'stepCount' | 'durationMs' | 'depth';

/** The events of a session that a fact follows from: the prompts and tools, or the subagents. Each are noted apart, so only wanted ones are. */
export type TrailName = 'work' | 'subagents';

export const TRAIL_OF: Readonly<Record<SessionFact, TrailName>> = {
  durationSeconds: 'work',
  totalSteps: 'work',
  turnCount: 'work',
  stepCount: 'work',
  durationMs: 'subagents',
  depth: 'subagents',
};

export interface LoadRule {
  /** The severity of an unknown event name. The other hooks of the file load in both cases. */
  readonly unknownEvent: 'warning' | 'error';
  /** If a file has more hooks than this, the rest is not loaded and an error is reported. Null: no limit. */
  readonly maxHooks: number | null;
  /** Whether the audit reads every file of a hook's folder, and not only the files that the hook runs. */
  readonly auditFolder: boolean;
  /** The files with the MCP servers that its hooks may name; the first that defines a name counts. Absent: its hooks name none. */
  readonly servers?: readonly ServerFile[];
}

export interface MatchRule {
  readonly anchor: 'search' | 'whole';
  /** Whether a matcher holds on an event that has no such facet. */
  readonly missingFacet: 'holds' | 'fails';
}

export interface RunRule {
  readonly order: 'declared' | 'priority';
  /** Decisions that end the lane. */
  readonly stopOn: readonly ('deny' | 'hold' | 'ask')[];
  /** Whether a later hook of the lane receives the input that an earlier one rewrote. */
  readonly inputs: 'original' | 'piped';
}

export interface Ask {
  readonly timeout: { readonly unit: 'ms' | 's'; readonly fallbackMs: number; readonly minMs?: number; readonly maxMs?: number };
  readonly command: {
    /** `shell`: `sh -c`; `bash`: `bash -c`; `own-shell`: the user's shell with `-c`; `script`: the file itself, by its shebang. */
    readonly launch: 'shell' | 'bash' | 'own-shell' | 'script';
    /** How the payload reaches the command: on stdin, or in the named environment variable (stdin is then empty). */
    readonly input: 'stdin' | { readonly env: string };
    /** `spaced` writes a space after every `:` and `,`; `line` is compact and ends with a newline, because a shell's `read` fails without one. */
    readonly json: 'compact' | 'spaced' | 'line';
    /** `joined` also keeps stdout and stderr interleaved. */
    readonly capture: 'split' | 'joined';
    /** The variables of the agent that the format promises its commands. Variables that a hook sets itself are added. */
    readonly environment: PromisedEnvironment;
  };
  /** How many redirects are followed. With 0 a redirect is an answer like any other. */
  readonly http: { readonly redirects: number };
  /** How a model that answers a hook writes its verdict. Null: the format has no such hooks. */
  readonly judge: JudgeAnswer | null;
}

/** The verdict of a model. An object with any other key, or with a key of another type, is no verdict. */
export interface JudgeAnswer {
  /** The keys that may decide: `ok` is true or false, `decision` is `allow`, `deny` or `block`. */
  readonly answers: readonly ('ok' | 'decision')[];
  /** Further keys that the format knows besides `reason`. */
  readonly also: readonly string[];
}

/** The sources of a reason, notice or body. The first that is not empty is used, trimmed. */
export type Stream = 'stdout' | 'stderr' | 'output';

export type Meaning =
  /**
   * Parses JSON by the dialect's wire, from the first of `from` that is not empty; without `from` from stdout. Empty output is a pass. Output that
   * may contain a reply and is not JSON is a fault. With `pass`, the format lets it pass; with `text`, other text is ignored, context or a notice.
   * With `means`, empty output or output that is not JSON has this meaning; with `always` it has it whatever the JSON contains, which then adds
   * the reason and effects.
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

/** A meaning that does not depend on JSON. */
export type PlainMeaning =
  | { readonly say: 'pass' }
  /** `{name}`, `{exit}`, `{status}` and `{stderr}` are replaced in `otherwise`, which is used if no stream has text. */
  | { readonly say: 'deny'; readonly reason: readonly Stream[]; readonly otherwise: string }
  /** With `alsoContext`, the text is information for the person and context for the agent. */
  | { readonly say: 'notice'; readonly alsoContext?: true }
  | { readonly say: 'fault'; readonly fault: FaultKind };

export interface ExitRow {
  /** `other` matches every code that is not named. It never matches a signal. */
  readonly exit: readonly number[] | 'other';
  readonly means: Meaning;
  /** JSON on stdout counts in addition to the code: a denial overrides it, and effects, `ask` and `hold` are kept in spite of it. */
  readonly alsoCounts?: 'json';
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
/** A deny counts only if the event grants it. `oversize`, `cancelled` and `depth` deny in every dialect and cannot be set. */
export type Fail = { readonly otherwise: FaultPolicy } & {
  readonly [K in Exclude<FaultKind, 'oversize' | 'cancelled' | 'depth' | 'changed'>]?: FaultPolicy;
};

export interface FoldRule {
  /** Whether only the last context at the start (a system message) counts, or all of them. */
  readonly contextStart: 'last' | 'all';
  /** Whether other context is kept as separate texts, or joined into one by newlines. */
  readonly contextEnd: 'each' | 'joined';
}

/** Returns the keys of a tool's input that stay although the new input leaves them out. Those that change nothing about the action do not count. */
export function keysThatStay({ rewrite }: Profile, { tool, input }: JsonObject, after: Json): readonly string[] {
  if (rewrite === 'replaces' || !isObject(input) || !isObject(after)) return [];
  const harmless = wordingIn(tool, input);
  return Object.keys(input).filter((key) => !Object.hasOwn(after, key) && !harmless.includes(key));
}

export function isGating(rule: EventRule): boolean {
  return rule.grants.includes('deny');
}

/**
 * Whether a deny on this event prevents something. A deny that sends an agent back to work blocks nothing, and a failure that repeats it would
 * never end.
 */
export function isBlockingEvent(rule: EventRule): boolean {
  return isGating(rule) && !rule.kinds.some((kind) => kindRule(kind).denyContinues || kindRule(kind).denySendsBack);
}

/** Whether any of these formats can deny an event of this kind. If one can, a failure of Hookline must not read as consent. */
export function canBeDenied(kind: EventKind, profiles: readonly Profile[]): boolean {
  return profiles.some(({ events }) => Object.values(events).some((rule) => isGating(rule) && rule.kinds.includes(kind)));
}
