/** The way to each screen: at the side, and at the bottom of a phone. */
import type { JSX } from 'preact';
import { address, hrefOf, type Screen } from '../data/address.ts';
import { me, now } from '../data/state.ts';
import { connection } from '../data/stream.ts';
import { Badge } from '../parts/badge.tsx';
import { Icon, type IconName } from '../parts/icon.tsx';
import { Line } from '../parts/text.tsx';
import { count, span } from '../parts/time.ts';
import { toggleTheme } from './theme.ts';

interface Place {
  readonly screen: Screen;
  readonly icon: IconName;
  readonly text: string;
}

const PLACES: readonly Place[] = [
  { screen: 'live', icon: 'live', text: 'Live' },
  { screen: 'approvals', icon: 'inbox', text: 'Approvals' },
  { screen: 'sessions', icon: 'sessions', text: 'Sessions' },
  { screen: 'hooks', icon: 'hook', text: 'Hooks' },
  { screen: 'log', icon: 'log', text: 'Log' },
  { screen: 'what-if', icon: 'question', text: 'What if' },
];
const VIEWS: readonly (readonly [string, string, Readonly<Record<string, string>>])[] = [
  ['deny', 'Denied', { decision: 'deny' }],
  ['hold', 'Held', { decision: 'hold,ask' }],
  ['fault', 'With faults', { fault: '1' }],
];

function isHere(screen: Screen): boolean {
  const here = address.value.screen;
  return here === screen || (here === 'decision' && screen === 'live');
}

function Count({ screen }: { screen: Screen }): JSX.Element | null {
  const number = screen === 'approvals' ? me.value?.openTickets : screen === 'hooks' ? me.value?.problems : 0;
  if (!number) return null;
  return (
    <span class={`n num ${screen === 'approvals' ? 'hold' : 'fault'}`} title={screen === 'approvals' ? 'actions wait' : 'open problems'}>
      {count(number)}
    </span>
  );
}

export function Side(): JSX.Element {
  return (
    <nav class="side" aria-label="Main">
      <div class="brand">
        <span class="mark">
          <Icon name="hook" />
        </span>
        <b>Hookline</b>
        <Line class="team" text={me.value?.version ?? ''} />
      </div>
      {PLACES.map(({ screen, icon, text }) => (
        <a key={screen} class="nav" href={hrefOf(screen)} title={text} aria-current={isHere(screen) ? 'page' : undefined}>
          <Icon name={icon} />
          <span class="nav-text">{text}</span>
          <Count screen={screen} />
        </a>
      ))}
      <p class="grp">Views</p>
      {VIEWS.map(([tone, text, query]) => (
        <a key={text} class="view" href={hrefOf('live', null, query)}>
          <i class={`sq b-${tone}`} />
          {text}
        </a>
      ))}
      <div class="foot">
        <Health />
        <button type="button" class="nav" onClick={toggleTheme}>
          <Icon name="theme" />
          <span class="nav-text">Theme</span>
          <span class="kbd" aria-hidden="true">
            T
          </span>
        </button>
        <div class="me">
          <Badge of={me.value?.user ?? ''} />
          <Line class="cut" text={me.value?.user ?? ''} />
          <span class="t3">{me.value?.may === 'settle' ? 'may settle' : 'may look'}</span>
        </div>
      </div>
    </nav>
  );
}

function Health(): JSX.Element {
  const { isLive, since } = connection.value;
  const behind = Math.max(0, (me.value?.progress.head ?? 0) - (me.value?.progress.pos ?? 0));
  return (
    <div class="health">
      <div>
        <i class={`led ${isLive ? '' : 'off'}`} />
        <Line class="cut" text={isLive ? (me.value?.machine ?? '') : 'Not connected'} />
      </div>
      <div class="t3">{!isLive ? `for ${span(now.value - since)}` : behind > 0 ? `${count(behind)} entries behind` : 'all records in'}</div>
    </div>
  );
}

const ON_PHONE: readonly Screen[] = ['live', 'approvals', 'sessions', 'hooks'];

export function TabBar({ onMore }: { readonly onMore: () => void }): JSX.Element {
  return (
    <nav class="tabbar" aria-label="Main">
      {PLACES.filter(({ screen }) => ON_PHONE.includes(screen)).map(({ screen, icon, text }) => (
        <a key={screen} href={hrefOf(screen)} aria-current={isHere(screen) ? 'page' : undefined}>
          <span class="tab-ic">
            <Icon name={icon} />
            <Count screen={screen} />
          </span>
          {text}
        </a>
      ))}
      <button type="button" onClick={onMore}>
        <Icon name="more" />
        More
      </button>
    </nav>
  );
}
