/** The frame of all screens. */
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Approvals } from '../approvals/approvals.tsx';
import { address, go, hrefOf, type Screen } from '../data/address.ts';
import { access } from '../data/request.ts';
import { me, now } from '../data/state.ts';
import { connection } from '../data/stream.ts';
import { announcement } from '../data/tell.ts';
import { Hooks } from '../hooks/hooks.tsx';
import { Live } from '../live/live.tsx';
import { Log } from '../log/log.tsx';
import { copyLink, note } from '../parts/copy.ts';
import { useKeys } from '../parts/keys.ts';
import { Line } from '../parts/text.tsx';
import { clock, span } from '../parts/time.ts';
import { SessionScreen } from '../sessions/session.tsx';
import { Sessions } from '../sessions/sessions.tsx';
import { Decision } from '../story/decision.tsx';
import { WhatIf } from '../what-if/what-if.tsx';
import { Help } from './help.tsx';
import { Side, TabBar } from './nav.tsx';
import { Outside } from './outside.tsx';
import { Palette } from './palette.tsx';
import { toggleTheme } from './theme.ts';

const TITLES: Readonly<Record<Screen, string>> = {
  live: 'Live',
  decision: 'Decision',
  approvals: 'Approvals',
  sessions: 'Sessions',
  hooks: 'Hooks',
  log: 'Log',
  'what-if': 'What if',
};
/** A short break of the connection is not worth a word. */
const PATIENCE_MS = 3_000;

export function App(): JSX.Element {
  const [box, setBox] = useState<'help' | 'palette' | null>(null);
  const { screen } = address.value;
  const main = useRef<HTMLElement>(null);
  useKeys({
    'g l': () => go(hrefOf('live')),
    'g a': () => go(hrefOf('approvals')),
    'g s': () => go(hrefOf('sessions')),
    'g h': () => go(hrefOf('hooks')),
    'g o': () => go(hrefOf('log')),
    'g w': () => go(hrefOf('what-if')),
    'mod+k': () => setBox('palette'),
    '?': () => setBox('help'),
    t: toggleTheme,
    y: () => copyLink(),
  });
  useEffect(() => {
    const waiting = me.value?.openTickets ?? 0;
    document.title = `${waiting > 0 ? `(${waiting}) ` : ''}${TITLES[screen]} · Hookline`;
  });
  if (access.value === 'out') return <Outside />;
  return (
    <div class="app">
      <Side />
      <main ref={main}>
        <Away />
        <Behind />
        <Current />
      </main>
      <TabBar onMore={() => setBox('palette')} />
      <p class="sr" role="status" aria-live="polite">
        {announcement.value}
      </p>
      {note.value !== null && (
        <p class="toast" aria-hidden="true">
          {note.value}
        </p>
      )}
      {box === 'help' && <Help onClose={() => setBox(null)} />}
      {box === 'palette' && <Palette onClose={() => setBox(null)} />}
    </div>
  );
}

/** The server is away: the last facts stay, and the page says since when. */
function Away(): JSX.Element | null {
  const { isLive, since } = connection.value;
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    setLong(false);
    if (isLive) return;
    const timer = setTimeout(() => setLong(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [isLive]);
  if (isLive || !isLong) return null;
  return (
    <p class="away" role="status">
      The dashboard’s server has not answered for {span(Math.max(now.value, since) - since)}. Hooks decide as before. It is tried again;{' '}
      <code>hookline ui</code> starts it.
    </p>
  );
}

/** The server answers, but what it shows is old. */
function Behind(): JSX.Element | null {
  const following = me.value?.following;
  if (!connection.value.isLive || !following || following.state === 'well') return null;
  return (
    <div class={`away ${following.state === 'behind' ? 'hold' : 'deny'}`} role="status">
      <p>
        <b>
          <Line text={following.says} />
        </b>{' '}
        {following.since !== null && `Since ${clock(following.since)}.`}
      </p>
      <p class="t2">
        <Line text={following.hint} />
      </p>
    </div>
  );
}

function Current(): JSX.Element {
  const { screen, id } = address.value;
  switch (screen) {
    case 'decision':
      return id === null ? <Live /> : <Decision key={id} id={id} />;
    case 'approvals':
      return <Approvals />;
    case 'sessions':
      return id === null ? <Sessions /> : <SessionScreen key={id} id={id} />;
    case 'hooks':
      return <Hooks />;
    case 'log':
      return <Log />;
    case 'what-if':
      return <WhatIf />;
    default:
      return <Live />;
  }
}
