/**
 * The keys of the page. The part that was shown last is asked first. A text field keeps its keys, but those with Ctrl. `Escape` leaves the field, and
 * nothing else: a note or an edit is not lost by the key that leads back to the others.
 */
import { useLayoutEffect, useRef } from 'preact/hooks';

/** Returns false if the key is not used now. */
type Action = (event: KeyboardEvent) => unknown;
export type Keys = Readonly<Record<string, Action>>;

const layers: { current: Keys }[] = [];
/** The first of two keys, such as the `g` of `g l`. */
let prefix = { key: '', at: 0 };
const PREFIX_MS = 1_500;

export function useKeys(keys: Keys): void {
  const layer = useRef(keys);
  layer.current = keys;
  // Before the paint: whoever sees a part may use its keys at once.
  useLayoutEffect(() => {
    layers.unshift(layer);
    return () => void layers.splice(layers.indexOf(layer), 1);
  }, []);
}

export function startKeys(): void {
  addEventListener('keydown', (event) => {
    const name = nameOf(event);
    if (name === null) return;
    const isTyping = event.target instanceof Element && event.target.matches('input, textarea, select, [contenteditable]');
    if (isTyping && name === 'Escape') (event.target as HTMLElement).blur();
    if (isTyping && !name.startsWith('mod+')) return;
    // By the times at which the keys were pressed, so that a page that answers late forgets none.
    const isSecond = prefix.key !== '' && event.timeStamp - prefix.at < PREFIX_MS;
    const full = isSecond ? `${prefix.key} ${name}` : name;
    prefix = { key: '', at: 0 };
    for (const { current } of layers) {
      const action = current[full];
      if (!action || action(event) === false) continue;
      event.preventDefault();
      return;
    }
    if (full === 'g') prefix = { key: 'g', at: event.timeStamp };
  });
}

function nameOf(event: KeyboardEvent): string | null {
  if (event.isComposing || event.altKey) return null;
  const key = event.key === ' ' ? 'Space' : event.key;
  if (event.ctrlKey || event.metaKey) return `mod+${key.toLowerCase()}`;
  // A button or a link that has the focus answers these itself.
  const isPressable = event.target instanceof Element && event.target.matches('button, a[href]:not(.row), summary');
  if (isPressable && (key === 'Enter' || key === 'Space')) return null;
  return key;
}
