/** The sessions: who, where, which agent, how long, and what was stopped. */
import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { SessionsAnswer, SessionView } from '../../../src/ui/api.ts';
import { address, go, hrefOf } from '../data/address.ts';
import { get } from '../data/request.ts';
import { calmly, now } from '../data/state.ts';
import { useData, useStream } from '../data/use.ts';
import { Badge } from '../parts/badge.tsx';
import { Empty, Failure } from '../parts/empty.tsx';
import { Icon } from '../parts/icon.tsx';
import { useKeys } from '../parts/keys.ts';
import { folderName, hostName } from '../parts/names.ts';
import { Line } from '../parts/text.tsx';
import { TextFilter } from '../parts/text-filter.tsx';
import { ago, count, exact, span, took } from '../parts/time.ts';
import { Top } from '../parts/top.tsx';

const CALM_MS = 3_000;

export function Sessions(): JSX.Element {
  const { query } = address.value;
  const { project, host, user } = query;
  const conditions = { ...(project && { project }), ...(host && { host }), ...(user && { user }) };
  const answer = useData<SessionsAnswer>('sessions', { ...conditions, limit: 100 });
  const [more, setMore] = useState<{ sessions: readonly SessionView[]; next: string | null } | null>(null);
  const [spot, setSpot] = useState(-1);
  const again = useMemo(() => calmly(answer.again, CALM_MS), [answer.again]);
  useStream('entry', again);
  useStream('folds', again);
  const key = JSON.stringify(conditions);
  useEffect(() => setMore(null), [key]);
  const first = answer.data?.sessions ?? [];
  const seen = new Set(first.map(({ id }) => id));
  const all = [...first, ...(more?.sessions ?? []).filter(({ id }) => !seen.has(id))];
  const text = (query['text'] ?? '').toLowerCase();
  const shown = all.filter(({ title, project: root, host: agent, user: person }) =>
    `${title ?? ''}\n${root}\n${hostName(agent)}\n${person}`.toLowerCase().includes(text),
  );
  const next = more ? more.next : (answer.data?.next ?? null);
  useKeys({
    j: () => setSpot(Math.min(shown.length - 1, spot + 1)),
    ArrowDown: () => setSpot(Math.min(shown.length - 1, spot + 1)),
    k: () => setSpot(Math.max(0, spot - 1)),
    ArrowUp: () => setSpot(Math.max(0, spot - 1)),
    Enter: () => {
      const session = shown[spot];
      if (!session) return false;
      go(hrefOf('sessions', session.id));
      return true;
    },
  });
  const read = async (): Promise<void> => {
    if (next === null) return;
    const page = await get<SessionsAnswer>('sessions', { ...conditions, limit: 100, after: next });
    setMore({ sessions: [...(more?.sessions ?? []), ...page.sessions], next: page.next });
  };
  return (
    <>
      <Top title="Sessions">
        <TextFilter hint="Filter by title, project, agent, person" />
        <span class="grow" />
        {Object.entries(conditions).map(([name, value]) => (
          <a key={name} class="tok" href={hrefOf('sessions', null, { ...query, [name]: null })}>
            <span>{name}</span> <Line text={name === 'project' ? folderName(value) : value} /> <Icon name="cross" />
            <span class="sr">: remove this condition</span>
          </a>
        ))}
      </Top>
      <div class="body">
        {answer.error && !answer.data && <Failure error={answer.error} again={answer.again} />}
        {answer.data && all.length === 0 && (
          <Empty icon="sessions" title="No session was recorded yet">
            <p>A session appears with the first event of an agent that asks Hookline.</p>
            <a class="btn" href={hrefOf('live')}>
              <Icon name="live" /> How to connect an agent
            </a>
          </Empty>
        )}
        {all.length > 0 && shown.length === 0 && <Empty icon="search" title="No session fits this filter" />}
        {shown.length > 0 && (
          <div class="tbl-box">
            <table class="tbl sess">
              <thead>
                <tr>
                  <th>Session</th>
                  <th class="m0">Agent</th>
                  <th class="m0">Project</th>
                  <th class="r">Last event</th>
                  <th class="r m0 m1">Length</th>
                  <th class="r m0">Events</th>
                  <th class="r">Denied</th>
                  <th class="r m0">Held</th>
                  <th class="r m0">Faults</th>
                  <th class="r m0 m1">In hooks</th>
                </tr>
              </thead>
              <tbody>
                {shown.map((session, index) => (
                  <Session key={session.id} session={session} isChosen={index === spot} />
                ))}
              </tbody>
            </table>
          </div>
        )}
        {next !== null && (
          <p class="centre">
            <button type="button" class="btn" onClick={() => void read()}>
              Older sessions
            </button>
          </p>
        )}
      </div>
    </>
  );
}

function Session({ session, isChosen }: { session: SessionView; isChosen: boolean }): JSX.Element {
  const { id, title, project, host, hostVersion, firstAt, lastAt, entries, denied, held, asked, faults, hookMs } = session;
  return (
    <tr aria-current={isChosen ? 'true' : undefined} onClick={() => go(hrefOf('sessions', id))}>
      <td>
        <span class="hk with-av">
          <Badge of={folderName(project)} isThing />
          <a class="b cut" href={hrefOf('sessions', id)}>
            <Line text={title ?? id} />
          </a>
          <Line class="t3 small cut hk-file" text={title ? id : 'its first prompt was not recorded'} />
        </span>
      </td>
      <td class="t2 m0">
        <Line text={`${hostName(host)} ${hostVersion}`} />
      </td>
      <td class="t2 m0" title={project}>
        <Line text={folderName(project)} />
      </td>
      <td class="r t2 num" title={exact(lastAt)}>
        {ago(lastAt, now.value)}
      </td>
      <td class="r t2 num m0 m1">{span(lastAt - firstAt)}</td>
      <td class="r num m0">{count(entries)}</td>
      <td class={`r num ${denied > 0 ? 'deny b' : 't3'}`}>{count(denied)}</td>
      <td class={`r num m0 ${held + asked > 0 ? 'hold b' : 't3'}`}>{count(held + asked)}</td>
      <td class={`r num m0 ${faults > 0 ? 'fault b' : 't3'}`}>{count(faults)}</td>
      <td class="r num t2 m0 m1">{took(hookMs)}</td>
    </tr>
  );
}
