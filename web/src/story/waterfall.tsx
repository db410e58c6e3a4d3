/** The hooks that were asked, as bars in time, with their files and their replies. */
import type { JSX } from 'preact';
import type { EntryDetail } from '../../../src/ui/api.ts';
import { hrefOf } from '../data/address.ts';
import { useHookId } from '../parts/hook-id.ts';
import { hookTimes } from '../parts/hook-times.ts';
import { replyText, verdictOfReport } from '../parts/sentence.tsx';
import { Line, Passage, visible } from '../parts/text.tsx';
import { took } from '../parts/time.ts';
import { Sign, TONES } from '../parts/verdict.tsx';

export function Waterfall({ hooks, total }: { readonly hooks: EntryDetail['hooks']; readonly total: number }): JSX.Element {
  return (
    <ul class="wf">
      {hookTimes(hooks, total).map(({ hook, x, width }) => {
        const verdict = verdictOfReport(hook);
        return (
          <li key={hook.id}>
            <Sign of={verdict} />
            <div class="wf-name">
              <HookName hook={hook} /> <Line class="t3" text={hook.dialect} />
              <span title={visible(hook.source.file)}>
                <Line class="mono t3 small cut place" text={placeOf(hook.source)} />
              </span>
            </div>
            <div class="wf-said">
              {hook.ms !== undefined && (
                <svg class="wf-bar" height={8} aria-hidden="true">
                  <rect class={`m-${TONES[verdict]}`} x={x} width={width(1)} height={8} rx={3} />
                </svg>
              )}
              <p class="t2">
                <Passage text={replyText(hook)} />
              </p>
            </div>
            <span class="num t2 r">{hook.ms === undefined ? '–' : took(hook.ms)}</span>
          </li>
        );
      })}
    </ul>
  );
}

function HookName({ hook }: { hook: EntryDetail['hooks'][number] }): JSX.Element {
  const id = useHookId(hook);
  return (
    <a class="link mono b" href={hrefOf('hooks', id)}>
      <Line text={hook.name} />
    </a>
  );
}

/** As much as fits next to the bars. */
const LONGEST = 27;

/** The end of a long path says more than its beginning, so as many of its last parts are shown as there is room for. */
export function placeOf({ file, line }: { readonly file: string; readonly line?: number | null | undefined }, longest = LONGEST): string {
  const parts = file.split(/(?=[\\/])/);
  let short = file;
  for (let first = 1; short.length > longest && first < parts.length; first++) short = `…${parts.slice(first).join('')}`;
  return line ? `${short}:${line}` : short;
}
