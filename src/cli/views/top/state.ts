/** The state of the screen, and how a key changes it. Nothing here reads, draws or settles. */
import type { Settling } from '../../../core/contracts/store.ts';
import type { Style } from '../../print/style.ts';

export const PANES = ['waiting', 'sessions', 'decisions', 'hooks'] as const;
export type Pane = (typeof PANES)[number];

/** The ways to settle that the screen has. */
export type Answer = Extract<Settling['state'], 'approved' | 'denied'>;

/** A thing that can be opened. */
export type Target =
  | { readonly kind: 'ticket' | 'decision' | 'session' | 'hook'; readonly id: string }
  | { readonly kind: 'fold'; readonly id: string; readonly firstPos: number; readonly lastPos: number }
  | { readonly kind: 'help'; readonly id: '' };

export type Page = (style: Style) => string;

export interface OpenPage {
  readonly target: Target;
  readonly page: Page;
  /** The first line that is shown. */
  readonly scroll: number;
  /** Its end was on the screen. */
  readonly isRead: boolean;
  /** The question that is asked about it, and whether the person could see it. */
  readonly asks: { readonly answer: Answer; readonly isShown: boolean } | null;
}

export interface ScreenState {
  readonly pane: Pane;
  /** The key of the chosen row in each pane; null for the first one, whichever it is. */
  readonly chosen: Readonly<Record<Pane, string | null>>;
  readonly filter: string;
  /** The filter as it is typed; null if none is. */
  readonly typed: string | null;
  readonly open: OpenPage | null;
  readonly isPaused: boolean;
  /** The last line: what happened. */
  readonly message: string;
}

export const START: ScreenState = {
  pane: 'waiting',
  chosen: { waiting: null, sessions: null, decisions: null, hooks: null },
  filter: '',
  typed: null,
  open: null,
  isPaused: false,
  message: '',
};

/** Work that a key asks for. */
export type Wish =
  | { readonly kind: 'quit' | 'read' }
  | { readonly kind: 'open'; readonly target: Target; readonly asks: Answer | null }
  | { readonly kind: 'settle'; readonly ticket: string; readonly answer: Answer };

/** The things on the screen that a key depends on. */
export interface Seen {
  /** The rows of each pane, by key, and what opens if one is chosen. */
  readonly rows: Readonly<Record<Pane, readonly { readonly key: string; readonly target: Target }[]>>;
  /** How many lines the open page has, and how many of them are shown at once. */
  readonly lines: number;
  readonly height: number;
}

export interface Change {
  readonly state: ScreenState;
  readonly wish?: Wish;
}

export function press(state: ScreenState, key: string, seen: Seen): Change {
  const quiet = { ...state, message: '' };
  if (key === 'ctrl+c') return { state, wish: { kind: 'quit' } };
  if (state.typed !== null) return type(quiet, state.typed, key);
  return state.open ? readPage(quiet, state.open, key, seen) : choose(quiet, key, seen);
}

function type(state: ScreenState, typed: string, key: string): Change {
  const read: Wish = { kind: 'read' };
  if (key === 'escape') return { state: { ...state, typed: null, filter: '' }, wish: read };
  if (key === 'return') return { state: { ...state, typed: null, filter: typed }, wish: read };
  if (key === 'backspace') return { state: { ...state, typed: [...typed].slice(0, -1).join('') } };
  const text = key === 'space' ? ' ' : key;
  return [...text].length === 1 ? { state: { ...state, typed: typed + text } } : { state };
}

const HELP: Target = { kind: 'help', id: '' };
const ANSWERS: ReadonlyMap<string, Answer> = new Map([
  ['a', 'approved'],
  ['d', 'denied'],
]);

function choose(state: ScreenState, key: string, { rows, height }: Seen): Change {
  const all = rows[state.pane];
  const at = indexOf(all, state.chosen[state.pane]);
  const target = all[at]?.target;
  const moveTo = (to: number): Change => ({ state: { ...state, chosen: { ...state.chosen, [state.pane]: keyAt(all, to) } } });
  const answer = ANSWERS.get(key);
  if (answer) {
    if (target?.kind === 'ticket') return { state, wish: { kind: 'open', target, asks: answer } };
    return { state: { ...state, message: 'Choose a waiting action first: `tab` goes to the next list.' } };
  }
  switch (key) {
    case 'q':
      return { state, wish: { kind: 'quit' } };
    case 'tab':
      return { state: { ...state, pane: nextPane(state.pane, 1) } };
    case 'shift+tab':
      return { state: { ...state, pane: nextPane(state.pane, -1) } };
    case 'return':
      return target ? { state, wish: { kind: 'open', target, asks: null } } : { state };
    case '?':
      return { state, wish: { kind: 'open', target: HELP, asks: null } };
    case '/':
      return { state: { ...state, typed: state.filter } };
    case 'escape':
      return state.filter === '' ? { state } : { state: { ...state, filter: '' }, wish: { kind: 'read' } };
    case 'p':
      return { state: { ...state, isPaused: !state.isPaused }, wish: { kind: 'read' } };
    default: {
      const step = stepOf(key, height);
      return step === undefined ? { state } : moveTo(at + step);
    }
  }
}

function readPage(state: ScreenState, open: OpenPage, key: string, { lines, height }: Seen): Change {
  const close: Change = { state: { ...state, open: null } };
  const { target, asks } = open;
  const step = stepOf(key, height);
  if (step !== undefined) {
    const scroll = Math.max(0, Math.min(open.scroll + step, lines - height));
    return { state: { ...state, open: { ...open, scroll } } };
  }
  if (asks) {
    if (key === 'escape' || key === 'q' || key === 'n')
      return { state: { ...state, open: { ...open, asks: null }, message: 'Nothing was settled.' } };
    // Keys that were typed before the question was on the screen answer nothing.
    if (key !== 'return' || !asks.isShown) return { state };
    if (!open.isRead) return { state: { ...state, message: 'Read it to its end first: `j` or the space bar scrolls.' } };
    return { state: { ...state, open: null }, wish: { kind: 'settle', ticket: target.id, answer: asks.answer } };
  }
  const answer = ANSWERS.get(key);
  if (answer && target.kind === 'ticket') return { state, wish: { kind: 'open', target, asks: answer } };
  if (key === 'escape' || key === 'q' || key === 'return' || key === 'left') return close;
  return { state };
}

const FAR = 1_000_000;

/** Returns by how many lines a key moves. */
function stepOf(key: string, height: number): number | undefined {
  const page = Math.max(1, height - 1);
  const steps: Readonly<Record<string, number>> = {
    ...{ j: 1, down: 1, k: -1, up: -1, space: page, pagedown: page, pageup: -page, home: -FAR, g: -FAR, end: FAR, G: FAR },
  };
  return Object.hasOwn(steps, key) ? steps[key] : undefined;
}

function nextPane(pane: Pane, step: number): Pane {
  return PANES[(PANES.indexOf(pane) + step + PANES.length) % PANES.length] as Pane;
}

/** A row that is gone gives way to the first one. */
export function indexOf(rows: readonly { readonly key: string }[], chosen: string | null): number {
  return Math.max(
    0,
    rows.findIndex(({ key }) => key === chosen),
  );
}

/** The first row stays the first one when new rows come before it. Any other choice stays on its row. */
function keyAt(rows: readonly { readonly key: string }[], at: number): string | null {
  const to = Math.min(at, rows.length - 1);
  return to <= 0 ? null : (rows[to]?.key ?? null);
}
