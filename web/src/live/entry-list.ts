/**
 * The decisions of a screen, newest first. Pages of the server are its end, and new entries its beginning. Rows that
 * a person reads do not move: new entries wait until the newest row is in view.
 */
import { batch, signal } from '@preact/signals';
import type { EntryPage, Fold, FoldedItem, FoldedPage, ViewEntry } from '../../../src/ui/api.ts';
import type { Query } from '../data/address.ts';
import { get } from '../data/request.ts';
import { matches, needsServer } from './matches.ts';

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
/** New entries beyond this are read anew as a page. */
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
  #fresh: ViewEntry[] = [];
  #pending: ViewEntry[] = [];
  #next: number | null = null;
  #isReading = false;
  #isMissed = false;
  #newest = 0;

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
    try {
      const page = await this.#read({ limit: FIRST_PAGE });
      const rows = joined([], page.items);
      this.#newest = Math.max(0, ...page.items.map((item) => ('entry' in item ? item.entry.pos : item.fold.lastPos)));
      this.#fresh = this.#fresh.filter(({ pos }) => pos > this.#newest);
      this.#pending = this.#pending.filter(({ pos }) => pos > this.#newest);
      if (this.#isTop && !this.isPaused.value) this.#fresh.push(...this.#pending.splice(0));
      this.#newest = Math.max(this.#newest, this.#fresh.at(-1)?.pos ?? 0, this.#pending.at(-1)?.pos ?? 0);
      batch(() => {
        [this.#head, this.#tail, this.#next] = [[], rows, page.next];
        this.#foldFresh();
        this.failure.value = null;
        this.isLoaded.value = true;
        this.waiting.value = this.#pending.length;
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

  async more(): Promise<void> {
    if (this.#isReading || this.#next === null) return;
    this.#isReading = true;
    // The next scroll tries again what failed.
    const page = await this.#read({ limit: PAGE, before: this.#next }).catch(() => null);
    // Before the rows are shown: the list asks for more at once if their end is in view.
    this.#isReading = false;
    this.#loadMissed();
    if (!page) return;
    this.#tail = joined(this.#tail, page.items);
    this.#next = page.next;
    this.version.value++;
  }

  /** Takes new entries, oldest first. */
  receive(entries: readonly ViewEntry[]): void {
    if (needsServer(this.query)) {
      if (this.#isTop && this.query['until'] === undefined) void this.load();
      return;
    }
    const fresh = entries.filter((entry) => entry.pos > this.#newest && matches(entry, this.query));
    if (fresh.length === 0) return;
    this.#newest = fresh.at(-1)?.pos ?? this.#newest;
    this.#pending.push(...fresh);
    // Those that come before the first page is here wait for it: the server may have answered before they were made.
    if (!this.isLoaded.value) return;
    if (this.#isTop && !this.isPaused.value) this.show();
    else this.waiting.value = this.#pending.length;
  }

  /** Shows the entries that waited. */
  show(): void {
    if (this.#pending.length + this.#fresh.length > MOST_NEW) {
      [this.#pending, this.#fresh] = [[], []];
      void this.load();
      return;
    }
    this.#fresh.push(...this.#pending);
    this.#pending = [];
    const before = this.#head.length;
    batch(() => {
      this.#foldFresh();
      this.added += Math.max(0, this.#head.length - before);
      this.waiting.value = 0;
      this.version.value++;
    });
  }

  setTop(isTop: boolean): void {
    if (this.#isTop === isTop) return;
    this.#isTop = isTop;
    if (isTop && this.#pending.length > 0 && !this.isPaused.value) this.show();
  }

  togglePause(): void {
    this.isPaused.value = !this.isPaused.value;
    if (!this.isPaused.value && this.#pending.length > 0) this.show();
  }

  /** Shows the entries of a fold instead of it. */
  async unfold(key: string): Promise<void> {
    const row = this.#rowsWith(key)?.find((one) => one.key === key);
    if (!row?.passes) return;
    const pages = await Promise.all(
      row.passes.folds.map(async ({ session, firstPos, lastPos }) => {
        const query = { ...this.query, session, decision: 'pass', before: lastPos + 1, limit: PAGE };
        const { entries } = await get<{ entries: readonly ViewEntry[] }>('entries', query);
        return entries.filter(({ pos }) => pos >= firstPos);
      }),
    );
    const inner = pages
      .flat()
      .sort((a, b) => b.pos - a.pos)
      .map((entry): Row => ({ key: `e${entry.pos}`, entry, isNew: false, isInner: true }));
    // Other rows may have come while these were read, and the fold may have grown.
    const rows = this.#rowsWith(key) ?? [];
    const at = rows.findIndex((one) => one.key === key);
    if (at < 0) return;
    if (rows[at]?.passes?.count !== row.passes.count) return this.unfold(key);
    rows.splice(at, 1, ...inner);
    if (rows === this.#head) {
      // From now on these rows are no longer folded anew.
      this.#tail = [...this.#head, ...this.#tail];
      [this.#head, this.#fresh] = [[], []];
    }
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

  #foldFresh(): void {
    const items: FoldedItem[] = [];
    for (let n = this.#fresh.length - 1; n >= 0; n--) {
      const entry = this.#fresh[n] as ViewEntry;
      items.push(this.#isFolded && isPlainPass(entry) ? { fold: foldOf(entry) } : { entry });
    }
    this.#head = joined([], items, true);
  }
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
  const joinedFold = same && { ...same, count: same.count + fold.count, firstPos: Math.min(same.firstPos, fold.firstPos) };
  return { count: count + fold.count, folds: joinedFold ? folds.with(at, joinedFold) : [...folds, fold], tools: sum };
}

function isPlainPass({ sort, decision, faults, isRewritten, isAlarm }: ViewEntry): boolean {
  return sort !== 'act' && decision === 'pass' && faults === 0 && !isRewritten && !isAlarm;
}

function foldOf({ session, pos, at, ms, tool }: ViewEntry): Fold {
  return { session, count: 1, firstPos: pos, lastPos: pos, firstAt: at, lastAt: at, ms, tools: tool === null ? {} : { [tool]: 1 } };
}
