/** Builds the pages that open: the story of a decision, a waiting action, a session, a hook, and the help. */
import type { Store } from '../../../core/contracts/store.ts';
import type { ViewEntry, Views } from '../../../views/views.ts';
import { renderTicket } from '../../decisions/print-tickets.ts';
import { findTicket } from '../../decisions/tickets.ts';
import { explainDecision } from '../../decisions/why.ts';
import type { Style } from '../../print/style.ts';
import { block, plural } from '../../print/text.ts';
import { moment, timeOfDay } from '../../print/time.ts';
import { markOf } from '../mark-of.ts';
import type { Page, Target } from './state.ts';

const MOST = 200;

export interface PageParts {
  readonly views: Views;
  readonly store: Store;
  /** Options that suggested commands need to reach the same store. */
  readonly options: string;
  /** Why nothing can be settled here; null if it can. */
  readonly readOnly: string | null;
}

export async function readPage({ views, store, options, readOnly }: PageParts, target: Target): Promise<Page> {
  switch (target.kind) {
    case 'help':
      return helpPage(readOnly);
    case 'ticket': {
      const ticket = await findTicket(store, target.id, Date.now());
      return (style) => renderTicket(ticket, Date.now(), options, style);
    }
    case 'decision': {
      const { id, entry, story } = await explainDecision(store, { id: target.id });
      return (style) => [style.dim(`decision ${id}, entry ${entry.seq} of the log`), ...paragraphs(story, style)].join('\n');
    }
    case 'fold': {
      const { entries } = await views.entries({ session: target.id }, { before: target.lastPos + 1, limit: MOST });
      const own = entries.filter(({ pos }) => pos >= target.firstPos);
      return listPage(`Passes of session ${target.id}`, [], own);
    }
    case 'session':
      return sessionPage(views, target.id);
    case 'hook':
      return hookPage(views, target.id);
  }
}

async function sessionPage(views: Views, id: string): Promise<Page> {
  const session = await views.session(id);
  const { entries } = await views.entries({ session: id }, { limit: MOST });
  if (!session) return listPage(`Session ${id}`, [], entries);
  const { title, project, host, hostVersion, user, machine, firstAt, lastAt, denied, held, asked, faults } = session;
  return listPage(
    title ?? `Session ${id}`,
    [
      `Session ${id} of ${`${host} ${hostVersion}`.trim() || 'a program of its own'}, in ${project}.`,
      ...(user === '' ? [] : [`It works for ${user} on ${machine}.`]),
      `From ${moment(firstAt)} to ${moment(lastAt)}: ${plural(session.entries, 'event')}, ${denied} denied, ${held + asked} held for a person, ${plural(faults, 'hook failure')}.`,
    ],
    entries,
  );
}

async function hookPage(views: Views, id: string): Promise<Page> {
  const now = Date.now();
  const hook = (await views.hooks({ since: now, until: now })).find((one) => one.id === id);
  const { entries } = await views.entries({ hook: id }, { limit: MOST });
  const facts = hook
    ? [
        `${hook.dialect} ${hook.event}, ${hook.handler}, in ${hook.file} (${hook.scope}).`,
        hook.lastFaultAt === null ? 'It has not failed.' : `It failed last at ${moment(hook.lastFaultAt)}.`,
      ]
    : [];
  return listPage(`Hook ${hook?.name ?? id}`, [...facts, 'The calls that it denied, held for a person, or failed at:'], entries);
}

/** Newest first. */
function listPage(title: string, facts: readonly string[], entries: readonly ViewEntry[]): Page {
  return (style) => {
    const lines = entries.map((entry) => {
      const [, glyph, word] = markOf(entry);
      const why = entry.reason === null ? '' : `: ${entry.reason}`;
      return block(
        `${timeOfDay(entry.at)} ${glyph} ${word}  ${entry.tool ?? entry.kind}  ${entry.what}${why}`,
        '  ',
        style.columns,
      ).trimStart();
    });
    const rest = entries.length === MOST ? [style.dim(`These are the newest ${MOST}.`)] : [];
    return [
      style.bold(block(title, '', style.columns)),
      ...paragraphs(facts, style),
      '',
      ...(lines.length === 0 ? ['None.'] : lines),
      ...rest,
    ].join('\n');
  };
}

function paragraphs(sentences: readonly string[], style: Style): string[] {
  return sentences.map((sentence) => block(sentence, '', style.columns));
}

const HELP: readonly string[] = [
  'tab, shift+tab   next list, previous list',
  'j, k, arrows     move; space, page up and page down, g and G move far',
  '↵                open: the story of a decision, the action that waits, the session, the hook',
  'a, d             approve or deny the chosen action; it is shown whole first, and ↵ confirms',
  '/                show only what contains a text; escape shows everything',
  'p                pause, and go on',
  'q, ctrl+c        quit; in an open page q and escape go back',
];

const MARKS = '✕ denied  ‖ waits for a person  ! a hook could not be asked  ~ rewritten  ✓ allowed';

function helpPage(note: string | null): Page {
  return (style) =>
    [
      style.bold('Keys'),
      ...HELP.map((line) => block(line, '  ', style.columns)),
      '',
      style.bold('Signs'),
      block(MARKS, '  ', style.columns),
      ...(note === null ? [] : ['', style.bold('Read-only'), block(note, '  ', style.columns)]),
    ].join('\n');
}
