/** Shows a difference: what is removed in red with a minus, what is added in green with a plus. */
import type { JSX } from 'preact';
import { diff, isOneLine } from './diff.ts';
import { visible } from './text.tsx';

export function DiffView({ before, after }: { readonly before: string; readonly after: string }): JSX.Element {
  const parts = diff(before, after);
  if (isOneLine(before) && isOneLine(after))
    return (
      <pre class="diff inline">
        {parts.map(({ sign, text }, n) =>
          sign === '-' ? (
            <del key={n}>{visible(text)}</del>
          ) : sign === '+' ? (
            <ins key={n}>{visible(text)}</ins>
          ) : (
            <span key={n}>{visible(text)}</span>
          ),
        )}
      </pre>
    );
  return (
    <pre class="diff">
      {parts.map(({ sign, text }, n) => (
        <span key={n} class={sign === '-' ? 'm' : sign === '+' ? 'p' : 'x'}>
          {sign === '-' ? '−' : sign} {visible(text.replace(/\n$/, ''))}
        </span>
      ))}
    </pre>
  );
}
