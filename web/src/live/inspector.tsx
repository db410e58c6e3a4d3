/** The chosen decision next to the list: what it was about, who answered what, and what came next. */
import type { JSX } from 'preact';
import type { EntryDetail } from '../../../src/ui/api.ts';
import { conditions, hrefOf } from '../data/address.ts';
import { useData } from '../data/use.ts';
import { Failure } from '../parts/empty.tsx';
import { hookTimes } from '../parts/hook-times.ts';
import { Icon } from '../parts/icon.tsx';
import { decidingHooks, Sentence, verdictOfReport } from '../parts/sentence.tsx';
import { Command, Line } from '../parts/text.tsx';
import { clock, exact, took } from '../parts/time.ts';
import { Sign, TONES, VerdictWord, verdictOf, wordFor } from '../parts/verdict.tsx';
import { Week } from '../parts/week.tsx';
import { Facts } from '../story/facts.tsx';
import { FollowedBy } from '../story/followed-by.tsx';
import { ToTicket } from '../story/to-ticket.tsx';

export function Inspector({ id, onClose }: { readonly id: string; readonly onClose: () => void }): JSX.Element {
  const { data, error, again } = useData<EntryDetail>(`entries/${encodeURIComponent(id)}`);
  return (
    <aside class="insp" aria-label="Chosen decision">
      {error && <Failure error={error} again={again} />}
      {data && <Inspected detail={data} onClose={onClose} />}
    </aside>
  );
}

function Inspected({ detail, onClose }: { detail: EntryDetail; onClose: () => void }): JSX.Element {
  const { entry, command, marks, hooks } = detail;
  const verdict = verdictOf(entry);
  const tone = TONES[verdict];
  const [decider] = decidingHooks(detail);
  return (
    <>
      <div class="insp-top">
        <VerdictWord of={verdict} word={wordFor(entry)} />
        <time class="num t3" title={exact(entry.at)}>
          {clock(entry.at)}
        </time>
        <span class="grow" />
        <a class="btn ghost" href={hrefOf('decision', entry.id, conditions())}>
          Open{' '}
          <span class="kbd" aria-hidden="true">
            ↵
          </span>
        </a>
        <button type="button" class="btn ghost square" aria-label="Close" onClick={onClose}>
          <Icon name="cross" />
        </button>
      </div>
      <div class="insp-part">
        {entry.sort !== 'act' && <Command text={command ?? entry.what} marks={command === null ? [] : marks} tone={tone} />}
        <Sentence detail={detail} />
        <ToTicket detail={detail} />
        {marks[0]?.says && !isIn(marks[0].says, decider?.reason ?? '') && (
          <p class="t2 small">
            <Line text={marks[0].says} />
          </p>
        )}
      </div>
      {hooks.length > 0 && (
        <div class="insp-part">
          <h3 class="h3">
            Asked {entry.asked} of {entry.asked + entry.skipped} hooks <span class="grow" />
            <span class="num">{took(entry.ms)}</span>
          </h3>
          <HookBars hooks={hooks} total={entry.ms} />
        </div>
      )}
      <div class="insp-part">
        <Facts detail={detail} isShort />
      </div>
      {detail.followed.length > 0 && (
        <div class="insp-part">
          <h3 class="h3">Then</h3>
          <FollowedBy entry={entry} followed={detail.followed} />
        </div>
      )}
      {detail.sameHookWeek.length > 0 && (
        <div class="insp-part">
          <Week days={detail.sameHookWeek} tone={tone === 'pass' ? 'deny' : tone} />
        </div>
      )}
    </>
  );
}

/** Whether a text already has a sentence. */
function isIn(sentence: string, text: string): boolean {
  return text.toLowerCase().includes(sentence.replace(/\.$/, '').toLowerCase());
}

function HookBars({ hooks, total }: { hooks: EntryDetail['hooks']; total: number }): JSX.Element {
  return (
    <ul class="hbars">
      {hookTimes(hooks, total).map(({ hook, x, width }) => {
        const verdict = verdictOfReport(hook);
        return (
          <li key={hook.id}>
            <Sign of={verdict} />
            <Line class="mono cut" text={hook.name} />
            <svg class="hbar" height={6} aria-hidden="true">
              <rect class="hbar-all" width="100%" height={6} rx={3} />
              {hook.ms !== undefined && <rect class={`m-${TONES[verdict]}`} x={x} width={width(2)} height={6} rx={3} />}
            </svg>
            <span class="num t3">{hook.status === 'skipped' ? 'skipped' : hook.ms === undefined ? '–' : took(hook.ms)}</span>
          </li>
        );
      })}
    </ul>
  );
}
