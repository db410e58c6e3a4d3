/** `hookline why`: explains one decision in sentences: the last one, the last denial, or the one with this id. */
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

/** Finds an entry by its id or the start of it. */
export async function findEntry(log: LogStore, id: string): Promise<LogEntry> {
  const exact = await log.get(id);
  return exact ?? findByPrefix(id, logPages(log), { what: 'decision', code: 'not-found', list: 'hookline log' });
}

/** Reads the log page by page, oldest first. */
async function* logPages(log: LogStore): AsyncGenerator<readonly LogEntry[]> {
  let { seq: last } = await log.anchor();
  for (;;) {
    const page = await log.list({ after: last, limit: PAGE });
    const end = page.at(-1);
    if (!end) return;
    yield page;
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
async function wantedEntry(log: LogStore, args: Arguments): Promise<LogEntry> {
  const [id] = args.positionals;
  const isDeny = hasFlag(args, LAST_DENY);
  if (id !== undefined && isDeny) throw usageError(`An id and \`--${LAST_DENY}\` cannot be combined.`, 'Give one of them.');
  if (id !== undefined) return findEntry(log, id);
  const found = await newestDecision(log, isDeny ? { decision: 'deny' } : {});
  if (found) return found;
  const message = isDeny ? 'No action was denied yet.' : 'There is no decision in the log yet.';
  throw new CommandError({ exit: EXIT.negative, code: 'not-found', message, hint: '`hookline log` shows what is recorded.' });
}

/** Looks at more and more of the newest entries, because any number of acts may follow the last decision. */
async function newestDecision(log: LogStore, filter: LogFilter): Promise<LogEntry | undefined> {
  for (let limit = 10; ; limit *= 10) {
    const entries = await log.list({ ...filter, limit });
    const found = entries.findLast(({ kind }) => !isAct(kind));
    if (found || entries.length < limit) return found;
  }
}

const LAST_DENY = 'last-deny';

export { whySpec as spec };

export function run(args: Arguments): Promise<CommandResult> {
  return withStore(args, async ({ log, tickets }) => {
    const entry = await wantedEntry(log, args);
    const ticket = entry.ticket === null ? undefined : await tickets.get(entry.ticket, Date.now());
    const told = explainEntry(entry, ticket, await lateEntries(log, entry));
    if (hasFlag(args, 'json')) return { exit: EXIT.ok, out: jsonDocument({ id: entry.id, story: told, entry }) };
    const style = terminalStyle();
    const head = style.dim(`decision ${oneLine(entry.id)}, entry ${entry.seq} of the log`);
    return { exit: EXIT.ok, out: `${[head, ...told.map((sentence) => block(sentence, '', style.columns))].join('\n')}\n` };
  });
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
