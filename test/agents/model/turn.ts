/** What the model of a test says, and what a wire must know to let it say that to an agent. */

/** One answer of the model: words, or the call of a tool under the name it has in the agent; where that takes plain text, with a text. */
export type Turn = { readonly say: string } | { readonly call: string; readonly input: Readonly<Record<string, unknown>> | string };

/** An API that agents speak to models. */
export interface ModelWire {
  /** Whether a request is one for an answer. */
  readonly path: RegExp;
  /** Whether it is the work itself: agents also ask small things on the side, such as a title for the session. */
  isWork(body: Record<string, unknown>): boolean;
  /** A turn as a stream of events. `id` is unique to it. */
  stream(turn: Turn, id: string): readonly StreamEvent[];
}

export interface StreamEvent {
  /** Absent where the API has only data. */
  readonly event?: string;
  readonly data: unknown;
}
