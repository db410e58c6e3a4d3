/** Next to the story: whether the record is whole, whose action it was, and what a person can do. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { EntryDetail, PlanAnswer } from '../../../src/ui/api.ts';
import { hrefOf } from '../data/address.ts';
import { useData } from '../data/use.ts';
import { Failure } from '../parts/empty.tsx';
import { useHookId } from '../parts/hook-id.ts';
import { Icon } from '../parts/icon.tsx';
import { decidingHooks } from '../parts/sentence.tsx';
import { Line } from '../parts/text.tsx';
import { count } from '../parts/time.ts';
import { TONES, verdictOf } from '../parts/verdict.tsx';
import { Week } from '../parts/week.tsx';
import { Planned } from '../what-if/planned.tsx';
import { Facts } from './facts.tsx';

export function Aside({ detail }: { readonly detail: EntryDetail }): JSX.Element {
  const { entry, chain } = detail;
  const tone = TONES[verdictOf(entry)];
  const [decider] = decidingHooks(detail);
  const hook = useHookId(decider);
  const [asks, setAsks] = useState(false);
  const plan = useData<PlanAnswer>(asks ? `entries/${encodeURIComponent(entry.id)}/plan` : null);
  return (
    <aside class="facts" aria-label="Facts">
      {chain === 'sound' ? (
        <p class="seal">
          <Icon name="shield" />
          <span>
            <b>On record, unchanged.</b> Entry {count(entry.pos)} fits its own hash. <a href={hrefOf('log')}>Verify the whole log</a>
          </span>
        </p>
      ) : (
        <p class="seal bad" role="alert">
          <Icon name="alert" />
          <span>
            <b>{chain === 'altered' ? 'This entry was changed after it was written.' : 'This entry cannot be read.'}</b>{' '}
            <a href={hrefOf('log')}>Verify the whole log</a>
          </span>
        </p>
      )}
      <Facts detail={detail} />
      <Week days={detail.sameHookWeek} tone={tone === 'pass' ? 'deny' : tone} />
      <section class="doing">
        {(entry.sort !== 'act' || hook) && <h3 class="h3">You can</h3>}
        {entry.sort !== 'act' && (
          <button type="button" class="btn" aria-expanded={asks} onClick={() => setAsks(!asks)}>
            <Icon name="play" /> See who would be asked now
          </button>
        )}
        {decider && hook && (
          <a class="btn" href={hrefOf('hooks', hook)}>
            <Icon name="hook" /> Open <Line class="cut" text={decider.name} />
          </a>
        )}
        {hook && (
          <a class="btn" href={hrefOf('live', null, { hook })}>
            <Icon name="search" /> Everything it stopped
          </a>
        )}
      </section>
      {asks && plan.error && <Failure error={plan.error} again={plan.again} />}
      {asks && plan.data && <Planned answer={plan.data} />}
    </aside>
  );
}
