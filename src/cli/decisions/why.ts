/** `hookline why`: explains one decision in sentences: the last one, the last denial, or the one with this id. */
import type { Store } from '../../core/contracts/store.ts';
import { isAct, type LogEntry, type LogFilter, type LogStore } from '../../core/record/decision-record.ts';
import { explainEntry, isEndOf } from '../../engine/record/why.ts';
import { type Arguments, hasFlag, usageError } from '../arguments.ts';
import { CommandError, type CommandResult, type CommandSpec, EXIT } from '../command.ts';
import { findByPrefix } from '../input/id-prefix.ts';
import { HELP_OPTION, JSON_OPTION, STORE_OPTIONS } from '../options.ts';
import { jsonDocument } from '../output.ts';
import { terminalStyle } from '../print/style.ts';
import { block, oneLine } from '../print/text.ts';
import { withStore } from '../store.ts';

const PAGE = 1000;
const NEAR = 50;

/** The decision to explain, and the only project whose decisions count; without one all of them do. */
export interface WantedDecision {
  readonly id?: string | undefined;
  readonly isDeny?: boolean;
  readonly root?: string;
}

/** Finds an entry by its id or the start of it. */
export async function findEntry(log: LogStore, id: string, root?: string): Promise<LogEntry> {
  const exact = await log.get(id);
  if (exact && isIn(exact, root)) return exact;
  return findByPrefix(id, logPages(log, root), { what: 'decision', code: 'not-found', list: 'hookline log' });
}

function isIn(entry: LogEntry, root: string | undefined): boolean {
  return root === undefined || entry.root === root;
}

/** Reads the log page by page, oldest first. */
async function* logPages(log: LogStore, root: string | undefined): AsyncGenerator<readonly LogEntry[]> {
  let { seq: last } = await log.anchor();
  for (;;) {
    const page = await log.list({ after: last, limit: PAGE });
    const end = page.at(-1);
    if (!end) return;
    yield page.filter((entry) => isIn(entry, root));
    last = end.seq;
  }
}

/** Returns the entries about the ends of the background hooks that a decision started. */
async function lateEntries(log: LogStore, { id, seq, session }: LogEntry): Promise<readonly LogEntry[]> {
  // A hook that ends at once may be recorded shortly before its event.
  const later = await log.list({ session, after: Math.max(0, seq - NEAR), limit: PAGE });
  return later.filter((entry) => isEndOf(entry, id));
}

/** Without an id it is the newest decision. An act of a person on a ticket, on trust or on the log is found by its id. */
async function wantedEntry(log: LogStore, { id, isDeny = false, root }: WantedDecision): Promise<LogEntry> {
  if (id !== undefined) return findEntry(log, id, root);
  const found = await newestDecision(log, isDeny ? { decision: 'deny' } : {}, root);
  if (found) return found;
  const message = isDeny ? 'No action was denied yet.' : 'There is no decision in the log yet.';
  throw new CommandError({ exit: EXIT.negative, code: 'not-found', message, hint: '`hookline log` shows what is recorded.' });
}

/** Looks at more and more of the newest entries, because any number of acts may follow the last decision. */
async function newestDecision(log: LogStore, filter: LogFilter, root: string | undefined): Promise<LogEntry | undefined> {
  for (let limit = 10; ; limit *= 10) {
    const entries = await log.list({ ...filter, limit });
    const found = entries.findLast((entry) => !isAct(entry.kind) && isIn(entry, root));
    if (found || entries.length < limit) return found;
  }
}

const LAST_DENY = 'last-deny';

export { whySpec as spec };

export async function run(args: Arguments): Promise<CommandResult> {
  const [id] = args.positionals;
  const isDeny = hasFlag(args, LAST_DENY);
  if (id !== undefined && isDeny) throw usageError(`An id and \`--${LAST_DENY}\` cannot be combined.`, 'Give one of them.');
  const told = await withStore(args, (store) => explainDecision(store, { id, isDeny }));
  if (hasFlag(args, 'json')) return { exit: EXIT.ok, out: jsonDocument(told) };
  const style = terminalStyle();
  const head = style.dim(`decision ${oneLine(told.id)}, entry ${told.entry.seq} of the log`);
  return { exit: EXIT.ok, out: `${[head, ...told.story.map((sentence) => block(sentence, '', style.columns))].join('\n')}\n` };
}

export interface ExplainedDecision {
  readonly id: string;
  /** The explanation, in sentences. */
  readonly story: readonly string[];
  readonly entry: LogEntry;
}

/** Finds a decision and explains it. Throws if there is none. */
export async function explainDecision({ log, tickets }: Store, wanted: WantedDecision): Promise<ExplainedDecision> {
  const entry = await wantedEntry(log, wanted);
  const ticket = entry.ticket === null ? undefined : await tickets.get(entry.ticket, Date.now());
  return { id: entry.id, story: explainEntry(entry, ticket, await lateEntries(log, entry)), entry };
}

/** The specification of `hookline why`. */
export const whySpec: CommandSpec = {
  name: 'why',
  summary: 'Explain one decision: which hooks ran, what each returned, and why the outcome followed.',
  takes: '[id]',
  words: { min: 0, max: 1, missing: '' },
  options: [{ name: LAST_DENY, help: 'Explain the last action that was denied.' }, ...STORE_OPTIONS, JSON_OPTION, HELP_OPTION],
  notes: [
    'Without an id it explains the last decision.',
    'The id is that of an outcome, as `hookline fire --json` and `hookline log` print it. It may be shortened as long as it is unique.',
  ],
  examples: [
    { does: 'Explain the last decision', line: 'hookline why' },
    { does: 'Explain the last denial', line: 'hookline why --last-deny' },
    { does: 'Explain a decision of the log', line: 'hookline why mi3k9x2a' },
    { does: 'For a machine', line: 'hookline why mi3k9x2a --json' },
  ],
};
