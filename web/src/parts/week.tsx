/** How often a rule decided on each of the last seven days. */
import type { JSX } from 'preact';
import type { EntryDetail } from '../../../src/ui/api.ts';
import { dayOf, plural } from './time.ts';

export function Week({ days, tone }: { readonly days: EntryDetail['sameHookWeek']; readonly tone: string }): JSX.Element | null {
  const total = days.reduce((sum, { entries }) => sum + entries, 0);
  if (days.length === 0) return null;
  const most = Math.max(1, ...days.map(({ entries }) => entries));
  return (
    <section>
      <h3 class="h3">
        Same hook, last 7 days <span class="grow" /> <span class="num">{plural(total, 'time')}</span>
      </h3>
      <svg class="week" height={34} role="img" aria-label={days.map(({ at, entries }) => `${dayOf(at)}: ${entries}`).join(', ')}>
        {days.map(({ at, entries }, n) => {
          const high = entries === 0 ? 2 : Math.max(4, (entries / most) * 34);
          return (
            <rect
              key={at}
              class={entries === 0 ? 'm-pass' : `m-${tone}`}
              x={`${(n / days.length) * 100 + 0.4}%`}
              width={`${100 / days.length - 1}%`}
              y={34 - high}
              height={high}
              rx={2}
            >
              <title>{`${dayOf(at)}: ${entries}`}</title>
            </rect>
          );
        })}
      </svg>
    </section>
  );
}
