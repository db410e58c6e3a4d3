/** One session: its lane at full width, its subagents, and its list. */
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { AgentView, SessionAnswer, ViewEntry } from '../../../src/ui/api.ts';
import { address, go, hrefOf } from '../data/address.ts';
import { calmly, now } from '../data/state.ts';
import { useData, useStream } from '../data/use.ts';
import { EntryRow } from '../live/row.tsx';
import { copyLink } from '../parts/copy.ts';
import { Failure } from '../parts/empty.tsx';
import { Icon } from '../parts/icon.tsx';
import { useKeys } from '../parts/keys.ts';
import { isPhone } from '../parts/media.ts';
import { agentOf, folderName } from '../parts/names.ts';
import { Line } from '../parts/text.tsx';
import { count, plural, shortClock, span, took } from '../parts/time.ts';
import { Top } from '../parts/top.tsx';
import { Track } from '../parts/track.tsx';
import { WindowList } from '../parts/window-list.tsx';

const CALM_MS = 1_000;

export function SessionScreen({ id }: { readonly id: string }): JSX.Element {
  const { query } = address.value;
  const { data, error, again } = useData<SessionAnswer>(`sessions/${encodeURIComponent(id)}`);
  const calm = useMemo(() => calmly(again, CALM_MS), [again]);
  useStream('entry', (entry) => {
    if (entry.session === id) calm();
  });
  useStream('folds', (folds) => {
    if (folds.some(({ session }) => session === id)) calm();
  });
  const [spot, setSpot] = useState(-1);
  const agent = query['agent'];
  const entries = useMemo(
    () => [...(data?.lane ?? [])].filter((entry) => agent === undefined || entry.agent === agent).reverse(),
    [data, agent],
  );
  const open = (entry: ViewEntry | undefined): boolean => {
    if (entry) go(hrefOf('decision', entry.id, { session: id }));
    return entry !== undefined;
  };
  useKeys({
    j: () => setSpot(Math.min(entries.length - 1, spot + 1)),
    ArrowDown: () => setSpot(Math.min(entries.length - 1, spot + 1)),
    k: () => setSpot(Math.max(0, spot - 1)),
    ArrowUp: () => setSpot(Math.max(0, spot - 1)),
    Enter: () => open(entries[spot]),
    Escape: () => go(hrefOf('sessions')),
    y: () => copyLink(),
  });
  return (
    <>
      <Top
        title={
          <span class="crumb">
            <a href={hrefOf('sessions')}>Sessions</a>
            <span aria-hidden="true">/</span>
            <b class="cut">
              <Line text={data?.session.title ?? id} />
            </b>
          </span>
        }
      >
        <span class="grow" />
        <a class="btn hide-m" href={hrefOf('live', null, { session: id })}>
          <Icon name="live" /> Follow live
        </a>
      </Top>
      {error && !data && <Failure error={error} again={again} />}
      {data && (
        <div class="session">
          <SessionHead answer={data} agent={agent} />
          <div class="rows">
            <WindowList
              count={entries.length}
              rowHeight={isPhone.value ? 54 : 34}
              label="Decisions of this session, newest first"
              chosen={spot}
              row={(index) => {
                const entry = entries[index];
                return (
                  entry && (
                    <EntryRow
                      entry={entry}
                      href={hrefOf('decision', entry.id, { session: id })}
                      isChosen={index === spot}
                      isNew={false}
                      isInner={false}
                      canFocus={index === Math.max(0, spot)}
                      isNarrow={isPhone.value}
                      onChoose={() => open(entry)}
                    />
                  )
                );
              }}
            />
          </div>
        </div>
      )}
    </>
  );
}

function SessionHead({ answer, agent }: { answer: SessionAnswer; agent: string | undefined }): JSX.Element {
  const { session, lane, isCut } = answer;
  const since = lane[0]?.at ?? session.firstAt;
  const until = Math.max(session.lastAt, since + 1_000);
  const agents = flat(session.agents).filter(({ agent: name }) => name !== '');
  return (
    <section class="session-head">
      <p class="t2">
        <Line text={`${agentOf(session.user, session.host)} ${session.hostVersion}`} /> in{' '}
        <b>
          <Line text={folderName(session.project)} />
        </b>
        , {span(session.lastAt - session.firstAt)} long, last event {span(now.value - session.lastAt)} ago.{' '}
        {plural(session.entries, 'event')}, <span class={session.denied > 0 ? 'deny' : ''}>{count(session.denied)} denied</span>,{' '}
        <span class={session.held + session.asked > 0 ? 'hold' : ''}>{count(session.held + session.asked)} held</span>,{' '}
        <span class={session.faults > 0 ? 'fault' : ''}>{plural(session.faults, 'fault')}</span>; {took(session.hookMs)} in hooks.
      </p>
      {isCut && <p class="t3">The newest {count(lane.length)} events are shown.</p>}
      <div class="wide-lane">
        <Track marks={agents.length === 0 ? lane : lane.filter((entry) => entry.agent === '')} since={since} until={until} height={34} />
        <div class="ticks num t3" aria-hidden="true">
          <span>{shortClock(since)}</span>
          <span>{shortClock((since + until) / 2)}</span>
          <span>{shortClock(until)}</span>
        </div>
      </div>
      {agents.map(({ agent: name, entries }) => (
        <a
          key={name}
          class="lane sub"
          href={hrefOf('sessions', session.id, { agent: agent === name ? null : name })}
          aria-current={agent === name ? 'true' : undefined}
        >
          <span class="who">
            <Icon name="branch" />
            <Line class="cut" text={name} />
            <span class="t3">{plural(entries, 'event')}</span>
          </span>
          <Track marks={lane.filter((entry) => entry.agent === name)} since={since} until={until} />
        </a>
      ))}
    </section>
  );
}

function flat(agents: readonly AgentView[]): readonly AgentView[] {
  return agents.flatMap((one) => [one, ...flat(one.children)]);
}
