/** What the session did next. */
import type { JSX } from 'preact';
import type { ViewEntry } from '../../../src/ui/api.ts';
import { hrefOf } from '../data/address.ts';
import { Line } from '../parts/text.tsx';
import { span } from '../parts/time.ts';
import { Sign, verdictOf, wordFor } from '../parts/verdict.tsx';

export function FollowedBy({ entry, followed }: { readonly entry: ViewEntry; readonly followed: readonly ViewEntry[] }): JSX.Element {
  return (
    <ol class="trail">
      {followed.map((next) => (
        <li key={next.pos}>
          <span class="num t3">+{span(next.at - entry.at)}</span>
          <Sign of={verdictOf(next)} />
          <a class="cut" href={hrefOf('decision', next.id)} aria-label={`${wordFor(next)}: ${shortOf(next)}`}>
            <Short of={next} />
          </a>
        </li>
      ))}
    </ol>
  );
}

/** The tool and its input, or the sentence of an act. */
export function Short({ of: entry }: { readonly of: ViewEntry }): JSX.Element {
  if (entry.sort === 'act' || entry.what === '') return <Line text={shortOf(entry)} />;
  return (
    <>
      {entry.tool && <Line class="t3" text={`${entry.tool} `} />}
      <Line class="mono" text={entry.what} />
    </>
  );
}

/** What an entry was about, on one line. An act of a person has a sentence instead of a command. */
export function shortOf({ sort, tool, what, reason, kind }: ViewEntry): string {
  if (sort === 'act') return reason || kind;
  return what === '' ? kind : `${tool ? `${tool} ` : ''}${what}`;
}
