/** A decision as a word, a colour and a sign of its own, so that no one needs the colour. */
import type { JSX } from 'preact';
import type { ViewEntry } from '../../../src/ui/api.ts';
import { Icon, type IconName } from './icon.tsx';

export type Verdict = 'alarm' | 'deny' | 'hold' | 'ask' | 'fault' | 'rewrite' | 'allow' | 'pass' | 'skip' | 'act' | 'unknown';

const WORDS: Readonly<Record<Verdict, string>> = {
  alarm: 'Alarm',
  deny: 'Denied',
  hold: 'Held',
  ask: 'Asked',
  fault: 'Fault',
  rewrite: 'Rewritten',
  allow: 'Allowed',
  pass: 'Passed',
  skip: 'Not asked',
  act: 'Act',
  unknown: 'Unreadable',
};
const SIGNS: Readonly<Record<Verdict, IconName>> = {
  alarm: 'alert',
  deny: 'cross',
  hold: 'pause',
  ask: 'question',
  fault: 'bolt',
  rewrite: 'pen',
  allow: 'check',
  pass: 'dot',
  skip: 'dash',
  act: 'person',
  unknown: 'alert',
};
/** The class that gives the colour. */
export const TONES: Readonly<Record<Verdict, string>> = {
  ...{ alarm: 'deny', deny: 'deny', hold: 'hold', ask: 'hold', fault: 'fault', rewrite: 'rewrite', allow: 'allow' },
  ...{ pass: 'pass', skip: 'pass', act: 'pass', unknown: 'fault' },
};

export function verdictOf({ sort, kind, decision, faults, isRewritten, isAlarm }: ViewEntry): Verdict {
  if (isAlarm) return 'alarm';
  if (sort === 'act') return decision === 'deny' ? 'deny' : kind === 'ticket.approved' ? 'allow' : 'act';
  if (decision === 'pass' || decision === 'allow') return faults > 0 ? 'fault' : isRewritten ? 'rewrite' : decision;
  return decision;
}

/** The word for an entry. An act of a person has its own: `ticket.approved` is `Approved`. */
export function wordFor(entry: ViewEntry): string {
  if (entry.sort !== 'act') return WORDS[verdictOf(entry)];
  return entry.kind.slice(entry.kind.lastIndexOf('.') + 1).replace(/^./, (letter) => letter.toUpperCase());
}

export function Sign({ of, class: more = '' }: { readonly of: Verdict; readonly class?: string }): JSX.Element {
  return <span class={`g ${TONES[of]} ${more}`}>{Icon({ name: SIGNS[of] })}</span>;
}

export function VerdictWord({ of, word = WORDS[of] }: { readonly of: Verdict; readonly word?: string }): JSX.Element {
  return (
    <span class={`v ${TONES[of]}`}>
      <Sign of={of} />
      {word}
    </span>
  );
}
