/** The chosen hook: its time to answer, and what it cost. */
import type { JSX } from 'preact';
import type { ProblemView, SeriesAnswer } from '../../../src/ui/api.ts';
import { hrefOf } from '../data/address.ts';
import { useData } from '../data/use.ts';
import { Icon } from '../parts/icon.tsx';
import { Line, Passage } from '../parts/text.tsx';
import { count, percent, took } from '../parts/time.ts';
import { placeOf } from '../story/waterfall.tsx';
import { type HookLine, STATE_TONES, STATE_WORDS } from './hook-lines.ts';
import { SeriesChart } from './series-chart.tsx';

interface Props {
  readonly line: HookLine;
  readonly problems: readonly ProblemView[];
  readonly since: number;
  readonly until: number;
  readonly by: 'hour' | 'day';
}

export function ChosenHook({ line, problems, since, until, by }: Props): JSX.Element {
  const { data } = useData<SeriesAnswer>(line.figures ? `hooks/${encodeURIComponent(line.id)}/series` : null, { by, since, until });
  const { figures } = line;
  return (
    <section class="chosen" aria-label="Chosen hook">
      <div class="chosen-l">
        <h2 class="h3">
          <Line class="mono b" text={line.name} /> time to answer
          <span class="grow" />
          <span class="key">
            <i class="k-p50" /> p50
          </span>
          <span class="key">
            <i class="k-p95" /> p95
          </span>
        </h2>
        {data && data.points.length > 0 ? (
          <SeriesChart points={data.points} since={since} until={until} name={line.name} />
        ) : (
          <p class="t3 chart-none">It was not asked in this time.</p>
        )}
        <Unanswered problems={problems.filter(({ hook, kind }) => hook?.id === line.id && kind.startsWith('fault:'))} />
      </div>
      <div class="chosen-r">
        <dl class="kv">
          <dt>State</dt>
          <dd class={STATE_TONES[line.state]}>{STATE_WORDS[line.state]}</dd>
          <dt>File</dt>
          <dd>
            <Line class="mono small" text={placeOf(line, 60)} />
          </dd>
          <dt>Event</dt>
          <dd>
            <Line text={`${line.event} · ${line.scope}`} />
          </dd>
          {figures && (
            <>
              <dt>Asked</dt>
              <dd class="num">
                {count(figures.asked)}, skipped {count(figures.skipped)}
              </dd>
              <dt>Denied</dt>
              <dd class="num">
                {count(figures.denied)} ({percent(figures.denied, figures.asked)}), held {count(figures.held)}
              </dd>
              <dt>Faults</dt>
              <dd class={`num ${figures.faulted > 0 ? 'fault' : ''}`}>
                {count(figures.faulted)} ({percent(figures.faulted, figures.asked)})
              </dd>
              <dt>Costs</dt>
              <dd class="num">
                {took(figures.msPerSession)} per session, {took(figures.msMax)} at most
              </dd>
              {figures.judge.calls > 0 && (
                <>
                  <dt>Model</dt>
                  <dd class="num">
                    {count(figures.judge.calls)} calls, {count(figures.judge.inputTokens + figures.judge.outputTokens)} tokens
                  </dd>
                </>
              )}
            </>
          )}
        </dl>
        {line.says && (
          <p class="notice">
            <Passage text={line.says} />
          </p>
        )}
        <a class="btn" href={hrefOf('live', null, { hook: line.id })}>
          <Icon name="search" /> What it stopped
        </a>
      </div>
    </section>
  );
}

/** The ways in which it failed, the most frequent first. */
function Unanswered({ problems }: { problems: readonly ProblemView[] }): JSX.Element | null {
  if (problems.length === 0) return null;
  const most = Math.max(...problems.map(({ count: times }) => times));
  return (
    <section class="unanswered">
      <h3 class="h3">It could not be asked</h3>
      <ul>
        {problems
          .toSorted((a, b) => b.count - a.count)
          .map(({ id, kind, detail, count: times }) => (
            <li key={id}>
              <span class="unanswered-bar">
                <svg aria-hidden="true">
                  <rect width={`${(times / most) * 100}%`} height="100%" rx={4} />
                </svg>
                <Line class="cut" text={detail || kind.slice('fault:'.length)} />
              </span>
              <span class="num">{count(times)}</span>
            </li>
          ))}
      </ul>
    </section>
  );
}
