/** A filter by text alone, kept in the address. */
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { address, hrefOf, replace } from '../data/address.ts';
import { Icon } from './icon.tsx';
import { useKeys } from './keys.ts';

export function TextFilter({ hint }: { readonly hint: string }): JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  const { screen, id, query } = address.value;
  useKeys({ '/': () => input.current?.focus() });
  return (
    <search class="filter small">
      <Icon name="search" />
      <input
        ref={input}
        aria-label="Filter"
        placeholder={hint}
        value={query['text'] ?? ''}
        spellcheck={false}
        onInput={(event) => replace(hrefOf(screen, id, { ...query, text: event.currentTarget.value }))}
        onKeyDown={(event) => {
          if (event.key === 'Escape' || event.key === 'Enter') input.current?.blur();
        }}
      />
      <span class="kbd" aria-hidden="true">
        /
      </span>
    </search>
  );
}
