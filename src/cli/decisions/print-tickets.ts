/** Prints held actions: all of them as a table, or one for the person who decides. Inputs are redacted. */

import type { TicketRecord, TicketState } from '../../core/contracts/store.ts';
import { explainHook } from '../../core/decision/explain.ts';
import { type PendingState, pendingStates } from '../../core/decision/outcome.ts';
import { kindRule } from '../../core/event/event.ts';
import { wordingIn } from '../../core/event/tool-wording.ts';
import { accountText, agentText, repositoryText } from '../../core/record/who.ts';
import type { Json } from '../../core/values/json.ts';
import { redact, redactText } from '../../core/values/redact.ts';
import { shortIds } from '../input/id-prefix.ts';
import { preview } from '../print/event-line.ts';
import type { Style } from '../print/style.ts';
import { block, cutWords, oneLine, pad, placeText, plural, shortName, widthOf } from '../print/text.ts';
import { moment, span } from '../print/time.ts';

/** A part of the tickets, oldest first. */
export interface TicketPage {
  readonly tickets: readonly TicketRecord[];
  readonly hasNext: boolean;
  /** How many there are on all pages, and how many of them are open. */
  readonly all: number;
  readonly open: number;
  /** Whether it contains tickets of several states, or of one that is not open. */
  readonly states: boolean;
}

/** Renders the table: the action, the reason, the hooks that hold it, and the time left. */
export function renderTickets({ tickets, hasNext, all, open, states }: TicketPage, now: number, style: Style): string {
  const last = tickets.at(-1);
  if (!last) return all > 0 ? 'There are no more tickets.\n' : states ? 'There are no tickets.\n' : 'No action is held.\n';
  const waits = `${plural(open, 'action')} ${open === 1 ? 'waits' : 'wait'} for a person`;
  const next = hasNext ? ` Next page: \`--after ${last.id}\`.` : '';
  const more = all > tickets.length ? `  ${tickets.length} of ${all}.${next} \`--json\` lists all of them.\n` : '';
  return [
    `${style.bold(states ? `${plural(all, 'ticket')}, ${waits}` : waits)}\n`,
    table(tickets, states, now, style),
    more === '' ? '' : style.dim(more),
    open === 0 ? '' : `${style.cyan('next:')} \`hookline approvals show ID\`, then \`approve ID\` or \`deny ID\`.\n`,
  ]
    .filter((part) => part !== '')
    .join('\n');
}

/** Returns the action on one line. */
export function actionLine({ kind, tool, action }: TicketRecord): string {
  return [tool === null ? kind : oneLine(tool), preview(subjectOf(action.event))].filter((part) => part !== '').join('  ');
}

/** Returns the part of an event that a person decides about: the part that a rewrite would replace, or all of it. */
export function subjectOf({ kind, data }: TicketRecord['action']['event']): Json {
  const key = kindRule(kind).rewrites?.key;
  return (key === undefined ? undefined : data[key]) ?? data;
}

export function paintState(state: TicketState, text: string, style: Style): string {
  return state === 'open'
    ? style.yellow(text)
    : state === 'approved'
      ? style.green(text)
      : state === 'denied'
        ? style.red(text)
        : style.dim(text);
}

/** Red when it is about to expire, yellow in the last hour. */
export function paintLeft(left: number, text: string, style: Style): string {
  return left < 10 * 60_000 ? style.red(text) : left < 60 * 60_000 ? style.yellow(text) : style.green(text);
}

function table(tickets: readonly TicketRecord[], states: boolean, now: number, style: Style): string {
  const short = shortIds(tickets.map(({ id }) => id));
  const ids = Math.max(2, ...[...short.values()].map((id) => widthOf(oneLine(id))));
  const fixed = (id: string, state: string, left: string, age: string): string =>
    `  ${[id, ...(states ? [state] : []), left, age].join('  ')}  `;
  const head = fixed(pad('id', ids), pad('state', 9), pad('left', 6), pad('age', 6));
  const room = Math.max(24, style.columns - widthOf(head));
  const rows = tickets.map((ticket) => {
    const { id, state, openedAt, expiresAt } = ticket;
    const left = pad(state === 'open' ? span(expiresAt - now) : '–', 6);
    const cells = fixed(
      style.bold(pad(oneLine(short.get(id) ?? id), ids)),
      paintState(state, pad(state, 9), style),
      state === 'open' ? paintLeft(expiresAt - now, left, style) : style.dim(left),
      pad(span(now - openedAt), 6),
    );
    return [`${cells}${cutWords(actionLine(ticket), room)}`, ...below(ticket, states, widthOf(head), room, style)].join('\n');
  });
  return `${style.dim(`${head}what, why, held by`.trimEnd())}\n${rows.join('\n')}\n`;
}

/** In a narrow terminal these lines start at the left, because a narrow column would cut them. */
function below(ticket: TicketRecord, states: boolean, column: number, room: number, style: Style): string[] {
  const { reason, action, root, by, note } = ticket;
  const indent = room >= 50 ? column : 6;
  const holders = action.heldBy.map(({ name, source }) => `${oneLine(name)} ${placeText({ file: source.file, line: source.line })}`);
  const settled = !states || by === null ? '' : `by ${oneLine(by)}${note === null ? '' : `: ${oneLine(redactText(note))}`}`;
  const lines = [oneLine(redactText(reason)), settled, whoseText(ticket), [...holders, `in ${shortName(root)}`].join(', ')].filter(
    (line) => line !== '',
  );
  return lines.map((line, i) => {
    const text = block(line, ' '.repeat(indent), style.columns);
    return i === lines.length - 1 ? style.dim(text) : text;
  });
}

/**
 * Renders one ticket: its details, what approving it releases, and its settlement.
 * @param options options that the suggested commands need in addition to the id
 */
export function renderTicket(ticket: TicketRecord, now: number, options: string, style: Style): string {
  const { id, state, kind, tool, session, root, reason, action, openedAt, expiresAt, digest, who } = ticket;
  const { value: input, masked } = redact(subjectOf(action.event));
  const status = state === 'open' ? paintLeft(expiresAt - now, `${span(expiresAt - now)} left`, style) : '';
  const rows: [string, string][] = [
    ['what', tool === null ? kind : `${kind}  ${tool}`],
    ['input', typeof input === 'string' ? input : JSON.stringify(input, null, 2)],
    ['wording', wordingText(action.event.data)],
    ['masked', masked.join(' ')],
    ['reason', redactText(reason)],
    ['state', pendingStates(action.heldBy).map(stateText).join('\n')],
    ['held by', action.heldBy.map(hookText).join('\n')],
    [
      'before',
      action.reports
        .filter((report) => !action.heldBy.some((holder) => holder.id === report.id))
        .map(hookText)
        .join('\n'),
    ],
    ['not yet', action.waiting.join('\n')],
    ['whose', who ? `${oneLine(accountText(who))} (user ${oneLine(who.userId)}, machine ${oneLine(who.machine.id)})` : ''],
    ['agent', who ? oneLine(agentText(who)) : ''],
    ['project', root],
    ['code', who ? oneLine(repositoryText(who.project)) : ''],
    ['folder', action.event.session.cwd],
    ['session', session],
    ['metadata', ticket.metadata ? JSON.stringify(redact(ticket.metadata).value, null, 2) : ''],
    ['opened', `${moment(openedAt)}, ${span(now - openedAt)} ago`],
    [state === 'expired' ? 'expired' : 'expires', moment(expiresAt)],
    ['settled', settledText(ticket)],
    ['counts', ticket.anyone ? ANYONE : ''],
    ['instead', ticket.edit === null ? '' : JSON.stringify(redact(ticket.edit).value, null, 2)],
    ['digest', digest],
  ];
  const lines = rows.filter(([, text]) => text !== '').map(([label, text]) => row(label, text, style));
  const head = `${style.bold(`ticket ${oneLine(id)}`)}  ${paintState(state, state, style)}  ${status}`.trimEnd();
  return `${head}\n${lines.join('\n')}\n\n${next(ticket, now, options, style)}`;
}

/** @param account the account that settled it, which is shown if another name was given */
export function renderSettled(ticket: TicketRecord, now: number, style: Style, account = ticket.by ?? ''): string {
  const { state, by } = ticket;
  const beside = account === by || account === '' ? '' : ` (account ${oneLine(account)})`;
  const sign = state === 'approved' ? style.green('✓') : state === 'denied' ? style.red('✗') : style.dim('-');
  const did = paintState(state, style.bold(`${state.slice(0, 1).toUpperCase()}${state.slice(1)}`), style);
  const head = `${sign} ${did}${by === null ? '' : ` by ${oneLine(by)}${beside}`}: ${actionLine(ticket)}`;
  return `${head}\n${follows(ticket, now)
    .map((text) => `${block(text, '  ', style.columns)}\n`)
    .join('')}`;
}

/** Returns why the ticket could not be settled. An expired ticket is never called denied. */
export function lostText(ticket: TicketRecord, now: number): { readonly message: string; readonly hint: string } {
  const { id, state, expiresAt, settledAt, releasedAt } = ticket;
  const hint = 'Fire the event again for a new ticket.';
  if (state === 'expired')
    return { message: `Ticket ${id} expired at ${moment(expiresAt)} without a decision. Nothing was changed.`, hint };
  const when = settledAt === null ? '' : ` at ${moment(settledAt)}, ${span(now - settledAt)} ago`;
  const usable = state === 'approved' && releasedAt === null && now < expiresAt;
  return {
    message: `Ticket ${id} was already ${state}${whoText(ticket)}${when}. Nothing was changed.`,
    hint: usable ? `The next identical call passes, once, until ${moment(expiresAt)}.` : (deniedUntil(ticket, now) ?? hint),
  };
}

const ANYONE = 'for everyone who works on this store: the first one that takes this action uses the approval';

/** Returns the consequence of a denial while its ticket lives. */
function deniedUntil({ state, expiresAt }: TicketRecord, now: number): string | undefined {
  if (state !== 'denied' || now >= expiresAt) return undefined;
  return `The same action is denied again until ${moment(expiresAt)}, unless \`approvals.denials\` is \`forget\` in the settings.`;
}

function follows(ticket: TicketRecord, now: number): string[] {
  const { state, edit, expiresAt, action, anyone } = ticket;
  const until = `until ${moment(expiresAt)} (${span(expiresAt - now)} left)`;
  switch (state) {
    case 'approved': {
      if (now >= expiresAt)
        return ['You settled it in the last moment of its life: a caller that waits for it continues. A later call needs a new ticket.'];
      if (edit !== null) return [`It runs with your input, once, ${until}. All hooks judge that input again.`];
      const waiting = action.waiting.length;
      return [
        `The next identical call passes, once, ${until}.`,
        ...(anyone ? [`It counts ${ANYONE}.`] : []),
        ...(waiting === 0 ? [] : [`${plural(waiting, 'hook')} that had not run yet ${waiting === 1 ? 'runs' : 'run'} then.`]),
      ];
    }
    case 'denied':
      return [`The action does not run. ${deniedUntil(ticket, now) ?? 'If it is tried again, it is held again.'}`];
    default:
      return ['The ticket needs no decision any more, and the action does not run. If it is tried again, it is held again.'];
  }
}

function next(ticket: TicketRecord, now: number, options: string, style: Style): string {
  const { id, state, expiresAt, releasedAt, action, tool, kind, who } = ticket;
  const step = (text: string): string => `${style.cyan('next:')} ${text}\n`;
  if (state === 'approved') {
    if (releasedAt !== null) return `The approval was used at ${moment(releasedAt)} and cannot be used again.\n`;
    return `The next identical call passes, once, until ${moment(expiresAt)}.\n`;
  }
  if (state !== 'open') {
    const denied = deniedUntil(ticket, now);
    return denied === undefined ? step('fire the event again for a new ticket.') : `${block(denied, '', style.columns)}\n`;
  }
  const then = action.waiting.length === 0 ? '' : ` ${plural(action.waiting.length, 'hook')} that had not run yet will run then.`;
  const whose = who
    ? ` It counts for ${oneLine(accountText(who))} alone; \`--anyone\` approves it for everyone who works on this store.`
    : '';
  const releases = `Approving releases exactly this, once: ${tool === null ? kind : tool} with the input above, in ${action.event.session.cwd}. Another input needs its own ticket.${then}${whose}`;
  return [
    `${block(releases, '', style.columns)}\n\n`,
    step(`hookline approvals approve ${oneLine(id)}${options}`),
    `      hookline approvals deny ${oneLine(id)} --note "why not"${options}\n`,
  ].join('');
}

/** Names the fields that may differ when the action is tried again. */
function wordingText({ tool, input }: TicketRecord['action']['event']['data']): string {
  const fields = wordingIn(tool, input).map((field) => `\`${field}\``);
  return fields.length === 0 ? '' : `${fields.join(', ')}: another wording is the same action`;
}

function hookText(report: TicketRecord['action']['heldBy'][number]): string {
  const { name, dialect, event, source } = report;
  return `${oneLine(name)}  ${oneLine(`${dialect} · ${event}`)}  ${placeText({ file: source.file, line: source.line })}\n  ${oneLine(redactText(explainHook(report)))}`;
}

function stateText({ state }: PendingState): string {
  const { value } = redact(state);
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

function settledText(ticket: TicketRecord): string {
  const { settledAt, note } = ticket;
  if (settledAt === null || ticket.state === 'expired') return '';
  return `${moment(settledAt)}${whoText(ticket)}${note === null ? '' : `: ${redactText(note)}`}`;
}

/** Names the account next to the name that was given. */
function whoText({ by, via, settledBy }: TicketRecord): string {
  const account = settledBy ? accountText(settledBy) : '';
  const beside = [account, via ?? ''].filter((part) => part !== '').map(oneLine);
  return `${by === null ? '' : ` by ${oneLine(by)}`}${beside.length === 0 ? '' : ` (${beside.join(', ')})`}`;
}

/** Returns whose action it is, on one line. */
function whoseText({ who }: TicketRecord): string {
  return who ? oneLine([accountText(who), agentText(who)].filter((part) => part !== '').join(', ')) : '';
}

function row(label: string, text: string, style: Style): string {
  return `  ${style.dim(label.padEnd(9))}${block(text, ' '.repeat(11), style.columns).trimStart()}`;
}
