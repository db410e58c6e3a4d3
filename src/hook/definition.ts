/** A hook in TypeScript, as types: its settings, and the event that it is shown. */
import type { AnswerFor } from '../agents/hookline/answer-types.ts';
import type { OnError } from '../core/contracts/hook.ts';
import type { EventKind, HookEvent } from '../core/event/event.ts';
import type { EventPayloads } from '../core/event/payloads.ts';
import type { HooklineTools, KnownTools, WithToolCall } from '../core/event/tool-types.ts';
import type { Json, JsonObject } from '../core/values/json.ts';

/** A whole value, one of several, or a pattern that is searched for. */
export type Matched = string | readonly string[] | RegExp;

/** The name of any tool. Editors complete the names of those whose input has a type. */
export type ToolName = (keyof Tools & string) | (string & {});
export type MatchedTool = ToolName | readonly ToolName[] | RegExp;

/** The parts of an event that decide whether the hook runs. All of them must hold. */
export interface HookMatch<T extends MatchedTool = MatchedTool> {
  /** The name of the tool. It gives `event.data.input` its type. Editors complete it from the part that infers nothing. */
  readonly tool?: T | NoInfer<ToolName> | undefined;
  /** Any text in the input of the tool. */
  readonly input?: Matched;
  /** A command of the input, a path or the host of an address. */
  readonly target?: Matched;
  /** The prompt or the message. */
  readonly text?: Matched;
  readonly agent?: Matched;
  readonly subagent?: Matched;
  readonly skill?: Matched;
  readonly model?: Matched;
  readonly channel?: Matched;
  readonly user?: Matched;
  /** The source, the reason or the type of the event. */
  readonly cause?: Matched;
  /** A model, a server, a command or the name of a file, if the event is about one. */
  readonly subject?: Matched;
}

/** Hookline reads every setting but `run` without running the file, so it must be written out. */
export interface HookDefinition<K extends EventKind = EventKind, T extends MatchedTool = MatchedTool> {
  readonly on: K;
  readonly match?: HookMatch<T>;
  /** Default: the name of the file. */
  readonly name?: string;
  readonly description?: string;
  /** Default: 60 000. */
  readonly timeoutMs?: number;
  /** Higher runs first. Default: 0. */
  readonly priority?: number;
  /** Asked once in a session. */
  readonly once?: boolean;
  /** If it applies and may not run, the action is denied. */
  readonly required?: boolean;
  /** It runs and its verdict is recorded, but changes nothing: to try a hook out. */
  readonly shadow?: boolean;
  /** The consequence if it fails on an event that can be denied. Default: `deny`. */
  readonly onError?: OnError;
  readonly enabled?: boolean;
  /** Returns its answer, or nothing if it has no opinion. */
  run(event: EventFor<K, T>): HookResult<K> | Promise<HookResult<K>>;
}

/** The answers that have an effect on this event, or nothing. */
// biome-ignore lint/suspicious/noConfusingVoidType: a hook without a return statement is a valid hook.
export type HookResult<K extends EventKind = EventKind> = AnswerFor<K> | null | undefined | void;

/** The event that a hook is shown. It is frozen: to change the input, return `rewrite(…)`. */
export type EventFor<K extends EventKind, T extends MatchedTool = MatchedTool> = Omit<HookEvent, 'kind' | 'data' | 'session'> & {
  readonly kind: K;
  readonly data: Narrowed<EventPayloads[K], T>;
  readonly session: HookEvent['session'] & { readonly state: HookState };
  /** Runs a command in the working directory of the session, after the guard has judged it. A command that the guard denies throws. */
  exec(command: string, options?: ExecOptions): Promise<ExecResult>;
};

type Tools = Omit<KnownTools, keyof HooklineTools> & HooklineTools;
/** The names that `match.tool` states as literals. */
type Named<T> = T extends string ? (string extends T ? never : T) : T extends readonly (infer N)[] ? Named<N> : never;
/** None if `match.tool` is absent: then it has the type of every tool. */
type Literals<T> = MatchedTool extends T ? never : Named<T>;
type CallOf<N> = N extends keyof Tools
  ? { readonly tool: N; readonly input: Tools[N] & JsonObject }
  : { readonly tool: N; readonly input: JsonObject };
type Narrowed<P, T> = P extends { readonly tool: string; readonly input: unknown }
  ? [Literals<T>] extends [never]
    ? WithToolCall<P>
    : Omit<P, 'tool' | 'input'> & CallOf<Literals<T>>
  : P;

/** A small durable memory of this hook in this session. It is safe if several events happen at once. All values together: 64 KiB as JSON. */
export interface HookState {
  /** Undefined if there is none. */
  get(key: string): Promise<Json | undefined>;
  set(key: string, value: Json): Promise<void>;
  delete(key: string): Promise<void>;
  /** Replaces a value by what `change` makes of it. If another event wrote meanwhile, `change` is called again with the newer value. */
  update<V extends Json>(key: string, change: (value: Json | undefined) => V): Promise<V>;
}

export interface ExecOptions {
  readonly cwd?: string;
  /** The text on its stdin. */
  readonly input?: string;
}

export interface ExecResult {
  /** Null if a signal ended it. */
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Returns the definition unchanged: it gives `run` its types. */
export function defineHook<const K extends EventKind, const T extends MatchedTool = MatchedTool>(
  definition: HookDefinition<K, T>,
): HookDefinition<K, T> {
  return definition;
}
