/** The events of a session on a line of time. */
import type { JSX } from 'preact';
import type { ViewEntry } from '../../../src/ui/api.ts';
import { TONES, verdictOf, wordFor } from './verdict.tsx';

interface Props {
  readonly marks: readonly ViewEntry[];
  readonly since: number;
  readonly until: number;
  /** It waits for a person since its last mark. */
  readonly isWaiting?: boolean;
  readonly height?: number;
}

export function Track({ marks, since, until, isWaiting = false, height = 20 }: Props): JSX.Element {
  const length = Math.max(1, until - since);
  const x = (at: number): string => `${Math.min(100, Math.max(0, ((at - since) / length) * 100)).toFixed(2)}%`;
  const held = isWaiting ? marks.findLast(({ decision }) => decision === 'hold') : undefined;
  const middle = height / 2;
  return (
    <svg class="track" height={height} role="img" aria-label={summary(marks)}>
      <line class="track-line" x1="0" x2="100%" y1={middle} y2={middle} />
      {held && (
        <rect
          class="track-wait"
          x={x(held.at)}
          y={middle - 4}
          width={`${Math.max(0.5, 100 - Number.parseFloat(x(held.at)))}%`}
          height={8}
          rx={2}
        />
      )}
      {/* Those that matter are drawn last, above the others. */}
      {[...marks]
        .sort((a, b) => weight(a) - weight(b))
        .map((mark) => {
          const size = weight(mark) === 0 ? 7 : weight(mark) === 1 ? 10 : height - 4;
          const width = weight(mark) === 0 ? 1.5 : 2.5;
          return (
            <rect
              key={mark.pos}
              class={`m-${TONES[verdictOf(mark)]}`}
              x={x(mark.at)}
              y={middle - size / 2}
              width={width}
              height={size}
              rx={0.8}
            />
          );
        })}
    </svg>
  );
}

function weight(mark: ViewEntry): number {
  const verdict = verdictOf(mark);
  if (verdict === 'pass' || verdict === 'act') return 0;
  return verdict === 'allow' || verdict === 'rewrite' ? 1 : 2;
}

function summary(marks: readonly ViewEntry[]): string {
  const counts = new Map<string, number>();
  for (const mark of marks) counts.set(wordFor(mark), (counts.get(wordFor(mark)) ?? 0) + 1);
  return marks.length === 0 ? 'No events' : [...counts].map(([word, times]) => `${times} ${word.toLowerCase()}`).join(', ');
}
