/** `hookline why`: explains one decision in sentences. */
import type { LogEntry, LogStore } from '../../core/contracts/decision-record.ts';
import { explainEntry, isEndOf } from '../../engine/record/why.ts';
import { type Arguments, hasFlag } from '../arguments.ts';
import { type CommandResult, type CommandSpec, EXIT } from '../command.ts';
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

export { whySpec as spec };

export function run(args: Arguments): Promise<CommandResult> {
  return withStore(args, async ({ log, tickets }) => {
    const entry = await findEntry(log, args.positionals[0] as string);
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
  takes: '<id>',
  words: { min: 1, max: 1, missing: 'The id of the decision is missing. Run `hookline log` to see the ids.' },
  options: [...STORE_OPTIONS, JSON_OPTION, HELP_OPTION],
  notes: [
    'The id is that of an outcome, as `hookline fire --json` and `hookline log` print it. It may be shortened as long as it is unique.',
  ],
  examples: [
    { does: 'Explain a denial', line: 'hookline why mi3k9x2a' },
    { does: 'For a machine', line: 'hookline why mi3k9x2a --json' },
  ],
};
