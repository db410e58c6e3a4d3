/** The figures of a time, and its bars. */
import type { JSX } from 'preact';
import type { FiguresAnswer } from '../../../src/ui/api.ts';
import { setQuery } from '../parts/filter-box.tsx';
import { count, took } from '../parts/time.ts';
import { Bars } from './bars.tsx';

const [MINUTE, HOUR] = [60_000, 3_600_000];

export const RANGES = {
  quarter: { label: 'Last 15 minutes', ms: 15 * MINUTE, step: MINUTE, by: 'minute' },
  hour: { label: 'Last hour', ms: HOUR, step: MINUTE, by: 'minute' },
  day: { label: 'Last day', ms: 24 * HOUR, step: HOUR, by: 'hour' },
  week: { label: 'Last 7 days', ms: 168 * HOUR, step: HOUR, by: 'hour' },
} as const;

/** An address may name a time that there is not. */
export function rangeOf(name = ''): (typeof RANGES)[keyof typeof RANGES] {
  return Object.hasOwn(RANGES, name) ? RANGES[name as keyof typeof RANGES] : RANGES.hour;
}

export function Pulse({
  answer,
  since,
  range,
}: {
  readonly answer: FiguresAnswer;
  readonly since: number;
  readonly range: (typeof RANGES)[keyof typeof RANGES];
}): JSX.Element {
  const { totals, p95, figures } = answer;
  const { deny, hold, ask } = totals.decisions;
  return (
    <section class="pulse" aria-label={range.label}>
      <div class="figs">
        <Fig value={count(totals.entries)} label="decisions" />
        <Fig value={count(deny)} label="denied" tone="deny" />
        <Fig value={count(hold + ask)} label="held" tone="hold" />
        <Fig value={count(totals.faults)} label="faults" tone="fault" />
        <Fig value={p95 === null ? '–' : took(p95)} label="slowest p95" />
      </div>
      <Bars
        figures={figures}
        since={since}
        until={since + range.ms + range.step}
        step={range.step}
        onChoose={(from, to) => setQuery({ since: String(from), until: String(to), entry: null })}
      />
    </section>
  );
}

/** The unit of a figure is smaller than its number. */
function Fig({ value, label, tone }: { value: string; label: string; tone?: string }): JSX.Element {
  const [number, unit] = value.split(' ');
  return (
    <div class="fig">
      <b class="num">
        {number}
        {unit && <small> {unit}</small>}
      </b>
      <span>
        {tone && <i class={`sq b-${tone}`} />}
        {label}
      </span>
    </div>
  );
}
