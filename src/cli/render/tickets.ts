/** Held actions as a table: what waits, why, who holds it, and how long is left. Inputs are redacted. */
import { kindRule } from '../../core/event.ts';
import type { Json } from '../../core/json.ts';
import { redactText } from '../../core/redact.ts';
import type { TicketRecord, TicketState } from '../../core/store.ts';
import { shortIds } from '../id-prefix.ts';
import { preview } from './input.ts';
import { placeText, shortName } from './place.ts';
import type { Style } from './style.ts';
import { cut, oneLine, pad, plural, widthOf } from './text.ts';
import { span } from './time.ts';

const MOST_ROWS = 100;

/** `states`: whether tickets of several states are among them. */
export function renderTickets(tickets: readonly TicketRecord[], states: boolean, now: number, style: Style): string {
  const open = tickets.filter(({ state }) => state === 'open').length;
  if (tickets.length === 0) return states ? 'There are no tickets.\n' : 'Nothing waits for you: no action is held.\n';
  const shown = tickets.slice(0, MOST_ROWS);
  const rest = tickets.length - shown.length;
  const waits = `${plural(open, 'action')} ${open === 1 ? 'waits' : 'wait'} for a person`;
  return [
    `${style.bold(states ? `${plural(tickets.length, 'ticket')}, ${waits}` : waits)}\n`,
    table(shown, states, now, style),
    rest === 0 ? '' : style.dim(`  … and ${rest} more: \`--json\` has all of them.\n`),
    open === 0 ? '' : `${style.cyan('next:')} \`hookline approvals show ID\`, then \`approve ID\` or \`deny ID\`.\n`,
  ]
    .filter((part) => part !== '')
    .join('\n');
}

/** What would run, on one line. */
export function actionLine({ kind, tool, action }: TicketRecord): string {
  return [tool === null ? kind : oneLine(tool), preview(subjectOf(action.event))].filter((part) => part !== '').join('  ');
}

/** The part of an event a person decides about: what a rewrite would replace, or all of it. */
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

/** Red when it is about to expire, yellow within the hour. */
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
    return [`${cells}${cut(actionLine(ticket), room)}`, ...below(ticket, states, widthOf(head), room, style)].join('\n');
  });
  return `${style.dim(`${head}what, why, held by`.trimEnd())}\n${rows.join('\n')}\n`;
}

/** In a narrow terminal these lines begin at the left: squeezed into a column they would be of no use. */
function below(ticket: TicketRecord, states: boolean, column: number, room: number, style: Style): string[] {
  const { reason, action, root, by, note } = ticket;
  const [indent, wide] = room >= 50 ? [column, room] : [6, style.columns - 6];
  const holders = action.heldBy.map(({ name, source }) => `${oneLine(name)} ${placeText({ file: source.file, line: source.line })}`);
  const settled = !states || by === null ? '' : `by ${oneLine(by)}${note === null ? '' : `: ${oneLine(redactText(note))}`}`;
  const lines = [oneLine(redactText(reason)), settled, [...holders, `in ${shortName(root)}`].join(', ')].filter((line) => line !== '');
  return lines.map((line, i) => `${' '.repeat(indent)}${i === lines.length - 1 ? style.dim(cut(line, wide)) : cut(line, wide)}`);
}
