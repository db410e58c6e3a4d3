/** The files that an action would change, each with its removed and added lines. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { FileChange } from './file-changes.ts';
import { Icon } from './icon.tsx';
import { Line, lineOf, visible } from './text.tsx';
import { count, plural } from './time.ts';

const WORDS: Readonly<Record<FileChange['does'], string>> = {
  edit: 'edited',
  write: 'written as a whole',
  delete: 'removed',
  move: 'moved',
};
/** More lines need a click, because a browser takes long to lay them out. */
const MOST_LINES = 160;
const LONGEST_LINE = 2_000;

export function FileDiffs({ changes }: { readonly changes: readonly FileChange[] }): JSX.Element {
  return (
    <div class="file-diffs">
      {changes.map((change, n) => (
        <FileDiff key={n} change={change} />
      ))}
    </div>
  );
}

function FileDiff({ change: { path, does, parts } }: { change: FileChange }): JSX.Element {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? parts : parts.slice(0, MOST_LINES);
  const [removed, added] = ['-', '+'].map((sign) => parts.filter((part) => part.sign === sign).length) as [number, number];
  return (
    <section class="box file-diff" aria-label={`${lineOf(path)}, ${WORDS[does]}`}>
      <header>
        <Icon name="log" />
        <Line class="mono cut" text={path} />
        <span class="t3">{WORDS[does]}</span>
        <span class="grow" />
        <span class="num allow">+{count(added)}</span>
        <span class="num deny">−{count(removed)}</span>
      </header>
      <pre class="diff">
        {shown.map(({ sign, text }, n) => (
          <span key={n} class={sign === '-' ? 'm' : sign === '+' ? 'p' : 'x'}>
            {sign === '-' ? '−' : sign} {visible(text.slice(0, LONGEST_LINE))}
          </span>
        ))}
      </pre>
      {shown.length < parts.length && (
        <button type="button" class="more" onClick={() => setWhole(true)}>
          … {plural(parts.length - shown.length, 'more line')}
        </button>
      )}
    </section>
  );
}
