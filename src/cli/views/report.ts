/** `hookline report`: one page about a session that can be shared, with all secrets masked. */
import { writeFileSync } from 'node:fs';
import type { Store } from '../../core/contracts/store.ts';
import type { LogStore } from '../../core/record/decision-record.ts';
import { explainEntry } from '../../engine/record/why.ts';
import { isPlainPass } from '../../views/fold-passes.ts';
import type { SessionView, ViewEntry, Views } from '../../views/views.ts';
import { type Arguments, hasFlag, optionValue, usageError } from '../arguments.ts';
import { CommandError, type CommandResult, type CommandSpec, EXIT } from '../command.ts';
import { findByPrefix } from '../input/id-prefix.ts';
import { HELP_OPTION, JSON_OPTION, STORE_OPTIONS } from '../options.ts';
import { jsonDocument } from '../output.ts';
import { withViews } from '../store.ts';

/** The most entries of one page. */
const MOST = 5000;
const PAGE = 1000;

export { reportSpec as spec };

export function run(args: Arguments): Promise<CommandResult> {
  const [id] = args.positionals;
  const [isHtml, isJson, file] = [hasFlag(args, 'html'), hasFlag(args, 'json'), optionValue(args, 'out')];
  if (!isHtml && !isJson)
    throw usageError('`hookline report` needs the form of the page.', 'Write `hookline report --html --out report.html`.');
  if (isHtml && isJson && file === undefined)
    throw usageError('`--html` and `--json` both print.', 'Write the page to a file with `--out FILE`.');
  if (file !== undefined && !isHtml) throw usageError('`--out` needs `--html`.', 'Write `hookline report --html --out report.html`.');
  if (isHtml && file === undefined && process.stdout.isTTY === true)
    throw usageError(
      'A page would fill the terminal with its source.',
      'Write it to a file: `hookline report --html --out report.html`. A pipe or a redirection gets it too.',
    );
  return withViews(args, async (views, store) => {
    const session = await wantedSession(views, id);
    const { entries, isCut } = await entriesOf(views, session);
    const stories = await storiesOf(store, entries);
    if (!isHtml) return { exit: EXIT.ok, out: jsonDocument({ session, entries, isCut, stories: Object.fromEntries(stories) }) };
    const { reportPage } = await import('./report-page.ts');
    const page = reportPage({ session, entries, isCut, stories, madeAt: Date.now() });
    if (file === undefined) return { exit: EXIT.ok, out: page, verbatim: true };
    writePage(file, page);
    return {
      exit: EXIT.ok,
      out: isJson ? jsonDocument({ file, session: session.id }) : `The report on session ${session.id} was written to ${file}.\n`,
    };
  });
}

/** Without an id it is the session with the newest entry. */
async function wantedSession(views: Views, id: string | undefined): Promise<SessionView> {
  if (id !== undefined) {
    const known = await views.session(id);
    return known ?? findByPrefix(id, sessionPages(views), { what: 'session', code: 'not-found', list: 'hookline log' });
  }
  const [newest] = await views.sessions({ limit: 1 });
  if (newest) return newest;
  throw new CommandError({
    ...{ exit: EXIT.negative, code: 'not-found', message: 'There is no session in the log yet.' },
    hint: '`hookline log` shows what is recorded. `hookline agent --scripted` makes a session without an agent and a key.',
  });
}

async function* sessionPages(views: Views): AsyncGenerator<readonly SessionView[]> {
  for (let after: SessionView | undefined; ; ) {
    const page: readonly SessionView[] = await views.sessions({ limit: 500, ...(after && { after }) });
    yield page;
    after = page.at(-1);
    if (!after) return;
  }
}

/** Returns the newest entries of a session, oldest first. */
async function entriesOf(views: Views, { id }: SessionView): Promise<{ readonly entries: readonly ViewEntry[]; readonly isCut: boolean }> {
  const found: ViewEntry[] = [];
  for (let before: number | undefined; ; ) {
    const page = await views.entries({ session: id }, { limit: PAGE, ...(before !== undefined && { before }) });
    found.push(...page.entries);
    if (page.next === null || found.length >= MOST) return { entries: found.slice(0, MOST).reverse(), isCut: page.next !== null };
    before = page.next;
  }
}

/** Returns the sentences of each entry that was not let pass, by its position. */
async function storiesOf({ log, tickets }: Store, entries: readonly ViewEntry[]): Promise<ReadonlyMap<number, readonly string[]>> {
  const stories = new Map<number, readonly string[]>();
  for (const { pos } of entries.filter((one) => !isPlainPass(one))) {
    const entry = await entryAt(log, pos);
    if (!entry) continue;
    const ticket = entry.ticket === null ? undefined : await tickets.get(entry.ticket, Date.now());
    stories.set(pos, explainEntry(entry, ticket));
  }
  return stories;
}

async function entryAt(log: LogStore, pos: number) {
  const [entry] = await log.list({ after: pos - 1, limit: 1 });
  return entry?.seq === pos ? entry : undefined;
}

function writePage(file: string, page: string): void {
  try {
    writeFileSync(file, page, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST';
    throw new CommandError({
      ...{ exit: EXIT.usage, code: 'usage' },
      message: isThere ? `${file} exists already, so nothing was written.` : `${file} cannot be written: ${(error as Error).message}`,
      hint: isThere ? 'Name another file, or remove this one first.' : 'Name a file in a folder that you may write.',
    });
  }
}

/** The specification of `hookline report`. */
export const reportSpec: CommandSpec = {
  name: 'report',
  summary: 'Write one page about a session: its decisions, who was asked, and why it was stopped. Secrets are masked.',
  takes: '[session]',
  words: { min: 0, max: 1, missing: '' },
  options: [
    { name: 'html', help: 'Write a page that needs no script, no network and no other file.' },
    { name: 'out', value: 'FILE', help: 'Write to a new file that only you can read, instead of stdout.' },
    ...STORE_OPTIONS,
    JSON_OPTION,
    HELP_OPTION,
  ],
  notes: [
    'Without a session it is the one with the newest entry. The id may be shortened as long as it is unique.',
    'The page has the commands, the paths and the account as the log has them. Secrets are masked as in the log.',
  ],
  examples: [
    { does: 'A page about the last session', line: 'hookline report --html --out report.html' },
    { does: 'A page about another session', line: 'hookline report 0a7f63c2 --html --out report.html' },
    { does: 'For a machine', line: 'hookline report --json' },
  ],
};
