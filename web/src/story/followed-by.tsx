/** What the session did next. */
import type { JSX } from 'preact';
import type { ViewEntry } from '../../../src/ui/api.ts';
import { hrefOf } from '../data/address.ts';
import { Line } from '../parts/text.tsx';
import { span } from '../parts/time.ts';
import { Sign, verdictOf, wordOf } from '../parts/verdict.tsx';

export function FollowedBy({ entry, followed }: { readonly entry: ViewEntry; readonly followed: readonly ViewEntry[] }): JSX.Element {
  return (
    <ol class="trail">
      {followed.map((next) => (
        <li key={next.pos}>
          <span class="num t3">+{span(next.at - entry.at)}</span>
          <Sign of={verdictOf(next)} />
          <a class="cut" href={hrefOf('decision', next.id)} aria-label={`${wordOf(verdictOf(next))}: ${next.what}`}>
            <Line class="mono" text={next.what || next.kind} />
          </a>
        </li>
      ))}
    </ol>
  );
}
