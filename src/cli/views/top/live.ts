/** The live screen: follows the log, draws what changed at most ten times a second, and does what the keys ask for. */
import type { Store } from '../../../core/contracts/store.ts';
import type { Views } from '../../../views/views.ts';
import type { Arguments } from '../../arguments.ts';
import { problemOf } from '../../failure.ts';
import { BY_COMMAND, type GatedAct, type Way, wouldPermit } from '../../input/by-a-person.ts';
import { createStyle, wantsColour } from '../../print/style.ts';
import { sameStore } from '../../store.ts';
import { type Drawing, draw } from './draw.ts';
import { readPage } from './pages.ts';
import { readTop, type Top } from './read-top.ts';
import { openScreen } from './screen.ts';
import { type SettleParts, settle } from './settle.ts';
import { type Answer, press, type ScreenState, START, type Target, type Wish } from './state.ts';

/** At most ten frames a second. */
const FRAME_MS = 100;
/** How often the times in a frame are drawn anew, and how often everything is read without a new entry, because sessions become idle and tickets expire. */
const CLOCK_MS = 1000;
const READ_MS = 10_000;

/** Asked before there is a ticket. */
const ANY_ACT: GatedAct = { kind: 'ticket.approved', weight: 'settling', does: 'approve an action', data: {} };

export interface LiveParts {
  readonly args: Arguments;
  readonly views: Views;
  readonly store: Store;
  readonly notify: SettleParts['notify'];
}

export async function runLive({ args, views, store, notify }: LiveParts): Promise<void> {
  const { refused: refusal } = await wouldPermit(args, ANY_ACT, BY_COMMAND);
  const readOnly = refusal ? refusal.message : null;
  let top: Top = await readTop(views, store, '', Date.now());
  let state: ScreenState = START;
  let drawing: Drawing | undefined;
  let [isChanged, isEnded, readAt, head] = [false, false, Date.now(), top.progress.head];
  let wake = (): void => {};
  /** Each key is handled after the one before it, also if that one reads or settles. */
  let working: Promise<void> = Promise.resolve();

  const change = (more: Partial<ScreenState>): void => {
    state = { ...state, ...more };
    wake();
  };
  const end = (): void => {
    isEnded = true;
    wake();
  };
  const open = async (target: Target, asks: Answer | null): Promise<void> => {
    const why = refusal ? `${refusal.message} ${refusal.hint}` : null;
    const page = await readPage({ views, store, options: sameStore(args), readOnly: why }, target);
    change({ open: { target, page, scroll: 0, isRead: false, asks: asks === null ? null : { answer: asks, isShown: false } } });
  };
  const act = async (wish: Wish): Promise<void> => {
    if (wish.kind === 'quit') return end();
    if (wish.kind === 'settle' || (wish.kind === 'open' && wish.asks !== null && refusal)) {
      // Where nothing can be settled the attempt is refused and recorded at once, as with `hookline approvals`.
      const [ticket, answer] = wish.kind === 'settle' ? [wish.ticket, wish.answer] : [wish.target.id, wish.asks as Answer];
      const way: Way = { ...BY_COMMAND, passphrase: () => screen.aside(BY_COMMAND.passphrase) };
      change({ message: await settle({ args, store, way, notify }, ticket, answer) });
    } else if (wish.kind === 'open') await open(wish.target, wish.asks);
    isChanged = true;
    wake();
  };
  const key = (name: string): void => {
    working = working.then(async () => {
      if (!drawing || isEnded) return;
      const { state: next, wish } = press(state, name, drawing.seen);
      change(next);
      if (wish) await act(wish).catch((error: unknown) => change({ message: problemOf(error).message }));
    });
  };

  const screen = openScreen({ onKey: key, onResize: () => wake(), onGone: end });
  const stopping = new AbortController();
  const following = views.follow(stopping.signal, {
    onProgress: (progress) => {
      head = progress.head;
      isChanged = true;
      wake();
    },
    onProblem: (error) => change({ message: `The log cannot be read: ${problemOf(error).message}` }),
  });
  const colour = wantsColour(process.env, true);
  const frame = (): void => {
    const size = screen.size();
    const style = createStyle({ colour, columns: size.columns });
    drawing = draw(top, state, size, style, { now: Date.now(), readOnly, newer: Math.max(0, head - top.progress.head) });
    screen.draw(drawing.lines);
    state = shownTo(state, drawing);
  };
  try {
    while (!isEnded) {
      if (!state.isPaused && (isChanged || Date.now() - readAt > READ_MS)) {
        [isChanged, readAt] = [false, Date.now()];
        top = await readTop(views, store, state.filter, readAt).catch((error: unknown) => {
          change({ message: problemOf(error).message });
          return top;
        });
      }
      const woken = new Promise<void>((resolve) => {
        wake = resolve;
      });
      frame();
      await pause(FRAME_MS);
      await Promise.race([woken, pause(CLOCK_MS)]);
    }
    await working;
  } finally {
    screen.close();
    stopping.abort();
    await following;
  }
}

/** Remembers that the person could see the question and the end of the page. */
function shownTo(state: ScreenState, { seen: { lines, height } }: Drawing): ScreenState {
  const { open } = state;
  if (!open) return state;
  const isRead = open.isRead || open.scroll + height >= lines;
  return { ...state, open: { ...open, isRead, asks: open.asks && { ...open.asks, isShown: true } } };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
