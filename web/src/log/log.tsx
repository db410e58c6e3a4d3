/** The log itself: whether it is whole, and a copy of it. */
import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { VerifyDone, VerifyProgress } from '../../../src/ui/api.ts';
import { readEvents } from '../data/events.ts';
import { open } from '../data/request.ts';
import { me } from '../data/state.ts';
import { say } from '../parts/copy.ts';
import { Icon } from '../parts/icon.tsx';
import { useKeys } from '../parts/keys.ts';
import { Line, Passage } from '../parts/text.tsx';
import { count, plural } from '../parts/time.ts';
import { Top } from '../parts/top.tsx';

const FORMATS: readonly (readonly [string, string])[] = [
  ['ndjson', 'One JSON object per line'],
  ['json', 'One JSON document'],
  ['csv', 'A table'],
  ['ocsf', 'For a SIEM, in OCSF'],
];
const MOST_PROBLEMS = 20;

export function Log(): JSX.Element {
  const [progress, setProgress] = useState<VerifyProgress | null>(null);
  const [done, setDone] = useState<VerifyDone | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const isRunning = useRef(false);
  const verify = async (): Promise<void> => {
    if (isRunning.current) return;
    isRunning.current = true;
    setDone(null);
    setFailure(null);
    setProgress({ checked: 0, total: 0 });
    try {
      await readEvents(await open('/v1/log/verify'), (events) => {
        for (const [name, text] of events) {
          if (name === 'progress') setProgress(JSON.parse(text) as VerifyProgress);
          if (name === 'done') setDone(JSON.parse(text) as VerifyDone);
        }
      });
    } catch (error) {
      setFailure((error as Error).message);
    }
    setProgress(null);
    isRunning.current = false;
  };
  useKeys({ v: () => void verify() });
  const views = me.value?.progress;
  return (
    <>
      <Top title="Log" />
      <div class="body">
        <div class="page narrow">
          <section class="panel">
            <h2>Is it whole?</h2>
            <p class="t2">Each entry names the hash of the one before it. A changed, moved or missing entry shows.</p>
            <p>
              <button type="button" class="btn pri" disabled={progress !== null} onClick={() => void verify()}>
                <Icon name="shield" /> Verify {views ? plural(views.head, 'entry', 'entries') : 'the log'}{' '}
                <span class="kbd" aria-hidden="true">
                  V
                </span>
              </button>
            </p>
            {progress && (
              <div class="verify" role="status">
                <progress max={Math.max(1, progress.total)} value={progress.checked} aria-label="Checked" />
                <span class="num t2">
                  {count(progress.checked)} of {count(progress.total)}
                </span>
              </div>
            )}
            {failure !== null && (
              <p class="notice fault" role="alert">
                <Passage text={failure} />
              </p>
            )}
            {done && <Verified done={done} />}
          </section>
          <section class="panel">
            <h2>Take a copy</h2>
            <p class="t2">Secrets were masked before the entries were written.</p>
            <ul class="exports">
              {FORMATS.map(([format, says]) => (
                <li key={format}>
                  <button type="button" class="btn" onClick={() => void download(format)}>
                    <Icon name="export" /> {format}
                  </button>
                  <span class="t2">{says}</span>
                </li>
              ))}
            </ul>
          </section>
          <section class="panel">
            <h2>Where it is</h2>
            <dl class="kv">
              <dt>Store</dt>
              <dd>
                <Line class="mono" text={me.value?.store ?? ''} />
              </dd>
              <dt>Last entry</dt>
              <dd class="num">{count(views?.head ?? 0)}</dd>
              <dt>Shown</dt>
              <dd class="num">
                up to {count(views?.pos ?? 0)}
                {views && views.missing > 0 ? `, ${count(views.missing)} were pruned before` : ''}
              </dd>
              <dt>Recorded</dt>
              <dd>
                {me.value?.canRecordAll ? (
                  <>
                    Events in which a hook was asked. <code>log.record: "all"</code> in the settings records the others too.
                  </>
                ) : (
                  'All events.'
                )}
              </dd>
            </dl>
          </section>
        </div>
      </div>
    </>
  );
}

function Verified({ done: { ok, entries, problems } }: { done: VerifyDone }): JSX.Element {
  if (ok)
    return (
      <p class="seal" role="status">
        <Icon name="shield" />
        <span>
          <b>The log is whole.</b> {plural(entries, 'entry fits', 'entries fit')} the chain.
        </span>
      </p>
    );
  return (
    <div role="alert">
      <p class="seal bad">
        <Icon name="alert" />
        <span>
          <b>The log is not whole: {plural(problems.length, 'problem')}.</b> The other entries of {count(entries)} are sound.
        </span>
      </p>
      <ul class="plan">
        {problems.slice(0, MOST_PROBLEMS).map((problem, n) => (
          <li key={n}>
            <Line text={Object.values(problem).join(': ')} />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** A link cannot carry the token, so the copy is read first and saved then. */
async function download(format: string): Promise<void> {
  try {
    const response = await open(`/v1/log/export?format=${format}`);
    const link = document.createElement('a');
    link.href = URL.createObjectURL(await response.blob());
    link.download = `hookline-log.${format === 'ocsf' ? 'ndjson' : format}`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    say('The copy is saved by the browser.');
  } catch (error) {
    say((error as Error).message);
  }
}
