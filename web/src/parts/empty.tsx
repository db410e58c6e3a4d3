/** Screens without data say why, and what to do. */
import type { ComponentChildren, JSX } from 'preact';
import { hrefOf } from '../data/address.ts';
import type { Refused } from '../data/request.ts';
import { Icon, type IconName } from './icon.tsx';
import { visible } from './text.tsx';

interface Props {
  readonly icon: IconName;
  readonly title: string;
  readonly children?: ComponentChildren;
}

export function Empty({ icon, title, children }: Props): JSX.Element {
  return (
    <div class="empty">
      <span class="empty-ic">
        <Icon name={icon} />
      </span>
      <h2>{title}</h2>
      {children}
    </div>
  );
}

export function Failure({ error, again }: { readonly error: Refused; readonly again: () => void }): JSX.Element {
  return (
    <div class="empty" role="alert">
      <span class="empty-ic">
        <Icon name="alert" />
      </span>
      <h2>{error.status === 404 ? 'It is not here' : 'The server did not answer this'}</h2>
      <p>{visible(error.message)}</p>
      {error.hint !== '' && <p class="t2">{visible(error.hint)}</p>}
      {error.status === 404 ? (
        <a class="btn" href={hrefOf('live')}>
          <Icon name="live" /> Go to Live
        </a>
      ) : (
        <button type="button" class="btn" onClick={again}>
          Try again
        </button>
      )}
    </div>
  );
}

/** A command to type, one per line. */
export function Commands({ lines }: { readonly lines: readonly string[] }): JSX.Element {
  return (
    <pre class="cmd lines">
      {lines.map((line) => (
        <span key={line}>{line}</span>
      ))}
    </pre>
  );
}
