/** The bar at the top of a screen. */
import type { ComponentChildren, JSX } from 'preact';

export function Top({ title, children }: { readonly title: ComponentChildren; readonly children?: ComponentChildren }): JSX.Element {
  return (
    <header class="top">
      <h1>{title}</h1>
      {children}
    </header>
  );
}
