/**
 * The lines that Hookline and a worker exchange on file descriptor 3, as types. A line is one JSON object. A worker gets one event at a time; while
 * it works on it, it may ask for its state or for the judgement of a command. `docs/worker-protocol.md` describes it for authors in other languages.
 */
import type { Json, JsonObject } from '../../core/values/json.ts';

/** An event for a hook. */
export interface RunMessage {
  readonly run: number;
  readonly hook: string;
  readonly file: string;
  readonly event: JsonObject;
  readonly timeoutMs: number;
  /** Variables for the processes that the hook starts for this event. */
  readonly variables: Readonly<Record<string, string>>;
  /** Modules that this worker has not loaded yet: for Hookline's own worker. */
  readonly modules?: readonly SentModule[];
}

export interface SentModule {
  readonly file: string;
  /** Identifies the text of the file. */
  readonly digest: string;
  readonly code: string;
  /** The file of each relative import. */
  readonly imports: Readonly<Record<string, string>>;
}

/** The reply to a question of a worker. `n` is that of the question. */
export type ReplyMessage = { readonly n?: Json } & (
  | { readonly value: Json; readonly version: number }
  | { readonly done: boolean; readonly value: Json; readonly version: number }
  | { readonly allowed: true }
  | { readonly allowed: false; readonly reason: string }
  | { readonly error: string }
);

/** A line of a worker: its answer, its failure or a question. `run` is that of the event; a line about an earlier event is dropped. */
export type WorkerMessage = { readonly run?: number } & (
  | { readonly answer: Json; readonly memory?: number }
  | { readonly error: string; readonly stack?: string; readonly memory?: number }
  | { readonly ask: 'get'; readonly n?: Json; readonly key: string }
  | { readonly ask: 'set'; readonly n?: Json; readonly key: string; readonly value: Json; readonly version?: number }
  | { readonly ask: 'judge'; readonly n?: Json; readonly command: string; readonly cwd?: string }
);
