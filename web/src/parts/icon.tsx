/** Pictures of 16 by 16 points, drawn with lines. */
import type { JSX } from 'preact';

const PATHS = {
  live: 'M1.5 8h3l2-5 3 10 2-5h3',
  inbox: 'M2 9.5 4 3h8l2 6.5V13H2zM2 9.5h3.5l1 1.8h3l1-1.8H14',
  sessions: 'M2.5 4h11M2.5 8h8M2.5 12h11',
  hook: 'M6 2.5v7a3 3 0 0 0 6 0V8m-2 2 2-2 2 2',
  log: 'M4 1.8h5L12.5 5v9.2H4zM9 2v3.2h3.4M6 8h4.5M6 10.8h4.5',
  question: 'M5.8 6a2.2 2.2 0 1 1 3.3 1.9c-.8.5-1.1.9-1.1 1.8M8 12.2v.1',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9M10.4 10.4 14 14',
  cross: 'm4.5 4.5 7 7m0-7-7 7',
  check: 'm3.8 8.4 2.8 2.8 5.6-6.2',
  pause: 'M6 4.5v7M10 4.5v7',
  bolt: 'M8.8 2 4.5 9H8l-.8 5L11.5 7H8z',
  pen: 'm3.5 12.5.6-2.6 6.2-6.2 2 2-6.2 6.2z',
  dot: 'M8 7.9v.2',
  dash: 'M5 8h6',
  alert: 'M8 4.5v4M8 11.3v.1',
  person: 'M8 7.8a2.6 2.6 0 1 0 0-5.2 2.6 2.6 0 0 0 0 5.2M3 13.5c.6-2.6 2.6-3.8 5-3.8s4.4 1.2 5 3.8',
  agent: 'M3.5 6h9v6.500h-9zM8 6V3.500M6 8.800v.6M10 8.800v.6M1.8 8.500v2M14.2 8.500v2',
  shield: 'M8 1.8 13 3.500v4c0 3.4-2.2 5.6-5 6.7-2.8-1.1-5-3.3-5-6.700v-4zM5.8 8l1.6 1.6 2.9-3.2',
  speech: 'M2.5 3h11v8H7l-3 2.500V11H2.500z',
  branch: 'M4 14V3m0 6c0-2.5 7-1 7-5m0 0L9 6m2-2 2 2',
  copy: 'M5.5 5.500h8v8h-8zM3 10.500v-8h8',
  link: 'M6.5 9.500l3-3M7 4.5 8.5 3a3 3 0 0 1 4.5 4.500L11.5 9M9 11.5 7.5 13A3 3 0 0 1 3 8.500L4.5 7',
  left: 'm10 3.5-4.5 4.5 4.5 4.5',
  right: 'm6 3.5 4.5 4.500L6 12.5',
  down: 'm4 6 4 4 4-4',
  play: 'm5 3 7.5 5L5 13z',
  bell: 'M3.5 11.500h9c-1-1-1.2-2-1.2-4.200a3.3 3.3 0 0 0-6.6 0c0 2.2-.2 3.2-1.2 4.200M6.8 13.800h2.4',
  more: 'M3.5 8v.1M8 8v.1M12.5 8v.1',
  theme: 'M8 2.500a5.5 5.5 0 1 0 0 11zM8 2.500a5.5 5.5 0 0 1 0 11',
  clock: 'M8 4.500V8l2.3 1.600M8 13.500a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11',
  ring: 'M8 12.500a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9',
  export: 'M8 2v8m0 0L5 7m3 3 3-3M3 13.500h10',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, class: more = '' }: { readonly name: IconName; readonly class?: string }): JSX.Element {
  return (
    <svg class={`ic ${more}`} viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
