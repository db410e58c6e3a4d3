/** Facts about the device that decide what is in the page, not only how it looks. */
import { type Signal, signal } from '@preact/signals';

function matches(query: string): Signal<boolean> {
  const media = matchMedia(query);
  const answer = signal(media.matches);
  media.addEventListener('change', () => {
    answer.value = media.matches;
  });
  return answer;
}

export const isPhone = matches('(max-width: 760px)');
/** Without room for something next to a list. */
export const isCompact = matches('(max-width: 1000px)');
