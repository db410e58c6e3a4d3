/** The sessions at work: what each did in the last minutes, and what it does now. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { AgentView, LaneView, NowAnswer } from '../../../src/ui/api.ts';
import { hrefOf } from '../data/address.ts';
import { now } from '../data/state.ts';
import { Badge } from '../parts/badge.tsx';
import { folderName, hostName } from '../parts/names.ts';
import { Line } from '../parts/text.tsx';
import { minuteOf, plural, span } from '../parts/time.ts';
import { Track } from '../parts/track.tsx';

const FEW = 6;

export function Lanes({ answer }: { readonly answer: NowAnswer }): JSX.Element | null {
  const [isWhole, setWhole] = useState(false);
  const { lanes, since, at } = answer;
  if (lanes.length === 0) return null;
  const busy = lanes.filter(({ state }) => state !== 'idle').length;
  // One that waits for a person is not below the edge.
  const ordered = [...lanes.filter(waits), ...lanes.filter((lane) => !waits(lane))];
  const shown = isWhole ? ordered : ordered.slice(0, FEW);
  const step = (at - since) / 3;
  return (
    <section class="lanes" aria-label="Sessions at work">
      <div class="lane axis">
        <span>{busy === 0 ? `${plural(lanes.length, 'session')}, all idle` : `${busy} of ${plural(lanes.length, 'session')} at work`}</span>
        <span class="ticks num" aria-hidden="true">
          {[since, since + step, since + 2 * step].map((tick) => (
            <span key={tick}>{minuteOf(tick)}</span>
          ))}
          <span>now</span>
        </span>
        <span />
      </div>
      <div class="lanes-all">
        {shown.map((lane) => (
          <Lane key={lane.session.id} lane={lane} answer={answer} depth={0} />
        ))}
      </div>
      {lanes.length > FEW && (
        <button type="button" class="lanes-more" onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Fewer' : `${lanes.length - FEW} more`}
        </button>
      )}
    </section>
  );
}

function waits({ state, children }: LaneView): boolean {
  return state === 'waits' || children.some(waits);
}

function Lane({ lane, answer, depth }: { lane: LaneView; answer: NowAnswer; depth: number }): JSX.Element {
  const { session, marks, state, children } = lane;
  const agents = flat(session.agents).filter(({ agent }) => agent !== '' && marks.some((mark) => mark.agent === agent));
  const own = agents.length === 0 ? marks : marks.filter(({ agent }) => agent === '');
  return (
    <>
      <a class="lane" href={hrefOf('sessions', session.id)} style={{ '--depth': depth }}>
        <span class="who">
          <Badge of={folderName(session.project)} isThing />
          <Line class="cut b" text={session.title ?? folderName(session.project)} />
          <Line class="t3 host" text={hostName(session.host)} />
        </span>
        <Track marks={own} since={answer.since} until={answer.at} isWaiting={state === 'waits'} />
        <LaneNow lane={lane} />
      </a>
      {agents.map(({ agent }) => (
        <a key={agent} class="lane sub" href={hrefOf('sessions', session.id, { agent })} style={{ '--depth': depth + 1 }}>
          <span class="who">
            <Line class="cut t2" text={agent} />
            <span class="t3 host">subagent</span>
          </span>
          <Track marks={marks.filter((mark) => mark.agent === agent)} since={answer.since} until={answer.at} />
          <span />
        </a>
      ))}
      {children.map((child) => (
        <Lane key={child.session.id} lane={child} answer={answer} depth={depth + 1} />
      ))}
    </>
  );
}

function flat(agents: readonly AgentView[]): readonly AgentView[] {
  return agents.flatMap((agent) => [agent, ...flat(agent.children)]);
}

function LaneNow({ lane: { state, refused, marks, session } }: { lane: LaneView }): JSX.Element {
  const last = marks.at(-1);
  const held = marks.findLast(({ decision }) => decision === 'hold' || decision === 'ask');
  if (state === 'waits') return <span class="state hold">Waits for you · {span(now.value - (held?.at ?? session.lastAt))}</span>;
  if (state === 'refused') return <span class="state deny">Refused {refused === 1 ? 'once' : plural(refused, 'time')}</span>;
  if (state === 'idle')
    return (
      <span class="state t3">
        <i class="led off" /> Idle · {span(now.value - session.lastAt)}
      </span>
    );
  return (
    <span class="state t2">
      <i class="led" />
      <Line class="cut" text={last ? `${last.tool ?? last.kind} ${last.what}` : 'Works'} />
    </span>
  );
}
