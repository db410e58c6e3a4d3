/** Two lines, p50 and p95, on a scale of tens. */
import type { JSX } from 'preact';
import type { HookPoint } from '../../../src/ui/api.ts';
import { shortClock, took } from '../parts/time.ts';

const [WIDTH, HEIGHT] = [760, 118];
const LOWEST = 1;

interface Props {
  readonly points: readonly HookPoint[];
  readonly since: number;
  readonly until: number;
  readonly name: string;
}

type Place = readonly [x: number, y: number];

export function SeriesChart({ points, since, until, name }: Props): JSX.Element {
  const highest = 10 ** Math.ceil(Math.log10(Math.max(100, ...points.map(({ p95 }) => p95 ?? 0))));
  const y = (ms: number): number => HEIGHT - 6 - (Math.log10(Math.max(LOWEST, ms) / LOWEST) / Math.log10(highest / LOWEST)) * (HEIGHT - 12);
  const x = (at: number): number => ((at - since) / (until - since)) * WIDTH;
  const line = (of: 'p50' | 'p95'): readonly Place[] =>
    points.flatMap((point): Place[] => (point[of] === null ? [] : [[x(point.at), y(point[of] as number)]]));
  const [low, high] = [line('p50'), line('p95')];
  const grid = Array.from({ length: Math.round(Math.log10(highest)) + 1 }, (_, n) => 10 ** n);
  const worst = Math.max(0, ...points.map(({ p95 }) => p95 ?? 0));
  return (
    <div class="chart">
      <div class="chart-y num t3" aria-hidden="true">
        {grid.map((ms) => (
          <span key={ms} style={{ top: `${y(ms) - 8}px` }}>
            {took(ms)}
          </span>
        ))}
      </div>
      <div>
        <svg
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          height={HEIGHT}
          preserveAspectRatio="none"
          role="img"
          aria-label={`${name}: time to answer, p95 at most about ${took(worst)}`}
        >
          {grid.map((ms) => (
            <line key={ms} class="chart-grid" x1={0} x2={WIDTH} y1={y(ms)} y2={y(ms)} />
          ))}
          <path class="chart-area" d={`${path(high)}${path([...low].reverse(), 'L')}Z`} />
          <path class="chart-p95" d={path(high)} />
          <path class="chart-p50" d={path(low)} />
        </svg>
        <div class="ticks num t3" aria-hidden="true">
          {[0, 0.25, 0.5, 0.75].map((part) => (
            <span key={part}>{shortClock(since + (until - since) * part, until)}</span>
          ))}
          <span>now</span>
        </div>
      </div>
    </div>
  );
}

function path(places: readonly Place[], first = 'M'): string {
  return places.map(([x, y], n) => `${n === 0 ? first : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('');
}
