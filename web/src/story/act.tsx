/** An entry that is no decision about an action, such as a ticket that a person approved: one sentence, and the way to what it is about. */
import type { JSX } from 'preact';
import type { EntryDetail } from '../../../src/ui/api.ts';
import { folderName } from '../parts/names.ts';
import { Command, Line, Passage } from '../parts/text.tsx';
import { clock, exact } from '../parts/time.ts';
import { Sign, verdictOf } from '../parts/verdict.tsx';
import { Aside } from './aside.tsx';
import { FollowedBy } from './followed-by.tsx';
import { ToTicket } from './to-ticket.tsx';

export function Act({ detail }: { readonly detail: EntryDetail }): JSX.Element {
  const { entry, record, followed } = detail;
  return (
    <div class="story">
      <div class="tell">
        <div class="verdict">
          <Sign of={verdictOf(entry)} class="large" />
          <div>
            <h2>
              <Passage text={entry.reason ?? entry.kind} />
            </h2>
            <p>
              In{' '}
              <b>
                <Line text={folderName(entry.project)} />
              </b>
              , at <time title={exact(entry.at)}>{clock(entry.at)}</time>.
            </p>
          </div>
        </div>
        <div class="act-more">
          <ToTicket detail={detail} />
          {followed.length > 0 && (
            <section>
              <h3 class="h3">Then this session did</h3>
              <FollowedBy entry={entry} followed={followed} />
            </section>
          )}
          <details class="raw">
            <summary>The entry, word for word</summary>
            <Command text={JSON.stringify(record.data, null, 2)} />
          </details>
        </div>
      </div>
      <Aside detail={detail} />
    </div>
  );
}
