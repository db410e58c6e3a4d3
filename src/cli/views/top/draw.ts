/** Draws the screen as lines of text, from what was read and the state of the screen. */
import type { Style } from '../../print/style.ts';
import { cut, plural } from '../../print/text.ts';
import { timeOfDay } from '../../print/time.ts';
import { lineOf, wholeLines } from './cells.ts';
import type { Top } from './read-top.ts';
import { type Row, rowsOf } from './rows.ts';
import { indexOf, type OpenPage, PANES, type Pane, type ScreenState, type Seen, START } from './state.ts';

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

export interface Drawing {
  readonly lines: readonly string[];
  readonly seen: Seen;
}

/** The rest of what a screen shows. */
export interface Around {
  readonly now: number;
  /** Why nothing can be settled here; null if it can. */
  readonly readOnly: string | null;
  /** How many entries are newer than what a paused screen shows. */
  readonly newer: number;
}

const SMALLEST: Size = { columns: 20, rows: 6 };
/** With fewer lines only one list is shown. */
const ALL_PANES = 14;

export function draw(top: Top, state: ScreenState, { columns, rows }: Size, style: Style, around: Around): Drawing {
  const all = rowsOf(top);
  const head = [
    headLine(top, state, style, columns, around.newer),
    ...(around.readOnly === null ? [] : [readOnlyLine(around.readOnly, style, columns)]),
  ];
  const height = Math.max(1, rows - head.length - 1);
  if (columns < SMALLEST.columns || rows < SMALLEST.rows) {
    const seen = { rows: all, lines: 0, height };
    return { lines: fill([cut('The window is too small.', columns)], rows), seen };
  }
  const body = state.open ? pageLines(state.open, height - 1, style, columns) : undefined;
  const lists = body ? [] : listLines(all, top, state, height, style, columns, around.now);
  const seen = { rows: all, lines: body?.all ?? 0, height: body ? height - 1 : height };
  return { lines: [...head, ...fill(body?.lines ?? lists, height), footLine(state, style, columns)], seen };
}

const MOST_PRINTED = 20;

/** Returns one frame as text, with every list. */
export function frameText(top: Top, style: Style, now: number): string {
  const all = rowsOf(top);
  const lists = PANES.flatMap((pane) => {
    const rows = all[pane].slice(0, MOST_PRINTED).map((row) => `  ${lineOf(row.cells(style, now), style.columns - 2)}`);
    const rest = all[pane].length - rows.length;
    return [
      ...['', style.bold(TITLES[pane](top)), ...(rows.length === 0 ? [style.dim(`  ${EMPTY[pane]}`)] : rows)],
      ...(rest > 0 ? [style.dim(`  … and ${rest} more`)] : []),
    ];
  });
  return `${[headLine(top, START, style, style.columns, 0), ...lists].join('\n')}\n`;
}

function fill(lines: readonly string[], height: number): string[] {
  return Array.from({ length: height }, (_, at) => lines[at] ?? '');
}

function headLine({ totals, progress, waitingCount }: Top, state: ScreenState, style: Style, columns: number, newer: number): string {
  const { decisions, entries, faults } = totals;
  const facts = [
    ...(state.isPaused ? [`paused, ${newer} new`] : []),
    ...(progress.pos < progress.head ? [`reading the log: ${progress.pos} of ${progress.head}`] : []),
    ...(state.filter === '' ? [] : [`only \`${state.filter}\``]),
    `${waitingCount} waiting`,
    `last hour: ${plural(entries, 'event')}`,
    `${decisions.deny} denied`,
    plural(faults, 'failure'),
  ];
  return lineOf([{ text: 'hookline top', width: 12, paint: style.bold }, { text: facts.join(' · ') }], columns);
}

function readOnlyLine(why: string, style: Style, columns: number): string {
  return lineOf([{ text: `Read-only. ${why}`, paint: style.yellow }], columns);
}

function pageLines(
  { page, scroll }: OpenPage,
  height: number,
  style: Style,
  columns: number,
): { readonly all: number; readonly lines: readonly string[] } {
  const all = wholeLines(page(style).trimEnd(), columns);
  const from = Math.max(0, Math.min(scroll, all.length - height));
  const rest = all.length - from - height;
  const shown = all.slice(from, from + height);
  return { all: all.length, lines: [...fill(shown, height), rest > 0 ? style.dim(cut(`… ${plural(rest, 'more line')}`, columns)) : ''] };
}

const TITLES: Readonly<Record<Pane, (top: Top) => string>> = {
  waiting: ({ waitingCount }) => `Waiting for a person (${waitingCount})`,
  sessions: ({ sessions }) => `Sessions at work (${sessions.length})`,
  decisions: () => 'Last decisions',
  hooks: ({ since }) => `Hooks since ${timeOfDay(since).slice(0, 5)}`,
};

const EMPTY: Readonly<Record<Pane, string>> = {
  waiting: 'Nothing waits.',
  sessions: 'No agent has asked a hook in the last 15 minutes.',
  decisions: 'No decision is recorded yet. `hookline agent --scripted` makes some.',
  hooks: 'No hook was asked in this time.',
};

function listLines(
  all: Readonly<Record<Pane, readonly Row[]>>,
  top: Top,
  state: ScreenState,
  height: number,
  style: Style,
  columns: number,
  now: number,
): string[] {
  const shown = height >= ALL_PANES ? PANES : [state.pane];
  const heights = heightsOf(shown, all, height - shown.length);
  return shown.flatMap((pane) => {
    const isHere = pane === state.pane;
    const title = `${isHere ? '▸' : ' '} ${TITLES[pane](top)}`;
    const room = heights.get(pane) ?? 0;
    const head = lineOf([{ text: title, paint: isHere ? (text) => style.cyan(style.bold(text)) : style.bold }], columns);
    if (all[pane].length === 0) {
      const none = state.filter === '' ? EMPTY[pane] : 'Nothing here has this text.';
      return [head, ...fill([lineOf([{ text: `  ${none}`, paint: style.dim }], columns)], room)];
    }
    const chosen = indexOf(all[pane], state.chosen[pane]);
    const from = Math.max(0, Math.min(chosen - Math.floor(room / 2), all[pane].length - room));
    const lines = all[pane].slice(from, from + room).map((row, at) => {
      const sign = isHere && from + at === chosen ? style.cyan('›') : ' ';
      return `${sign} ${lineOf(row.cells(style, now), columns - 2)}`;
    });
    return [head, ...fill(lines, room)];
  });
}

/** Each list gets what it needs, in turns, and the decisions get what is left. */
function heightsOf(shown: readonly Pane[], all: Readonly<Record<Pane, readonly Row[]>>, height: number): ReadonlyMap<Pane, number> {
  const heights = new Map(shown.map((pane) => [pane, 1]));
  const turns = TURNS.filter((pane) => shown.includes(pane));
  let left = height - shown.length;
  for (let at = 0, idle = 0; left > 0 && idle < turns.length; at++) {
    const pane = turns[at % turns.length] as Pane;
    const own = heights.get(pane) ?? 0;
    const wants = own < all[pane].length;
    idle = wants ? 0 : idle + 1;
    if (!wants) continue;
    heights.set(pane, own + 1);
    left -= 1;
  }
  const last = shown.includes('decisions') ? 'decisions' : (shown[0] as Pane);
  return heights.set(last, (heights.get(last) ?? 0) + left);
}

const TURNS: readonly Pane[] = ['decisions', 'waiting', 'sessions', 'decisions', 'hooks'];

const KEYS = 'tab list · j/k move · ↵ open · a approve · d deny · / filter · p pause · ? help · q quit';

function footLine({ typed, open, message }: ScreenState, style: Style, columns: number): string {
  if (typed !== null) return cut(`/${wholeLines(typed, columns)[0] ?? ''}_`, columns);
  if (message !== '') return lineOf([{ text: message, paint: style.yellow }], columns);
  if (!open) return style.dim(cut(KEYS, columns));
  if (open.asks === null)
    return style.dim(cut(`j/k scroll · ${open.target.kind === 'ticket' ? 'a approve · d deny · ' : ''}esc back`, columns));
  const question = open.asks.answer === 'approved' ? 'Approve exactly this, once?' : 'Deny this?';
  return style.yellow(style.bold(cut(`${question} ↵ yes · esc no`, columns)));
}
