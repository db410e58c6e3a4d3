/**
 * The decisions of a screen, newest first. Pages of the server are its end, and new entries its beginning. Rows that
 * a person reads do not move: new entries wait until the newest row is in view.
 */
import { batch, signal } from '@preact/signals';
import type { EntryPage, Fold, FoldedItem, FoldedPage, ViewEntry } from '../../../src/ui/api.ts';
import type { Query } from '../data/address.ts';
import { get } from '../data/request.ts';
import { fits, isPlainPass } from './matches.ts';

export interface Passes {
  readonly count: number;
  readonly folds: readonly Fold[];
  readonly tools: Readonly<Record<string, number>>;
}

export type Row =
  | { readonly key: string; readonly entry: ViewEntry; readonly isNew: boolean; readonly isInner?: true; readonly passes?: undefined }
  | { readonly key: string; readonly passes: Passes; readonly entry?: undefined };

/** A screen and a bit more: the next page is read once these rows are painted. */
const FIRST_PAGE = 80;
const PAGE = 1_000;
/** Pages that are read at once for one more row. Those after them are read slowly, because agents need the machine. */
const QUICK_PAGES = 4;
const PAUSE_MS = 300;
/** The same while agents make so many passes that the server folds them: each page that is read and drawn takes the machine from them. */
const BUSY_PAUSE_MS = 5_000;
/** The server sends folds once a second. */
const BUSY_FOR_MS = 2_000;
/** Beyond this many passes in a row, a filter helps more than the list. */
const MOST_PAGES = 300;
/** New rows beyond this are read anew as a page. */
const MOST_NEW = 2_000;

export class EntryList {
  readonly query: Query;
  /** Grows with each change of the rows. */
  readonly version = signal(0);
  readonly waiting = signal(0);
  readonly isPaused = signal(false);
  readonly isLoaded = signal(false);
  readonly failure = signal<string | null>(null);
  /** How many rows were added at the top. */
  added = 0;
  /** Those who ask for passes want to see them. */
  readonly #isFolded: boolean;
  #isTop = true;
  #head: Row[] = [];
  #tail: Row[] = [];
  /** New items that are not shown yet, oldest first. */
  #pending: FoldedItem[] = [];
  /** There is something new that only the server can show. */
  #isStale = false;
  #next: number | null = null;
  #isReading = false;
  #isSearching = false;
  #isMissed = false;
  #newest = 0;
  #foldedAt = Number.NEGATIVE_INFINITY;

  constructor(query: Query) {
    this.query = query;
    this.#isFolded = !query['decision']?.split(',').includes('pass');
  }

  get length(): number {
    return this.#head.length + this.#tail.length;
  }

  get hasMore(): boolean {
    return this.#next !== null;
  }

  at(index: number): Row | undefined {
    return index < this.#head.length ? this.#head[index] : this.#tail[index - this.#head.length];
  }

  /** Returns -1 if the entry is in no row. */
  indexOf(id: string): number {
    const is = (row: Row): boolean => row.entry?.id === id;
    const inHead = this.#head.findIndex(is);
    if (inHead >= 0) return inHead;
    const inTail = this.#tail.findIndex(is);
    return inTail < 0 ? -1 : inTail + this.#head.length;
  }

  async load(): Promise<void> {
    if (this.#isReading) {
      this.#isMissed = true;
      return;
    }
    this.#isReading = true;
    this.#isStale = false;
    try {
      const page = await this.#read({ limit: FIRST_PAGE });
      const rows = joined([], page.items);
      const newest = Math.max(0, ...page.items.map(lastOf));
      // The server had everything that came before it was asked. Of a fold that came meanwhile it may have had a part.
      this.#pending = this.#pending.filter((item) => lastOf(item) > newest);
      if (this.#pending.some((item) => firstOf(item) <= newest)) this.#isMissed = true;
      this.#newest = Math.max(newest, ...this.#pending.map(lastOf));
      batch(() => {
        [this.#head, this.#tail, this.#next] = [[], rows, page.next];
        this.failure.value = null;
        this.isLoaded.value = true;
        this.#showOrWait();
        this.version.value++;
      });
    } catch (error) {
      this.failure.value = error instanceof Error ? error.message : String(error);
    } finally {
      this.#isReading = false;
      this.#loadMissed();
    }
  }

  /** Reads anew what changed while it was read. */
  #loadMissed(): void {
    if (!this.#isMissed) return;
    this.#isMissed = false;
    void this.load();
  }

  /** Reads on until there is another row: a page of passes alone only makes the last fold larger, and no one could scroll further. */
  async more(): Promise<void> {
    if (this.#isSearching) return;
    this.#isSearching = true;
    for (let pages = 1; pages <= MOST_PAGES; pages++) {
      const [rows, next] = [this.length, this.#next];
      await this.#nextPage();
      if (this.length !== rows || this.#next === next) break;
      if (pages < QUICK_PAGES) continue;
      const isBusy = performance.now() - this.#foldedAt < BUSY_FOR_MS;
      await new Promise((resolve) => setTimeout(resolve, isBusy ? BUSY_PAUSE_MS : PAUSE_MS));
    }
    this.#isSearching = false;
  }

  async #nextPage(): Promise<void> {
    if (this.#isReading || this.#next === null) return;
    this.#isReading = true;
    // The next scroll tries again what failed.
    const page = await this.#read({ limit: PAGE, before: this.#next }).catch(() => null);
    // Before the rows are shown: the list asks for more at once if their end is in view.
    this.#isReading = false;
    this.#loadMissed();
    if (!page) return;
    batch(() => {
      this.#tail = joined(this.#tail, page.items);
      this.#next = page.next;
      this.version.value++;
      // Entries that came while the page was read waited for it.
      this.#showOrWait();
    });
  }

  /** Takes what is new, oldest first. */
  receive(items: readonly FoldedItem[]): void {
    const fresh = items.filter((item) => lastOf(item) > this.#newest);
    if (fresh.length === 0) return;
    this.#newest = Math.max(...fresh.map(lastOf));
    if (fresh.some((item) => 'fold' in item)) this.#foldedAt = performance.now();
    for (const item of fresh) {
      const fit = fits(item, this.query, this.#isFolded);
      if (fit === 'unknown') this.#isStale = true;
      else if (fit) this.#pending.push(item);
    }
    // Those that come before the page is here wait for it: the server may have answered before they were made.
    if (!this.isLoaded.value || this.#isReading) return;
    this.#showOrWait();
  }

  /** Shows what waited. */
  show(): void {
    const many = this.#pending.length + this.#head.length > MOST_NEW;
    if (many || this.#isStale) {
      this.#pending = [];
      void this.load();
      return;
    }
    this.waiting.value = 0;
    if (this.#pending.length === 0) return;
    const before = this.length;
    batch(() => {
      for (const item of this.#pending) this.#put(item);
      this.#pending = [];
      this.added += this.length - before;
      this.version.value++;
    });
  }

  #showOrWait(): void {
    if (this.#isTop && !this.isPaused.value) this.show();
    else this.waiting.value = this.#pending.reduce((sum, item) => sum + ('entry' in item ? 1 : item.fold.count), 0);
  }

  /** Puts an item above the rows. A pass above others of the same kind is one of them. */
  #put(item: FoldedItem): void {
    const fold = 'fold' in item ? item.fold : this.#isFolded && isPlainPass(item.entry) ? foldOf(item.entry) : undefined;
    const rows = this.#head.length > 0 ? this.#head : this.#tail;
    const first = rows[0];
    if (fold && first?.passes) rows[0] = { key: first.key, passes: withFold(first.passes, fold) };
    else this.#head.unshift(...joined([], [fold ? { fold } : item], true));
  }

  setTop(isTop: boolean): void {
    if (this.#isTop === isTop) return;
    this.#isTop = isTop;
    if (isTop && this.isLoaded.value && !this.isPaused.value) this.show();
  }

  togglePause(): void {
    this.isPaused.value = !this.isPaused.value;
    if (!this.isPaused.value && this.isLoaded.value) this.show();
  }

  /** Shows the entries of a fold instead of it. Of very many, those before the newest stay folded. */
  async unfold(key: string): Promise<void> {
    const row = this.#rowsWith(key)?.find((one) => one.key === key);
    if (!row?.passes) return;
    const pages = await Promise.all(
      row.passes.folds.map(async (fold) => {
        const query = { ...this.query, session: fold.session, decision: 'pass', before: fold.lastPos + 1, limit: PAGE };
        const { entries } = await get<{ entries: readonly ViewEntry[] }>('entries', query);
        const shown = entries.filter((entry) => entry.pos >= fold.firstPos && isPlainPass(entry));
        return { shown, rest: entries.length < PAGE ? [] : withoutShown(fold, shown) };
      }),
    );
    const inner = pages
      .flatMap(({ shown }) => shown)
      .sort((a, b) => b.pos - a.pos)
      .map((entry): Row => ({ key: `e${entry.pos}`, entry, isNew: false, isInner: true }));
    const rest = joined(
      [],
      pages.flatMap((page) => page.rest.map((fold) => ({ fold }))),
    );
    // Other rows may have come while these were read, and the fold may have grown.
    const rows = this.#rowsWith(key) ?? [];
    const at = rows.findIndex((one) => one.key === key);
    if (at < 0) return;
    if (rows[at]?.passes?.count !== row.passes.count) return this.unfold(key);
    rows.splice(at, 1, ...inner, ...rest);
    this.version.value++;
  }

  #rowsWith(key: string): Row[] | undefined {
    return [this.#head, this.#tail].find((some) => some.some((row) => row.key === key));
  }

  async #read(page: Readonly<Record<string, number>>): Promise<FoldedPage> {
    if (this.#isFolded) return get<FoldedPage>('entries', { ...this.query, ...page, fold: 1 });
    const { entries, next } = await get<EntryPage>('entries', { ...this.query, ...page });
    return { items: entries.map((entry) => ({ entry })), next };
  }
}

function lastOf(item: FoldedItem): number {
  return 'entry' in item ? item.entry.pos : item.fold.lastPos;
}

function firstOf(item: FoldedItem): number {
  return 'entry' in item ? item.entry.pos : item.fold.firstPos;
}

/** Returns the passes of a fold that are older than those that are shown. */
function withoutShown(fold: Fold, shown: readonly ViewEntry[]): readonly Fold[] {
  const last = shown.at(-1);
  if (!last || shown.length >= fold.count) return [];
  const tools: Record<string, number> = Object.assign(Object.create(null), fold.tools);
  for (const { tool } of shown) if (tool !== null) tools[tool] = (tools[tool] ?? 0) - 1;
  const left = Object.fromEntries(Object.entries(tools).filter(([, times]) => times > 0));
  return [{ ...fold, count: fold.count - shown.length, lastPos: last.pos - 1, lastAt: last.at, tools: left }];
}

/** Adds items to rows. Folds next to each other are one row. */
function joined(rows: readonly Row[], items: readonly FoldedItem[], isNew = false): Row[] {
  const result = [...rows];
  for (const item of items) {
    const last = result.at(-1);
    if ('entry' in item) result.push({ key: `e${item.entry.pos}`, entry: item.entry, isNew });
    else if (last?.passes) result[result.length - 1] = { key: last.key, passes: withFold(last.passes, item.fold) };
    else result.push({ key: `f${item.fold.lastPos}`, passes: withFold({ count: 0, folds: [], tools: {} }, item.fold) });
  }
  return result;
}

function withFold({ count, folds, tools }: Passes, fold: Fold): Passes {
  const sum: Record<string, number> = Object.assign(Object.create(null), tools);
  for (const [tool, times] of Object.entries(fold.tools)) sum[tool] = (sum[tool] ?? 0) + times;
  const at = folds.findIndex((one) => one.session === fold.session);
  const same = folds[at];
  const joinedFold = same && {
    ...{ ...same, count: same.count + fold.count },
    ...{ firstPos: Math.min(same.firstPos, fold.firstPos), lastPos: Math.max(same.lastPos, fold.lastPos) },
  };
  return { count: count + fold.count, folds: joinedFold ? folds.with(at, joinedFold) : [...folds, fold], tools: sum };
}

function foldOf({ session, pos, at, ms, tool }: ViewEntry): Fold {
  return { session, count: 1, firstPos: pos, lastPos: pos, firstAt: at, lastAt: at, ms, tools: tool === null ? {} : { [tool]: 1 } };
}
