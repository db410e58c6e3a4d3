/** The events of a session on a line of time. */
import type { JSX } from 'preact';
import type { LaneMark, ViewEntry } from '../../../src/ui/api.ts';
import { TONES, verdictOf, wordFor } from './verdict.tsx';

interface Props {
  readonly marks: readonly (ViewEntry | LaneMark)[];
  readonly since: number;
  readonly until: number;
  /** It waits for a person since its last mark. */
  readonly isWaiting?: boolean;
  readonly height?: number;
}

/** The track is so many units wide, however wide it is shown. */
const WIDTH = 1000;

export function Track({ marks, since, until, isWaiting = false, height = 20 }: Props): JSX.Element {
  const length = Math.max(1, until - since);
  const x = (at: number): number => Math.round(Math.min(1, Math.max(0, (at - since) / length)) * WIDTH);
  const held = isWaiting ? marks.findLast(({ decision }) => decision === 'hold') : undefined;
  const middle = height / 2;
  return (
    <svg class="track" height={height} role="img" aria-label={summary(marks)}>
      <line class="track-line" x1="0" x2="100%" y1={middle} y2={middle} />
      {held && (
        <rect
          class="track-wait"
          x={`${x(held.at) / 10}%`}
          y={middle - 4}
          width={`${Math.max(0.5, 100 - x(held.at) / 10)}%`}
          height={8}
          rx={2}
        />
      )}
      <svg aria-hidden="true" width="100%" height={height} viewBox={`0 0 ${WIDTH} ${height}`} preserveAspectRatio="none">
        {strokes(marks, x).map(({ tone, important, at }) => {
          const half = [3.5, 5, middle - 2][important] as number;
          return (
            <path
              key={tone}
              class={`m-${tone}`}
              stroke-width={important === 0 ? 1.5 : 2.5}
              d={at.map((place) => `M${place} ${middle - half}V${middle + half}`).join('')}
            />
          );
        })}
      </svg>
    </svg>
  );
}

interface Stroke {
  readonly tone: string;
  readonly important: number;
  readonly at: readonly number[];
}

/** Marks of one colour are one shape, with one line for those at the same place. Those that matter are drawn last, above the others. */
function strokes(marks: readonly ViewEntry[], x: (at: number) => number): readonly Stroke[] {
  const all = new Map<string, { important: number; at: Set<number> }>();
  for (const mark of marks) {
    const tone = TONES[verdictOf(mark)];
    const stroke = all.get(tone) ?? { important: weight(mark), at: new Set<number>() };
    all.set(tone, stroke);
    stroke.at.add(x(mark.at));
  }
  return [...all].map(([tone, { important, at }]) => ({ tone, important, at: [...at] })).sort((a, b) => a.important - b.important);
}

function weight(mark: ViewEntry): number {
  const verdict = verdictOf(mark);
  if (verdict === 'pass' || verdict === 'act') return 0;
  return verdict === 'allow' || verdict === 'rewrite' ? 1 : 2;
}

function summary(marks: Props['marks']): string {
  const counts = new Map<string, number>();
  for (const mark of marks) counts.set(wordFor(mark), (counts.get(wordFor(mark)) ?? 0) + ('times' in mark ? mark.times : 1));
  return marks.length === 0 ? 'No events' : [...counts].map(([word, times]) => `${times} ${word.toLowerCase()}`).join(', ');
}
