/**
 * The record of decisions: one entry per firing. A hash binds each entry to the one before it, so that a removed or changed entry shows. The
 * hash function is handed in, and the rest is pure.
 */
import type { DecisionKind } from '../decision/decision.ts';
import type { Outcome } from '../decision/outcome.ts';
import type { EventKind } from '../event/event.ts';
import { canonicalJson, type Hash, inOnePiece, canonicalPart as json } from '../values/digest.ts';
import { isObject, type Json, type JsonObject } from '../values/json.ts';
import type { SealedHead } from './ledger.ts';
import type { Actor, Who } from './who.ts';

/** The acts of people and of Hookline besides judging events. Each of them, allowed or refused, is an entry of the log. */
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
  'pins.accepted',
  'pins.removed',
  'log.pruned',
  'settings.changed',
  'hooks.installed',
  'hooks.uninstalled',
  'server.stopped',
  'approvals.protected',
  'approvals.unprotected',
  'pause.started',
  'pause.ended',
  'log.checkpoint',
  // Stands for an entry that is in the log and cannot be read.
  'log.unreadable',
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
  /** Why it cannot be read. Its number, time, session, tool and decision are then those of its columns. */
  readonly unreadable?: string;
  /** The columns that differ from what was written. The entry shows what was written. */
  readonly altered?: readonly string[];
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
  /**
   * Removes entries before this time, and leaves an anchor so that the rest of the chain still verifies. Returns how many it removed. A store
   * with a ledger records the pruning in the same transaction, if anything was removed.
   */
  prune(before: number, pruning?: Pruning): Promise<number>;
  /** Returns where the chain begins: the hash that the first entry must name. */
  anchor(): Promise<Anchor>;
  /** Returns the last entry that was appended, with its seal. It may differ from the last entry that is there. */
  head(): Promise<SealedHead>;
}

/** The reason for a pruning, its time, and the one who wants it. */
export interface Pruning {
  /** Default: now. */
  readonly at?: number;
  /** The retention in days, if the settings demand it. */
  readonly keepDays?: number;
  /** How it was found out that a person wants it. */
  readonly actor?: Actor;
  readonly who?: Who;
}

export interface Anchor {
  /** The number of the last entry that was pruned; 0 if none was. */
  readonly seq: number;
  readonly hash: string;
}

/** The predecessor that the very first entry names. */
export const GENESIS: Anchor = { seq: 0, hash: 'sha256:0' };

export function chain(record: LogRecord, previous: Anchor, hash: Hash): LogEntry {
  return { ...record, ...follow(previous, canonicalJson(record), hash), previous: previous.hash };
}

/** Returns the number and the hash of the next entry. `text`: its record as canonical JSON. */
export function follow(previous: Anchor, text: string, hash: Hash): Anchor {
  const seq = previous.seq + 1;
  return { seq, hash: entryHash(text, seq, previous.hash, hash) };
}

export type ChainProblem = { readonly seq: number; readonly problem: 'changed' | 'missing' | 'moved' | 'unreadable' };

/** Checks entries in order against the anchor. Returns the first problem, or undefined if the chain holds. */
export function verifyChain(entries: Iterable<LogEntry>, anchor: Anchor, hash: Hash): ChainProblem | undefined {
  for (const problem of chainProblems(entries, anchor, hash)) return problem;
  return undefined;
}

/** Checks entries in order and continues after each problem, from the entry that has it. */
export function* chainProblems(entries: Iterable<LogEntry>, anchor: Anchor, hash: Hash): Generator<ChainProblem> {
  let previous = anchor;
  for (const entry of entries) {
    const { seq } = entry;
    if (seq !== previous.seq + 1) yield { seq: previous.seq + 1, problem: 'missing' };
    else if (entry.previous !== previous.hash) yield { seq, problem: 'moved' };
    if (entry.unreadable !== undefined) yield { seq, problem: 'unreadable' };
    else if (!isAsWritten(entry, hash)) yield { seq, problem: 'changed' };
    previous = { seq, hash: entry.hash };
  }
}

/** Whether an entry is what was written, by its own hash. */
export function isAsWritten({ seq, previous, hash: written, unreadable, altered, ...record }: LogEntry, hash: Hash): boolean {
  return unreadable === undefined && altered === undefined && entryHash(canonicalJson(record), seq, previous, hash) === written;
}

/** Returns the entry in place of one whose body cannot be read, from its columns. */
export function unreadableEntry(columns: Omit<LogEntry, keyof typeof UNKNOWN>, why: string): LogEntry {
  const reason = `Entry ${columns.seq} cannot be read: ${why}`;
  return { ...columns, ...UNKNOWN, reason, unreadable: why };
}

const UNKNOWN = {
  root: '',
  kind: 'log.unreadable',
  reason: null,
  ticket: null,
  data: {},
  masked: [],
  outcome: {},
  digests: { event: '', hooks: '' },
  ms: 0,
} as const;

function entryHash(text: string, seq: number, previous: string, hash: Hash): string {
  return `sha256:${hash(`${previous}\n${seq}\n${text}`)}`;
}

/** Returns an outcome as the log keeps it, without the parts that the record has elsewhere. */
export function outcomeForLog({ id: _, kind: __, decision: ___, reason: ____, ...rest }: Outcome): Json {
  // An outcome consists of JSON only.
  return rest as unknown as Json;
}

/**
 * Writes the record of an entry as canonical JSON. Most records have the same keys, and a text whose keys are known is written in two thirds of the
 * time of one whose keys are sorted first. An object with another key, or without one of these, is written by `canonicalPart`: its text is the same.
 */
export function recordText(record: LogRecord): string {
  const { at, data, decision, digests, id, kind, masked, ms, outcome, reason, root, session, ticket, tool, who } = record;
  const isUsual = has(record, 15) && who !== undefined;
  return inOnePiece(
    isUsual
      ? `{"at":${json(at)},"data":${json(data)},"decision":${json(decision)},"digests":${digestsText(digests)},"id":${json(id)},"kind":${json(kind)},"masked":${json(masked)},"ms":${json(ms)},"outcome":${outcomeText(outcome)},"reason":${json(reason)},"root":${json(root)},"session":${json(session)},"ticket":${json(ticket)},"tool":${json(tool)},"who":${json(who)}}`
      : json(record),
  );
}

function digestsText(digests: LogRecord['digests']): string {
  const { event, hooks, input } = digests;
  if (!has(digests, 3) || input === undefined) return json(digests);
  return `{"event":${json(event)},"hooks":${json(hooks)},"input":${json(input)}}`;
}

function outcomeText(outcome: Json): string {
  if (!isObject(outcome) || !has(outcome, 7)) return json(outcome);
  const { context, contextSources, diagnostics, hooks, notices, quiet, unmatched } = outcome;
  const isUsual = context && contextSources && diagnostics && notices && quiet !== undefined && unmatched !== undefined;
  if (!isUsual || !Array.isArray(hooks)) return json(outcome);
  let reports = '';
  for (const hook of hooks) reports += reports === '' ? reportText(hook) : `,${reportText(hook)}`;
  return `{"context":${json(context)},"contextSources":${json(contextSources)},"diagnostics":${json(diagnostics)},"hooks":[${reports}],"notices":${json(notices)},"quiet":${json(quiet)},"unmatched":${json(unmatched)}}`;
}

/** A hook that answered, and perhaps a process that exited or a reason that was given. */
function reportText(hook: Json): string {
  if (!isObject(hook)) return json(hook);
  const { decision, dialect, event, exit, handler, id, ms, name, reason, source, status } = hook;
  const isUsual = decision && dialect && event && handler && id && ms !== undefined && name && source && status;
  if (!isUsual || !has(hook, 9 + Number(exit !== undefined) + Number(reason !== undefined))) return json(hook);
  const [exited, why] = [exit === undefined ? '' : `"exit":${json(exit)},`, reason === undefined ? '' : `"reason":${json(reason)},`];
  return `{"decision":${json(decision)},"dialect":${json(dialect)},"event":${json(event)},${exited}"handler":${json(handler)},"id":${json(id)},"ms":${json(ms)},"name":${json(name)},${why}"source":${json(source)},"status":${json(status)}}`;
}

function has(object: object, keys: number): boolean {
  return Object.keys(object).length === keys;
}
