/**
 * Verifies the log: each entry by its hash and its place, the beginning by the entry of the pruning, the end by the seal of the head and by
 * the checkpoints. It continues after a problem, so that one broken entry hides no other.
 */

import type { Store } from '../../core/contracts/store.ts';
import type { Checkpoint } from '../../core/record/checkpoint.ts';
import { type Anchor, chainProblems, isAct, type LogEntry } from '../../core/record/decision-record.ts';
import { type Ledger, type SealedHead, ticketEntryId } from '../../core/record/ledger.ts';
import type { Hash } from '../../core/values/digest.ts';
import { prunedRange } from './ledger.ts';

/** The knowledge of this machine about a log, apart from the log. */
export interface Witness {
  readonly ledger: Ledger;
  readonly now: number;
  /** The public key of this machine; undefined if it has none yet. */
  readonly key: string | undefined;
  /** The checkpoints of this store, and the numbers of lines that cannot be read. */
  checkpoints(): { readonly file: string; readonly checkpoints: readonly Checkpoint[]; readonly unreadable: readonly number[] };
  isSigned(checkpoint: Checkpoint): boolean;
}

export type ProblemKind =
  | 'changed'
  | 'missing'
  | 'moved'
  | 'unreadable'
  | 'pruned-unrecorded'
  | 'shortened'
  | 'head'
  | 'seal'
  | 'checkpoint'
  | 'approval-unproven';

export interface LogProblem {
  /** The entry that it concerns. */
  readonly seq: number;
  readonly problem: ProblemKind;
  /** A sentence that tells what happened. */
  readonly says: string;
}

export interface Verified {
  readonly ok: boolean;
  readonly entries: number;
  /** The last entry. If its hash is kept elsewhere, it shows later whether the newest entries were removed. */
  readonly head: Anchor;
  /** The first problem. */
  readonly problem?: LogProblem;
  /** The first hundred problems. */
  readonly problems: readonly LogProblem[];
  /** Whether the seal of the head fits. A seal of another machine cannot be checked here. */
  readonly sealed: 'yes' | 'by another machine' | 'no';
  /** The checkpoints of this machine that were compared with the log. */
  readonly checkpoints: { readonly count: number; readonly last?: { readonly seq: number; readonly at: number } };
}

export interface VerifyOptions {
  /** An earlier hash that must be in the log. */
  readonly head?: string | undefined;
  readonly witness?: Witness;
  onPage?(entries: number): void;
}

const PAGE = 1000;
const MOST_PROBLEMS = 100;

/** Reads page by page, because a log may be larger than memory. */
export async function verifyLog(store: Store, hash: Hash, { head, witness, onPage }: VerifyOptions = {}): Promise<Verified> {
  const { log } = store;
  const problems: LogProblem[] = [];
  const note = (seq: number, problem: ProblemKind, says: string): void => {
    if (problems.length < MOST_PROBLEMS) problems.push({ seq, problem, says });
  };
  const anchor = await log.anchor();
  // Read before the entries: others may append meanwhile.
  const sealedHead = await log.head();
  const kept = witness?.checkpoints() ?? { file: '', checkpoints: [], unreadable: [] };
  const expected = new Map(kept.checkpoints.map((checkpoint) => [checkpoint.seq, checkpoint]));
  const scan = { entries: 0, seen: head === undefined || head === anchor.hash, acts: 0, pruned: undefined as Anchor | undefined };
  let headHash = sealedHead.seq === anchor.seq ? anchor.hash : undefined;
  let at = anchor;
  for (;;) {
    const page = await log.list({ after: at.seq, limit: PAGE });
    for (const { seq, problem } of chainProblems(page, at, hash)) note(seq, problem, sayBroken(seq, problem, page));
    for (const entry of page) {
      scan.seen ||= entry.hash === head;
      if (entry.seq === sealedHead.seq) headHash = entry.hash;
      const checkpoint = expected.get(entry.seq);
      if (checkpoint && checkpoint.hash !== entry.hash) note(entry.seq, 'checkpoint', sayDifferent(checkpoint));
      if (isAct(entry.kind)) scan.acts += 1;
      scan.pruned = prunedRange(entry)?.last ?? scan.pruned;
    }
    scan.entries += page.length;
    onPage?.(scan.entries);
    const last = page.at(-1);
    if (last) at = { seq: last.seq, hash: last.hash };
    if (page.length < PAGE) break;
  }
  if (!scan.seen) note(at.seq + 1, 'missing', 'The head that was given is not in the log: the newest entries were removed.');
  const isOld = scan.acts === 0 && sealedHead.seal === null;
  if (anchor.seq > 0 && !isOld && (scan.pruned?.seq !== anchor.seq || scan.pruned.hash !== anchor.hash))
    note(anchor.seq, 'pruned-unrecorded', `The entries up to ${anchor.seq} are gone, and no entry says that they were pruned.`);
  reportEnd({ at, sealedHead, headHash, now: await log.head(), newest: newestOf(kept.checkpoints) }, note);
  const sealed = sealOf(sealedHead, witness, kept.checkpoints.length > 0, note);
  if (witness) reportCheckpoints(kept, witness, note);
  if (witness) await reportUnproven(store, witness, note);
  const newest = newestOf(kept.checkpoints);
  const [problem] = problems;
  return {
    ok: problem === undefined,
    entries: scan.entries,
    head: at,
    ...(problem && { problem }),
    problems,
    sealed,
    checkpoints: { count: kept.checkpoints.length, ...(newest && { last: { seq: newest.seq, at: newest.at } }) },
  };
}

type Note = (seq: number, problem: ProblemKind, says: string) => void;

function sayBroken(seq: number, problem: 'changed' | 'missing' | 'moved' | 'unreadable', page: readonly LogEntry[]): string {
  const entry = page.find((one) => one.seq === seq);
  if (problem === 'missing') return `Entry ${seq} was removed.`;
  if (problem === 'moved') return `Entry ${seq} does not follow the entry before it.`;
  if (problem === 'unreadable') return `Entry ${seq} cannot be read: ${entry?.unreadable}`;
  const where = entry?.altered ? ` Changed: ${entry.altered.join(', ')}.` : '';
  return `Entry ${seq} is not what was written.${where}`;
}

function sayDifferent({ seq, at }: Checkpoint): string {
  return `Entry ${seq} is not the one that the log had on ${dayOf(at)}: the entries since were removed or written anew.`;
}

interface End {
  /** The last entry that is there. */
  readonly at: Anchor;
  /** The head as it was before the entries were read, and the hash of the entry of its number. */
  readonly sealedHead: SealedHead;
  readonly headHash: string | undefined;
  /** The head as it is now. */
  readonly now: SealedHead;
  readonly newest: Checkpoint | undefined;
}

function reportEnd({ at, sealedHead, headHash, now, newest }: End, note: Note): void {
  const before = Math.max(newest?.seq ?? 0, sealedHead.seq);
  if (before > at.seq) {
    const when = newest && newest.seq > at.seq ? `on ${dayOf(newest.at)} it had entry ${newest.seq}` : `its head is entry ${before}`;
    const ends = at.seq === 0 ? 'The log is empty' : `The log ends with entry ${at.seq}`;
    note(at.seq + 1, 'shortened', `${ends}, but ${when}: the newest entries were removed.`);
  } else if (headHash !== sealedHead.hash)
    note(sealedHead.seq, 'head', `The head of the log does not name entry ${sealedHead.seq} as it is.`);
  if (at.seq > Math.max(now.seq, before)) note(now.seq + 1, 'head', `The entries after ${now.seq} were not written by Hookline.`);
}

function sealOf(head: SealedHead, witness: Witness | undefined, isWatched: boolean, note: Note): Verified['sealed'] {
  const seal = witness?.ledger.seal;
  if (head.seal === null || head.origin === null) {
    if (isWatched && head.seq > 0)
      note(head.seq, 'seal', 'The head of the log has no seal: an older version of Hookline, or another program, has written to the log.');
    return 'no';
  }
  if (!seal || head.origin !== seal.origin) return 'by another machine';
  if (seal.of(head) === head.seal) return 'yes';
  note(head.seq, 'seal', 'The seal of the head does not fit: the newest entries were removed or replaced, or the key of this machine was.');
  return 'no';
}

function reportCheckpoints(
  { file, checkpoints, unreadable }: ReturnType<Witness['checkpoints']>,
  { key, isSigned }: Witness,
  note: Note,
): void {
  for (const line of unreadable) note(0, 'checkpoint', `Line ${line} of ${file} is not a checkpoint.`);
  for (const checkpoint of checkpoints) {
    if (checkpoint.key !== key) note(checkpoint.seq, 'checkpoint', `The checkpoint of entry ${checkpoint.seq} is signed with another key.`);
    else if (!isSigned(checkpoint))
      note(checkpoint.seq, 'checkpoint', `The signature of the checkpoint of entry ${checkpoint.seq} is wrong.`);
  }
}

/** Names the tickets whose approval would be used and which the log does not know. */
async function reportUnproven(store: Store, { ledger, now }: Witness, note: Note): Promise<void> {
  for (const id of await unprovenTickets(store, ledger, now))
    note(0, 'approval-unproven', `Ticket ${id} says that it is approved, but the log does not. It releases nothing.`);
}

export async function unprovenTickets({ tickets, log }: Store, ledger: Ledger, now: number): Promise<readonly string[]> {
  const unproven: string[] = [];
  for (const ticket of await tickets.list({ state: 'approved' }, now)) {
    if (ticket.releasedAt !== null || ticket.expiresAt <= now) continue;
    const entry = await log.get(ticketEntryId(ticket.id, 'ticket.approved'));
    const isUsed = await log.get(ticketEntryId(ticket.id, 'ticket.released'));
    if (!entry || isUsed || !ledger.proves(entry, ticket)) unproven.push(ticket.id);
  }
  return unproven;
}

function newestOf(checkpoints: readonly Checkpoint[]): Checkpoint | undefined {
  return checkpoints.reduce<Checkpoint | undefined>((newest, one) => (newest && newest.seq >= one.seq ? newest : one), undefined);
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace('T', ' ');
}
