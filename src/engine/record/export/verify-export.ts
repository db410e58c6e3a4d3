/**
 * Verifies an exported file line by line, with nothing but the file and the public keys that the reader trusts. It names each problem with its
 * line and continues as far as it can.
 */
import type { Checkpoint } from '../../../core/record/checkpoint.ts';
import { type Anchor, chain, type LogRecord } from '../../../core/record/decision-record.ts';
import type { Hash } from '../../../core/values/digest.ts';
import { isObject, type JsonObject, objectIn, textOf } from '../../../core/values/json.ts';

export interface ExportProblem {
  readonly line: number;
  /** The entry, if it is about one. */
  readonly seq?: number;
  readonly problem: 'unreadable' | 'changed' | 'missing' | 'moved' | 'bad-signature' | 'unknown-key' | 'contradicted' | 'incomplete';
  readonly detail: string;
}

export interface VerifiedExport {
  readonly ok: boolean;
  readonly entries: number;
  readonly anchor: Anchor;
  readonly head: Anchor;
  /** How many statements of trusted keys agree with the entries, and up to which entry. */
  readonly checkpoints: number;
  readonly coveredTo: number;
  /** The public keys in the file. */
  readonly keys: readonly string[];
  readonly problems: readonly ExportProblem[];
}

const MOST_PROBLEMS = 100;

/** @param trusted the public keys that the reader trusts */
export async function verifyExport(
  lines: AsyncIterable<string>,
  trusted: ReadonlySet<string>,
  hash: Hash,
  isSigned: (checkpoint: Checkpoint) => boolean,
): Promise<VerifiedExport> {
  const reading = new Reading(trusted, hash, isSigned);
  for await (const line of lines) reading.take(line);
  return reading.result();
}

class Reading {
  readonly #trusted: ReadonlySet<string>;
  readonly #hash: Hash;
  readonly #isSigned: (checkpoint: Checkpoint) => boolean;
  readonly #problems: ExportProblem[] = [];
  readonly #keys = new Set<string>();
  /** Hashes of the newest entries, because a statement names an entry before it. */
  readonly #hashes = new Map<number, string>();
  #line = 0;
  #anchor: Anchor | undefined;
  #head: Anchor = NOWHERE;
  #entries = 0;
  #checkpoints = 0;
  #coveredTo = 0;
  #state: 'begins' | 'goes on' | 'ended' | 'foreign' = 'begins';

  constructor(trusted: ReadonlySet<string>, hash: Hash, isSigned: (checkpoint: Checkpoint) => boolean) {
    this.#trusted = trusted;
    this.#hash = hash;
    this.#isSigned = isSigned;
  }

  take(line: string): void {
    this.#line++;
    if (line.trim() === '' || this.#state === 'foreign') return;
    const value = objectIn(line);
    if (this.#state === 'begins') this.#open(value);
    else if (value === undefined) this.#report('unreadable', 'This line is not JSON.');
    else if (this.#state === 'ended') this.#report('incomplete', 'This line follows the last one.');
    else if (isEntry(value)) this.#takeEntry(value);
    else if (isLost(value)) this.#takeLost(value);
    else if (isCheckpoint(value['checkpoint'])) this.#takeCheckpoint(value['checkpoint']);
    else if (isObject(value['end'])) this.#takeEnd(value['end']);
    else this.#report('unreadable', 'This line is neither an entry nor a statement about one.');
  }

  result(): VerifiedExport {
    this.#line++;
    if (this.#state === 'begins') this.#report('unreadable', 'The file is empty.');
    if (this.#state === 'goes on') this.#report('incomplete', 'The last line is missing, so the file was cut off.');
    return {
      ok: this.#problems.length === 0,
      entries: this.#entries,
      anchor: this.#anchor ?? NOWHERE,
      head: this.#head,
      checkpoints: this.#checkpoints,
      coveredTo: this.#coveredTo,
      keys: [...this.#keys],
      problems: this.#problems,
    };
  }

  #open(value: JsonObject | undefined): void {
    const anchor = value && openingOf(value);
    this.#state = anchor ? 'goes on' : 'foreign';
    if (!anchor) {
      this.#report('unreadable', 'This is not the first line of a log that Hookline exported as ndjson.');
      return;
    }
    this.#anchor = anchor;
    this.#head = anchor;
    this.#hashes.set(anchor.seq, anchor.hash);
  }

  #takeEntry({ seq, previous, hash: written, record }: ExportedEntry): void {
    const due = this.#head.seq + 1;
    this.#entries++;
    if (seq !== due) this.#report('missing', `Entry ${due} should be here, and entry ${seq} is.`, due);
    else if (previous !== this.#head.hash) this.#report('moved', `Entry ${seq} does not follow the entry before it.`, seq);
    const { hash: computed } = chain(record, { seq: seq - 1, hash: previous }, this.#hash);
    if (computed !== written) this.#report('changed', `Entry ${seq} is not what was written.`, seq);
    this.#head = { seq, hash: written };
    this.#hashes.set(seq, written);
    this.#hashes.delete(seq - KEPT_HASHES);
  }

  /** The store could not read it when it was exported. Its hash still binds the entries after it. */
  #takeLost({ seq, hash, unreadable }: LostEntry): void {
    this.#entries++;
    this.#report('unreadable', `Entry ${seq} could not be read when the log was exported: ${unreadable}`, seq);
    this.#head = { seq, hash };
    this.#hashes.set(seq, hash);
  }

  #takeCheckpoint(stated: Checkpoint): void {
    const { seq, key } = stated;
    const isNew = !this.#keys.has(key);
    this.#keys.add(key);
    const found = this.#hashes.get(seq);
    if (!this.#isSigned(stated)) this.#report('bad-signature', `The signature under entry ${seq} is not right.`, seq);
    else if (!this.#trusted.has(key)) {
      // Named once, because every statement of that key has the same problem.
      if (isNew) this.#report('unknown-key', 'Statements are signed with a key that you did not give.', seq);
    } else if (found === undefined) this.#report('contradicted', `Entry ${seq} was signed, and it is not here.`, seq);
    else if (found !== stated.hash) this.#report('contradicted', `Entry ${seq} is not the one that was signed.`, seq);
    else {
      this.#checkpoints++;
      this.#coveredTo = Math.max(this.#coveredTo, seq);
    }
  }

  #takeEnd({ entries, seq, hash }: JsonObject): void {
    this.#state = 'ended';
    if (entries !== this.#entries || seq !== this.#head.seq || hash !== this.#head.hash)
      this.#report('incomplete', `The file should end with entry ${seq} after ${entries} entries.`);
  }

  #report(problem: ExportProblem['problem'], detail: string, seq?: number): void {
    if (this.#problems.length < MOST_PROBLEMS)
      this.#problems.push({ line: this.#line, ...(seq !== undefined && { seq }), problem, detail });
  }
}

const NOWHERE: Anchor = { seq: 0, hash: '' };

interface LostEntry {
  readonly seq: number;
  readonly hash: string;
  readonly unreadable: string;
}

interface ExportedEntry {
  readonly seq: number;
  readonly previous: string;
  readonly hash: string;
  readonly record: LogRecord;
}

const KEPT_HASHES = 10_000;

function openingOf(value: JsonObject): Anchor | undefined {
  const { hookline, format, anchor } = value;
  if (hookline !== 'log' || format !== 1 || !isObject(anchor)) return undefined;
  const { seq, hash } = anchor;
  return typeof seq === 'number' && typeof hash === 'string' ? { seq, hash } : undefined;
}

function isEntry(value: object): value is ExportedEntry {
  const { seq, previous, hash, record } = value as Partial<ExportedEntry>;
  return Number.isInteger(seq) && typeof previous === 'string' && typeof hash === 'string' && isObject(record);
}

function isLost(value: object): value is LostEntry {
  const { seq, hash, unreadable } = value as Partial<LostEntry>;
  return Number.isInteger(seq) && typeof hash === 'string' && typeof unreadable === 'string';
}

function isCheckpoint(value: unknown): value is Checkpoint {
  if (!isObject(value)) return false;
  const { seq, at } = value;
  return (
    Number.isInteger(seq) &&
    typeof at === 'number' &&
    ['origin', 'store', 'hash', 'key', 'signature'].every((name) => textOf(value[name]) !== undefined)
  );
}
