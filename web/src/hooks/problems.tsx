/** The problems of hooks and agents, as sentences with their cost. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ProblemRequest, ProblemView } from '../../../src/ui/api.ts';
import { hrefOf } from '../data/address.ts';
import { send } from '../data/request.ts';
import { now } from '../data/state.ts';
import { say } from '../parts/copy.ts';
import { Icon, type IconName } from '../parts/icon.tsx';
import { Line, Passage } from '../parts/text.tsx';
import { ago, dayOf, plural, shortClock } from '../parts/time.ts';

const FEW = 6;
const DAY = 86_400_000;
const MUTE_DAYS = 7;

const TITLES: Readonly<Record<string, string>> = {
  slow: 'is slow',
  quiet: 'went quiet',
  'not-enforced': 'A denial was not enforced',
};

export function Problems({
  problems,
  onChanged,
}: {
  readonly problems: readonly ProblemView[];
  readonly onChanged: () => void;
}): JSX.Element {
  const [shows, setShows] = useState<'few' | 'open' | 'all'>('few');
  const open = problems.filter(({ state }) => state === 'open');
  const others = problems.length - open.length;
  const listed = shows === 'all' ? problems : shows === 'open' ? open : open.slice(0, FEW);
  return (
    <section class="att" aria-label="Problems">
      <div class="cards">
        {listed.map((problem) => (
          <Problem key={problem.id} problem={problem} onChanged={onChanged} />
        ))}
      </div>
      <p class="att-more">
        {open.length > FEW && shows === 'few' && (
          <button type="button" class="btn ghost" onClick={() => setShows('open')}>
            {open.length - FEW} more
          </button>
        )}
        {others > 0 && (
          <button type="button" class="btn ghost" onClick={() => setShows(shows === 'all' ? 'few' : 'all')}>
            {shows === 'all' ? 'Only open ones' : plural(others, 'resolved or muted', 'resolved or muted')}
          </button>
        )}
      </p>
    </section>
  );
}

function Problem({ problem, onChanged }: { problem: ProblemView; onChanged: () => void }): JSX.Element {
  const { id, kind, hook, says, firstAt, lastAt, state, isReopened, mutedUntil } = problem;
  const isFault = kind.startsWith('fault:');
  const icon: IconName = isFault ? 'bolt' : kind === 'slow' ? 'clock' : kind === 'quiet' ? 'ring' : 'alert';
  const tone = isFault ? 'fault' : kind === 'slow' ? 'hold' : kind === 'quiet' ? 'pass' : 'deny';
  const change = async (body: ProblemRequest, word: string): Promise<void> => {
    try {
      await send('PATCH', `problems/${encodeURIComponent(id)}`, body);
      say(word);
      onChanged();
    } catch (error) {
      say((error as Error).message);
    }
  };
  return (
    <article class={`card ${state === 'open' ? '' : 'done'}`}>
      <h2>
        <span class={`g ${tone}`}>
          <Icon name={icon} />
        </span>
        {hook ? <Line class="cut" text={`${hook.name} ${TITLES[kind] ?? 'does not answer'}`} /> : (TITLES[kind] ?? kind)}
      </h2>
      <p class="t2">
        <Passage text={says} />
      </p>
      <div class="card-foot">
        {hook && (
          <a class="btn" href={hrefOf('hooks', hook.id)}>
            Open
          </a>
        )}
        {state === 'open' ? (
          <>
            <button
              type="button"
              class="btn ghost"
              onClick={() => void change({ state: 'resolved' }, 'Resolved. It opens again by itself if it happens again.')}
            >
              Resolve
            </button>
            <button
              type="button"
              class="btn ghost"
              onClick={() => void change({ state: 'muted', until: Date.now() + MUTE_DAYS * DAY }, `Muted for ${MUTE_DAYS} days.`)}
            >
              Mute
            </button>
          </>
        ) : (
          <button type="button" class="btn ghost" onClick={() => void change({ state: 'open' }, 'Open again.')}>
            Open again
          </button>
        )}
        <span class="grow" />
        <span class="t3" title={`First ${dayOf(firstAt)} ${shortClock(firstAt)}`}>
          {state === 'muted' && mutedUntil ? `muted until ${dayOf(mutedUntil)}` : `${isReopened ? 'back, ' : ''}${ago(lastAt, now.value)}`}
        </span>
      </div>
    </article>
  );
}
