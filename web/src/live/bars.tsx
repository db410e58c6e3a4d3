/** A bar for each minute or hour. Dragging over bars chooses their time. */
import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { Figure } from '../../../src/ui/api.ts';
import { minuteOf, plural, shortClock } from '../parts/time.ts';

interface Props {
  readonly figures: readonly Figure[];
  readonly since: number;
  readonly until: number;
  readonly step: number;
  readonly onChoose: (since: number, until: number) => void;
}

const HEIGHT = 44;
const FAINTEST = 2;
const A_DAY = 90_000_000;

export function Bars({ figures, since, until, step, onChoose }: Props): JSX.Element {
  const svg = useRef<SVGSVGElement>(null);
  const [drag, setDrag] = useState<readonly [number, number] | null>(null);
  const start = Math.floor(since / step) * step;
  const slots = Math.max(1, Math.ceil((until - start) / step));
  const byTime = new Map(figures.map((figure) => [figure.at, figure]));
  const most = Math.max(1, ...figures.map(({ entries }) => entries));
  const tick = until - start > A_DAY ? shortClock : minuteOf;
  const slotAt = (event: PointerEvent): number => {
    const box = svg.current?.getBoundingClientRect();
    if (!box) return 0;
    return Math.min(slots - 1, Math.max(0, Math.floor(((event.clientX - box.left) / box.width) * slots)));
  };
  const end = (): void => {
    if (drag) onChoose(start + Math.min(...drag) * step, start + (Math.max(...drag) + 1) * step);
    setDrag(null);
  };
  return (
    <div class="bars">
      <svg
        ref={svg}
        height={HEIGHT}
        role="img"
        aria-label={`Decisions in time: ${plural(
          figures.reduce((sum, { entries }) => sum + entries, 0),
          'decision',
        )}`}
        onPointerDown={(event) => {
          svg.current?.setPointerCapture(event.pointerId);
          setDrag([slotAt(event), slotAt(event)]);
        }}
        onPointerMove={(event) => drag && setDrag([drag[0], slotAt(event)])}
        onPointerUp={end}
        onPointerCancel={() => setDrag(null)}
      >
        {Array.from({ length: slots }, (_, slot) => (
          <Bar key={start + slot * step} figure={byTime.get(start + slot * step)} slot={slot} slots={slots} most={most} />
        ))}
        {drag && (
          <rect
            class="bars-chosen"
            x={`${(Math.min(...drag) / slots) * 100}%`}
            width={`${((Math.abs(drag[1] - drag[0]) + 1) / slots) * 100}%`}
            y={0}
            height={HEIGHT}
          />
        )}
      </svg>
      <div class="ticks num">
        <span>{tick(start)}</span>
        <span>{tick(start + (slots / 2) * step)}</span>
        <span>now</span>
      </div>
    </div>
  );
}

function Bar({ figure, slot, slots, most }: { figure: Figure | undefined; slot: number; slots: number; most: number }): JSX.Element | null {
  if (!figure || figure.entries === 0) return null;
  const { decisions, entries } = figure;
  const high = (value: number): number => (value === 0 ? 0 : Math.max(FAINTEST, (value / most) * HEIGHT));
  const parts: readonly (readonly [string, number])[] = [
    ['m-deny', high(decisions.deny)],
    ['m-hold', high(decisions.hold + decisions.ask)],
    ['m-fault', high(Math.min(figure.faults, entries))],
  ];
  const coloured = parts.reduce((sum, [, size]) => sum + size, 0);
  const whole = Math.max(high(entries), coloured + FAINTEST);
  let top = HEIGHT - Math.min(HEIGHT, whole);
  const x = `${((slot + 0.12) / slots) * 100}%`;
  const width = `${(0.76 / slots) * 100}%`;
  const base = top + coloured;
  return (
    <g>
      {parts.map(([tone, size]) => {
        const y = top;
        top += size;
        return size > 0 && <rect key={tone} class={tone} x={x} width={width} y={y} height={Math.max(1, size - 0.5)} rx={1} />;
      })}
      <rect class="m-pass" x={x} width={width} y={base} height={Math.max(0, HEIGHT - base)} rx={1} />
    </g>
  );
}
