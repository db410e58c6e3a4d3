/** The page of a tab that the server does not know. */
import type { JSX } from 'preact';
import { refusal } from '../data/request.ts';
import { Commands } from '../parts/empty.tsx';
import { Icon } from '../parts/icon.tsx';
import { visible } from '../parts/text.tsx';

export function Outside(): JSX.Element {
  return (
    <main class="outside">
      <span class="mark">
        <Icon name="hook" />
      </span>
      <h1>Open the dashboard from your terminal</h1>
      {refusal.value !== null && <p class="deny">{visible(refusal.value)}</p>}
      <p class="t2">A link works once, for one minute, so that no other page can use it. This prints a new one:</p>
      <Commands lines={['hookline ui']} />
    </main>
  );
}
