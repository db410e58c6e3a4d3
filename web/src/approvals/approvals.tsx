/** The actions that wait for a person, and those that were settled. */
import type { JSX } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import type { TicketSummary, TicketsAnswer } from '../../../src/ui/api.ts';
import { address, go, hrefOf, replace } from '../data/address.ts';
import { calmly, now } from '../data/state.ts';
import { askToNotify, permission } from '../data/tell.ts';
import { useData, useStream } from '../data/use.ts';
import { Badge } from '../parts/badge.tsx';
import { Empty, Failure } from '../parts/empty.tsx';
import { Icon } from '../parts/icon.tsx';
import { useKeys } from '../parts/keys.ts';
import { isPhone } from '../parts/media.ts';
import { folderName, hostName } from '../parts/names.ts';
import { Line } from '../parts/text.tsx';
import { ago, count, span } from '../parts/time.ts';
import { Top } from '../parts/top.tsx';
import { TicketScreen } from './ticket.tsx';

const ROUND = 37.7;
const LAST_SETTLED = 3;

export function Approvals(): JSX.Element {
  const { id, query } = address.value;
  const tab = query['tab'] === 'settled' ? 'settled' : 'open';
  const open = useData<TicketsAnswer>('tickets', { state: 'open', limit: 200 });
  const settled = useData<TicketsAnswer>('tickets', { state: 'settled', limit: 100 });
  const again = useMemo(
    () =>
      calmly(() => {
        open.again();
        settled.again();
      }),
    [open.again, settled.again],
  );
  useStream('ticket', again);
  const shown = (tab === 'open' ? open : settled).data?.tickets ?? [];
  const newestFirst = useMemo(() => [...shown].sort((a, b) => (b.settledAt ?? b.openedAt) - (a.settledAt ?? a.openedAt)), [shown]);
  const tickets = tab === 'open' ? shown : newestFirst;
  const index = tickets.findIndex((one) => one.id === id);
  const choose = (next: TicketSummary | undefined): void => {
    if (next) replace(hrefOf('approvals', next.id, query));
  };
  const first = tickets[0]?.id;
  useEffect(() => {
    // A wide screen has room for the first ticket; a phone shows the list.
    if (id === null && first !== undefined && !isPhone.value) replace(hrefOf('approvals', first, query));
  }, [id, first, query]);
  useKeys({
    j: () => choose(tickets[Math.min(tickets.length - 1, index + 1)]),
    ArrowDown: () => choose(tickets[Math.min(tickets.length - 1, index + 1)]),
    k: () => choose(tickets[Math.max(0, index - 1)]),
    ArrowUp: () => choose(tickets[Math.max(0, index - 1)]),
    Escape: () => {
      if (id === null) return false;
      go(hrefOf('approvals', null, query));
      return true;
    },
  });
  const error = open.error ?? settled.error;
  return (
    <>
      <Top
        title={
          id !== null && isPhone.value ? (
            <a class="crumb" href={hrefOf('approvals', null, query)}>
              <Icon name="left" /> {index >= 0 ? `${index + 1} of ${tickets.length}` : 'Approvals'}
            </a>
          ) : (
            'Approvals'
          )
        }
      >
        <span class="grow" />
        {permission.value === 'default' && (
          <button type="button" class="btn ghost hide-m" onClick={() => void askToNotify()}>
            <Icon name="bell" /> Tell me on this device
          </button>
        )}
        {permission.value === 'granted' && (
          <span class="t3 hide-m with-ic">
            <Icon name="bell" /> This device is told
          </span>
        )}
      </Top>
      <div class={`inbox ${id === null ? 'm-list' : 'm-one'}`}>
        <div class="tl">
          <nav class="tabs" aria-label="Tickets">
            <a href={hrefOf('approvals')} aria-current={tab === 'open' ? 'page' : undefined}>
              For you <span class="num">{count(open.data?.open ?? 0)}</span>
            </a>
            <a href={hrefOf('approvals', null, { tab: 'settled' })} aria-current={tab === 'settled' ? 'page' : undefined}>
              Settled
            </a>
          </nav>
          {error && <Failure error={error} again={again} />}
          {open.data && tickets.length === 0 && <NothingWaits tab={tab} settled={newestOf(settled.data)} />}
          <ul class="tks" aria-label={tab === 'open' ? 'Waiting for you' : 'Settled'}>
            {tickets.map((ticket) => (
              <li key={ticket.id}>
                <Item ticket={ticket} isChosen={ticket.id === id} href={hrefOf('approvals', ticket.id, query)} />
              </li>
            ))}
          </ul>
        </div>
        <div class="det">{id !== null && <TicketScreen key={id} id={id} />}</div>
      </div>
    </>
  );
}

function newestOf(answer: TicketsAnswer | null): readonly TicketSummary[] {
  return [...(answer?.tickets ?? [])].sort((a, b) => (b.settledAt ?? 0) - (a.settledAt ?? 0)).slice(0, LAST_SETTLED);
}

function NothingWaits({ tab, settled }: { tab: string; settled: readonly TicketSummary[] }): JSX.Element {
  if (tab !== 'open') return <Empty icon="inbox" title="Nothing was settled yet" />;
  return (
    <Empty icon="check" title="Nothing waits.">
      <p class="t2">An action that a hook holds for a person appears here. It does not run until you answer.</p>
      {settled.length > 0 && (
        <>
          <p class="t2">Settled last:</p>
          <ul class="tks">
            {settled.map((ticket) => (
              <li key={ticket.id}>
                <Item ticket={ticket} isChosen={false} href={hrefOf('approvals', ticket.id, { tab: 'settled' })} />
              </li>
            ))}
          </ul>
        </>
      )}
    </Empty>
  );
}

function Item({ ticket, isChosen, href }: { ticket: TicketSummary; isChosen: boolean; href: string }): JSX.Element {
  const { what, tool, reason, host, root, openedAt, expiresAt, state } = ticket;
  const left = Math.max(0, Math.min(1, (expiresAt - now.value) / Math.max(1, expiresAt - openedAt)));
  return (
    <a class="tk" href={href} aria-current={isChosen ? 'true' : undefined}>
      <Badge of={folderName(root)} isThing />
      <Line class="cut b" text={reason || `${tool ?? 'An action'} waits`} />
      <span class="num t3 tk-age" title={state === 'open' ? `${span(expiresAt - now.value)} left` : state}>
        {state === 'open' ? span(now.value - openedAt) : ago(ticket.settledAt ?? openedAt, now.value)}
        {state === 'open' ? (
          <svg class="ring" viewBox="0 0 16 16" aria-hidden="true">
            <circle class="ring-all" cx="8" cy="8" r="6" />
            <circle class="ring-left" cx="8" cy="8" r="6" stroke-dasharray={`${(ROUND * left).toFixed(1)} 40`} />
          </svg>
        ) : (
          <Icon name={state === 'approved' ? 'check' : 'cross'} class={state === 'approved' ? 'allow' : 'deny'} />
        )}
      </span>
      <Line class="mono cut tk-sub" text={what} />
      <span class="t3 tk-met">
        <Line text={hostName(host)} /> · <Line text={folderName(root)} />
        {state !== 'open' && (
          <>
            {' · '}
            {state}
            {ticket.by && (
              <>
                {' by '}
                <Line text={ticket.by} />
              </>
            )}
          </>
        )}
      </span>
    </a>
  );
}
