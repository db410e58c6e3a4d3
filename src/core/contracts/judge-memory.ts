/** The memory of judges: the cost of each session, and the verdicts that were given before. */
import type { JsonObject } from '../values/json.ts';

export interface Cost {
  readonly tokens: number;
  /** In millionths of the currency of the prices. */
  readonly micros: number;
}

/** The cost of judges in each session, counted across processes. */
export interface Spending {
  /** Returns the sum, or why it is unknown. */
  of(session: string | undefined): Cost | string;
  /** Adds to the sum. Returns why other processes cannot see it, or undefined if they can. */
  add(session: string | undefined, cost: Cost): string | undefined;
}

/** One use of a tool by the model of an `agent` hook, with the digest of what it saw. */
export interface Look {
  readonly tool: string;
  readonly input: JsonObject;
  readonly digest: string;
}

export interface KnownVerdict {
  readonly verdict: JsonObject;
  readonly looks: readonly Look[];
}

/** Verdicts that were given before, by the digest of their question. */
export interface Verdicts {
  get(digest: string): KnownVerdict | undefined;
  set(digest: string, known: KnownVerdict): void;
}
