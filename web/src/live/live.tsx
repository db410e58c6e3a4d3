/** The screen of what happens now. */
import type { JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { FiguresAnswer, FoldedItem, NowAnswer } from '../../../src/ui/api.ts';
import { address, conditions, endOf, go, hrefOf, replace } from '../data/address.ts';
import { Refused } from '../data/request.ts';
import { calmly, epoch, now } from '../data/state.ts';
import { connection } from '../data/stream.ts';
import { useData, useStream } from '../data/use.ts';
import { copyLink } from '../parts/copy.ts';
import { Failure } from '../parts/empty.tsx';
import { FilterBox, setQuery } from '../parts/filter-box.tsx';
import { Icon } from '../parts/icon.tsx';
import { useKeys } from '../parts/keys.ts';
import { isCompact, isPhone } from '../parts/media.ts';
import { plural } from '../parts/time.ts';
import { Top } from '../parts/top.tsx';
import { WindowList } from '../parts/window-list.tsx';
import { EmptyLive } from './empty-live.tsx';
import { EntryList } from './entry-list.ts';
import { Inspector } from './inspector.tsx';
import { Lanes } from './lanes.tsx';
import { Pulse, RANGES, rangeOf } from './pulse.tsx';
import { EntryRow, PassesRow } from './row.tsx';

const ROW = 34;
const PHONE_ROW = 54;
const REFRESH_MS = 1_500;
const FLUSH_MS = 100;
/** Nobody reads more rows than these in a tenth of a second. The page then changes less often, and leaves the machine to the agents. */
const MANY = 30;
const BUSY_REFRESH_MS = 5_000;
const BUSY_FLUSH_MS = 1_000;
const LANE_MINUTES = 15;

export function Live(): JSX.Element {
  const { query } = address.value;
  const chosenId = query['entry'] ?? null;
  const key = JSON.stringify(conditions(query));
  const list = useMemo(() => {
    const fresh = new EntryList(JSON.parse(key));
    // At once, before the figures and the lanes: the server answers in this order, and the rows are what people came for.
    void fresh.load();
    return fresh;
  }, [key, epoch.value]);
  const range = rangeOf(query['range']);
  const [at, setAt] = useState(Date.now());
  const lanes = useData<NowAnswer>('now', { minutes: LANE_MINUTES });
  const since = Math.floor((at - range.ms) / range.step) * range.step;
  const figures = useData<FiguresAnswer>('figures', { by: range.by, since, until: since + range.ms + range.step });
  const isBusy = useRef(false);
  const refresh = useMemo(
    () =>
      calmly(
        () => {
          lanes.again();
          setAt(Date.now());
          figures.again();
        },
        () => (isBusy.current ? BUSY_REFRESH_MS : REFRESH_MS),
      ),
    [lanes.again, figures.again],
  );
  const batch = useRef<FoldedItem[]>([]);
  const flush = useMemo(
    () =>
      calmly(
        () => {
          const items = batch.current.splice(0);
          // The server folds passes when there are many.
          isBusy.current =
            items.length > (isBusy.current ? (MANY * BUSY_FLUSH_MS) / FLUSH_MS : MANY) || items.some((item) => 'fold' in item);
          list.receive(items);
        },
        () => (isBusy.current ? BUSY_FLUSH_MS : FLUSH_MS),
      ),
    [list],
  );
  const take = (items: readonly FoldedItem[]): void => {
    batch.current.push(...items);
    flush();
    refresh();
  };
  useStream('entry', (entry) => take([{ entry }]));
  useStream('folds', (folds) => take(folds.map((fold) => ({ fold }))));
  useEffect(refresh, [now.value]);
  const version = list.version.value;
  const chosen = useMemo(() => (chosenId === null ? -1 : list.indexOf(chosenId)), [version, chosenId, list]);
  const [spot, setSpot] = useState(-1);
  const at0 = spot >= 0 && list.at(spot)?.passes ? spot : chosen;
  const choose = (index: number): void => {
    const row = list.at(index);
    if (!row) return;
    setSpot(index);
    if (row.entry) replace(hrefOf('live', null, { ...query, entry: row.entry.id }));
  };
  const move = (step: number): void => choose(Math.min(list.length - 1, Math.max(0, at0 + step)));
  const open = (): boolean => {
    const row = list.at(at0);
    if (row?.passes) void list.unfold(row.key);
    else if (chosenId !== null) go(hrefOf('decision', chosenId, conditions(query)));
    return row !== undefined || chosenId !== null;
  };
  const close = (): void => {
    setSpot(-1);
    replace(hrefOf('live', null, { ...query, entry: null }));
  };
  useKeys({
    j: () => move(1),
    ArrowDown: () => move(1),
    k: () => move(-1),
    ArrowUp: () => move(-1),
    Enter: open,
    Escape: () => (chosenId === null && spot < 0 ? false : close()),
    Space: () => list.togglePause(),
    x: () => {
      const row = list.at(at0);
      if (row?.passes) void list.unfold(row.key);
    },
    y: () => copyLink(),
  });
  // The rows change more often than these, which are made anew only for another answer.
  const pulse = useMemo(() => figures.data && <Pulse answer={figures.data} since={since} range={range} />, [figures.data, since, range]);
  const atWork = useMemo(() => lanes.data && <Lanes answer={lanes.data} />, [lanes.data]);
  const height = isPhone.value ? PHONE_ROW : ROW;
  const end = useMemo(() => endOf(list.query), [list]);
  return (
    <>
      <Top title="Live">
        <FilterBox query={list.query} hint="Filter by tool, hook, person, text" />
        <span class="grow" />
        <select
          class="btn hide-m"
          aria-label="Time of the figures"
          value={query['range'] ?? 'hour'}
          onChange={(event) => setQuery({ range: event.currentTarget.value })}
        >
          {Object.entries(RANGES).map(([name, { label }]) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
        </select>
        <LiveButton list={list} />
      </Top>
      <div class={`split ${chosenId === null || isCompact.value ? 'alone' : ''}`}>
        <div class="split-l">
          {pulse}
          {atWork}
          {list.length > 0 && (
            <div class="hd" aria-hidden="true">
              <span>Time</span>
              <span>Decision</span>
              <span>What</span>
              <span class="why">Why</span>
              <span>Project</span>
              <span class="r">ms</span>
            </div>
          )}
          <div class="rows">
            {list.waiting.value > 0 && (
              <button type="button" class="fresh" onClick={() => list.show()}>
                {plural(list.waiting.value, 'new', 'new')}
              </button>
            )}
            {list.failure.value !== null && !list.isLoaded.value && (
              <Failure error={new Refused(0, { detail: list.failure.value })} again={() => void list.load()} />
            )}
            {list.isLoaded.value && list.length === 0 && <EmptyLive query={list.query} />}
            {list.length > 0 && (
              <WindowList
                count={list.length}
                rowHeight={height}
                label="Decisions, newest first"
                added={list.added}
                chosen={at0}
                onNearEnd={() => void list.more()}
                onTop={(isTop) => list.setTop(isTop)}
                row={(index) => {
                  const row = list.at(index);
                  const canFocus = index === Math.max(0, at0);
                  if (row?.passes)
                    return (
                      <PassesRow
                        passes={row.passes}
                        isChosen={index === at0}
                        canFocus={canFocus}
                        onOpen={() => void list.unfold(row.key)}
                      />
                    );
                  if (!row) return null;
                  const href = hrefOf('decision', row.entry.id) + end;
                  return (
                    <EntryRow
                      entry={row.entry}
                      href={href}
                      isChosen={row.entry.id === chosenId}
                      isNew={row.isNew}
                      isInner={row.isInner === true}
                      canFocus={canFocus}
                      isNarrow={isPhone.value}
                      onChoose={() => (isCompact.value ? go(href) : choose(index))}
                    />
                  );
                }}
              />
            )}
          </div>
        </div>
        {chosenId !== null && !isCompact.value && <Inspector id={chosenId} onClose={close} />}
      </div>
    </>
  );
}

function LiveButton({ list }: { list: EntryList }): JSX.Element {
  const isPaused = list.isPaused.value;
  const isLive = connection.value.isLive;
  const word = isPaused ? 'Paused' : isLive ? 'Live' : 'Connecting';
  return (
    <button
      type="button"
      class={`btn ${isPaused || !isLive ? '' : 'live'}`}
      aria-pressed={isPaused}
      title="Space pauses"
      onClick={() => list.togglePause()}
    >
      {isPaused ? <Icon name="pause" /> : <i class={`led ${isLive ? '' : 'off'}`} />}
      {word}
    </button>
  );
}
