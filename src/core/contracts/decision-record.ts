/**
 * The record of decisions: one entry per firing, each bound to the one before it by a hash, so that a removed or changed entry shows.
 * The hash is handed in; the rest is pure.
 */
import type { DecisionKind } from '../decision/decision.ts';
import type { Outcome } from '../decision/outcome.ts';
import type { EventKind } from '../event/event.ts';
import { canonicalJson, type Hash } from '../values/digest.ts';
import type { Json, JsonObject } from '../values/json.ts';

/** What is written of one firing, or of one thing that happened to a ticket. */
export interface LogRecord {
  /** The outcome's id. */
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly session: string;
  readonly root: string;
  readonly kind: EventKind;
  readonly tool: string | null;
  readonly decision: DecisionKind;
  readonly reason: string | null;
  readonly ticket: string | null;
  /** The event's payload, secrets masked, and where they were. */
  readonly data: JsonObject;
  readonly masked: readonly string[];
  /** Everything else of the outcome: hooks, effects, diagnostics; masked likewise. */
  readonly outcome: Json;
  readonly digests: { readonly event: string; readonly hooks: string };
  readonly ms: number;
}

export interface LogEntry extends LogRecord {
  /** 1, 2, 3 … without gaps. */
  readonly seq: number;
  readonly previous: string;
  readonly hash: string;
}

export interface LogFilter {
  readonly session?: string;
  readonly tool?: string;
  readonly decision?: DecisionKind;
  /** Part of the name or id of a hook that was asked or skipped. */
  readonly hook?: string;
  readonly since?: number;
  readonly until?: number;
  /** Entries after this one. */
  readonly after?: number;
  /** At most this many: with `after` the next ones, else the newest ones. Always oldest first. */
  readonly limit?: number;
}

export interface LogStore {
  /** Durable when it returns (or resolves): a process killed afterwards loses nothing of it. Throws or rejects if it can't be written. */
  append(record: LogRecord, hash: Hash): undefined | Promise<undefined>;
  list(filter: LogFilter): Promise<readonly LogEntry[]>;
  get(id: string): Promise<LogEntry | undefined>;
  /** Removes entries before this time, and leaves an anchor so that the rest of the chain still verifies. Answers how many. */
  prune(before: number): Promise<number>;
  /** Where the chain begins: the hash the first entry must name. */
  anchor(): Promise<Anchor>;
}

export interface Anchor {
  /** The last entry that was pruned; 0 if none was. */
  readonly seq: number;
  readonly hash: string;
}

/** What the first entry of all names as its predecessor. */
export const GENESIS: Anchor = { seq: 0, hash: 'sha256:0' };

/** `text`: the record as canonical JSON, from whoever has it already. */
export function chain(record: LogRecord, previous: Anchor, hash: Hash, text: string = canonicalJson(record)): LogEntry {
  const seq = previous.seq + 1;
  return { ...record, seq, previous: previous.hash, hash: entryHash(text, seq, previous.hash, hash) };
}

export type ChainProblem = { readonly seq: number; readonly problem: 'changed' | 'missing' | 'moved' };

/** Checks entries in order against the anchor; the first problem, or undefined if the chain holds. */
export function verifyChain(entries: Iterable<LogEntry>, anchor: Anchor, hash: Hash): ChainProblem | undefined {
  let previous = anchor;
  for (const entry of entries) {
    if (entry.seq !== previous.seq + 1) return { seq: previous.seq + 1, problem: 'missing' };
    if (entry.previous !== previous.hash) return { seq: entry.seq, problem: 'moved' };
    const { seq, previous: named, hash: written, ...record } = entry;
    if (entryHash(canonicalJson(record), seq, named, hash) !== written) return { seq, problem: 'changed' };
    previous = { seq, hash: written };
  }
  return undefined;
}

function entryHash(text: string, seq: number, previous: string, hash: Hash): string {
  return `sha256:${hash(`${previous}\n${seq}\n${text}`)}`;
}

/** Returns an outcome as the log keeps it, without the parts that the record has elsewhere. */
export function outcomeForLog({ id: _, kind: __, decision: ___, reason: ____, ...rest }: Outcome): Json {
  // An outcome is made of JSON and nothing else.
  return rest as unknown as Json;
}
