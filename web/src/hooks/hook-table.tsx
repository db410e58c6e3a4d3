/** All hooks in a table. */
import type { JSX } from 'preact';
import { replace } from '../data/address.ts';
import { now } from '../data/state.ts';
import { isCompact, isPhone } from '../parts/media.ts';
import { Line } from '../parts/text.tsx';
import { ago, count, exact, percent, took } from '../parts/time.ts';
import { placeOf } from '../story/waterfall.tsx';
import { type HookLine, STATE_TONES, STATE_WORDS } from './hook-lines.ts';

/** Characters of a place before its line, on a wide screen, a tablet and a phone. More would cut off the line. */
const [ROOM, LESS_ROOM, LITTLE_ROOM] = [40, 24, 14];

interface Props {
  readonly lines: readonly HookLine[];
  readonly chosen: string | null;
  readonly hrefOf: (line: HookLine) => string;
}

export function HookTable({ lines, chosen, hrefOf }: Props): JSX.Element {
  const room = isPhone.value ? LITTLE_ROOM : isCompact.value ? LESS_ROOM : ROOM;
  return (
    <div class="tbl-box">
      <table class="tbl">
        <thead>
          <tr>
            <th>Hook</th>
            <th>State</th>
            <th class="m0 m1">Format</th>
            <th class="r">Asked</th>
            <th class="r m0">Denied</th>
            <th class="r">Faults</th>
            <th class="m0">p50 to p95</th>
            <th class="r m0 m1">Last asked</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.id} aria-current={line.id === chosen ? 'true' : undefined} onClick={() => replace(hrefOf(line))}>
              <td>
                <span class="hk">
                  <i class={`sd s-${line.state}`} />
                  <a class="b cut" href={hrefOf(line)}>
                    <Line text={line.name} />
                  </a>
                  <Line class="mono t3 small cut hk-file" text={placeOf(line, room)} />
                </span>
              </td>
              <td class={STATE_TONES[line.state] === 'allow' ? 't2' : STATE_TONES[line.state]} title={line.says}>
                {STATE_WORDS[line.state]}
              </td>
              <td class="t2 m0 m1">
                <Line text={line.dialect} />
              </td>
              <td class="r num t2">
                <span class="asked">
                  {line.figures && <Spark parts={line.figures.askedByTime} />}
                  {line.figures ? count(line.figures.asked) : '–'}
                </span>
              </td>
              <td class="r num t2 m0">{line.figures?.denied ? percent(line.figures.denied, line.figures.asked) : '–'}</td>
              <td class={`r num ${line.figures && line.figures.faulted > 0 ? 'fault b' : 't2'}`}>
                {line.figures ? percent(line.figures.faulted, line.figures.asked) : '–'}
              </td>
              <td class="m0">
                <Latency line={line} />
              </td>
              <td class="r t2 num m0 m1" title={line.figures?.lastAskedAt ? exact(line.figures.lastAskedAt) : undefined}>
                {line.figures?.lastAskedAt ? ago(line.figures.lastAskedAt, now.value) : 'never'}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const [SPARK_WIDTH, SPARK_HEIGHT] = [78, 18];

/** How often it was asked, as bars. Each hook has a scale of its own, because the number is next to it. */
function Spark({ parts }: { parts: readonly number[] }): JSX.Element {
  const most = Math.max(1, ...parts);
  const step = SPARK_WIDTH / parts.length;
  return (
    <svg class="spark m0" width={SPARK_WIDTH} height={SPARK_HEIGHT} aria-hidden="true">
      {parts.map((asked, n) => {
        const high = asked === 0 ? 1 : Math.max(2, (asked / most) * SPARK_HEIGHT);
        // The bars are in the order of time, and have no other name.
        return <rect key={n} class="m-pass" x={n * step} y={SPARK_HEIGHT - high} width={step * 0.72} height={high} />;
      })}
    </svg>
  );
}

/** Tens of milliseconds and tens of seconds on one scale. */
function place(ms: number): number {
  return Math.min(100, (Math.log10(ms + 1) / 4.5) * 100);
}

function Latency({ line: { figures, state } }: { line: HookLine }): JSX.Element {
  if (!figures || figures.p50 === null || figures.p95 === null) return <span class="t3">–</span>;
  const [from, to] = [place(figures.p50), place(figures.p95)];
  return (
    <span class="lat">
      <svg height={10} aria-hidden="true">
        <rect class="hbar-all" y={3} width="100%" height={4} rx={2} />
        <rect class={state === 'slow' ? 'm-hold' : 'm-mid'} x={`${from}%`} y={3} width={`${Math.max(1, to - from)}%`} height={4} rx={2} />
        <rect class={state === 'slow' ? 'm-hold' : 'm-ink'} x={`${from}%`} y={0} width={2} height={10} rx={1} />
      </svg>
      <span class="num t2">{took(figures.p95)}</span>
    </span>
  );
}
