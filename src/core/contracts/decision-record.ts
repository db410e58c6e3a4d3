/**
 * The record of decisions: one entry per firing. A hash binds each entry to the one before it, so that a removed or changed entry shows. The
 * hash function is handed in, and the rest is pure.
 */
import type { DecisionKind } from '../decision/decision.ts';
import type { Outcome } from '../decision/outcome.ts';
import type { EventKind } from '../event/event.ts';
import { canonicalJson, type Hash } from '../values/digest.ts';
import type { Json, JsonObject } from '../values/json.ts';
import type { Actor, Who } from './who.ts';

/** What people and Hookline do besides judging events. Each of these acts, allowed or refused, is an entry of the log. */
export const ACT_KINDS = [
  'ticket.opened',
  'ticket.approved',
  'ticket.denied',
  'ticket.withdrawn',
  'ticket.expired',
  'ticket.released',
  'grant.given',
  'grant.used',
  'grant.revoked',
  'trust.added',
  'trust.denied',
  'trust.removed',
  'log.pruned',
  'settings.changed',
  'hooks.installed',
  'hooks.uninstalled',
  'server.stopped',
  'approvals.protected',
  'approvals.unprotected',
  'pause.started',
  'pause.ended',
] as const;
export type ActKind = (typeof ACT_KINDS)[number];

export function isAct(kind: EventKind | ActKind): kind is ActKind {
  return (ACT_KINDS as readonly string[]).includes(kind);
}

/** The entry of one firing, or of one act. */
export interface LogRecord {
  /** The outcome's id. */
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly session: string;
  readonly root: string;
  readonly kind: EventKind | ActKind;
  readonly tool: string | null;
  readonly decision: DecisionKind;
  readonly reason: string | null;
  readonly ticket: string | null;
  /** The event's payload with secrets masked, and the places of those secrets. */
  readonly data: JsonObject;
  readonly masked: readonly string[];
  /** The places of which only a part is kept, because they were too long; absent if there are none. */
  readonly cut?: readonly string[];
  /** The rest of the outcome: hooks, effects, diagnostics. Secrets are masked here too. */
  readonly outcome: Json;
  /** Of the whole event, of the hooks, and of the input of a tool that was about to run, before anything was masked or cut. */
  readonly digests: { readonly event: string; readonly hooks: string; readonly input?: string };
  readonly ms: number;
  /** Whose action or act this was. Entries of older versions lack it. */
  readonly who?: Who;
  /** Set for an act that needs a person: `decision` is then `allow` or `deny`. */
  readonly actor?: Actor;
}

export interface LogEntry extends LogRecord {
  /** 1, 2, 3 … without gaps. */
  readonly seq: number;
  readonly previous: string;
  readonly hash: string;
}

/** The code of the diagnostic in an entry whose answer no agent received. */
export const CALLER_GONE = 'caller-gone';

export interface LogFilter {
  readonly session?: string;
  readonly tool?: string;
  readonly decision?: DecisionKind | readonly DecisionKind[];
  /** Part of the name or id of a hook that was asked or skipped. */
  readonly hook?: string;
  readonly since?: number;
  readonly until?: number;
  /** Looks at no more than this many of the newest entries, unless an index makes more as cheap: the log may have any length. */
  readonly among?: number;
  /** Entries after this one. */
  readonly after?: number;
  /** The most entries to return: the next ones with `after`, otherwise the newest ones. They are always oldest first. */
  readonly limit?: number;
}

export interface LogStore {
  /** Durable when it returns or resolves: a process that is killed afterwards loses nothing of it. Throws or rejects if it cannot be written. */
  append(record: LogRecord, hash: Hash): undefined | Promise<undefined>;
  list(filter: LogFilter): Promise<readonly LogEntry[]>;
  get(id: string): Promise<LogEntry | undefined>;
  /** Removes entries before this time, and leaves an anchor so that the rest of the chain still verifies. Returns how many it removed. */
  prune(before: number): Promise<number>;
  /** Returns where the chain begins: the hash that the first entry must name. */
  anchor(): Promise<Anchor>;
}

export interface Anchor {
  /** The number of the last entry that was pruned; 0 if none was. */
  readonly seq: number;
  readonly hash: string;
}

/** The predecessor that the very first entry names. */
export const GENESIS: Anchor = { seq: 0, hash: 'sha256:0' };

/** `text`: the record as canonical JSON, if the caller has it already. */
export function chain(record: LogRecord, previous: Anchor, hash: Hash, text: string = canonicalJson(record)): LogEntry {
  const seq = previous.seq + 1;
  return { ...record, seq, previous: previous.hash, hash: entryHash(text, seq, previous.hash, hash) };
}

export type ChainProblem = { readonly seq: number; readonly problem: 'changed' | 'missing' | 'moved' };

/** Checks entries in order against the anchor. Returns the first problem, or undefined if the chain holds. */
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
  // An outcome consists of JSON only.
  return rest as unknown as Json;
}
