/** The way from a decision to the ticket that it is about, so that a person who finds it can answer it. */
import type { JSX } from 'preact';
import type { EntryDetail } from '../../../src/ui/api.ts';
import { hrefOf } from '../data/address.ts';
import { Icon } from '../parts/icon.tsx';

export function ToTicket({ detail: { entry, ticket } }: { readonly detail: EntryDetail }): JSX.Element | null {
  if (!entry.ticket) return null;
  const waits = ticket?.ticket.state === 'open';
  return (
    <p>
      <a class={`btn ${waits ? 'pri' : ''}`} href={hrefOf('approvals', entry.ticket)}>
        <Icon name="inbox" /> {waits ? 'It waits for you: answer it' : 'How it was settled'}
      </a>
    </p>
  );
}
