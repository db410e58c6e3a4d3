/** The square of a project or the circle of a person, with two letters and a colour that stays the same. */
import type { JSX } from 'preact';
import { colourOf, initials } from './names.ts';
import { visible } from './text.tsx';

export function Badge({ of, isThing = false }: { readonly of: string; readonly isThing?: boolean }): JSX.Element {
  return (
    <span class={`av c${colourOf(of)} ${isThing ? 'thing' : ''}`} aria-hidden="true">
      {visible(initials(of))}
    </span>
  );
}
