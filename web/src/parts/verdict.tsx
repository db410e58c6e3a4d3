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

export function verdictOf({ sort, decision, faults, isRewritten, isAlarm }: ViewEntry): Verdict {
  if (isAlarm) return 'alarm';
  if (sort === 'act') return decision === 'deny' ? 'deny' : 'act';
  if (decision === 'pass' || decision === 'allow') return faults > 0 ? 'fault' : isRewritten ? 'rewrite' : decision;
  return decision;
}

export function wordOf(verdict: Verdict): string {
  return WORDS[verdict];
}

export function Sign({ of, class: more = '' }: { readonly of: Verdict; readonly class?: string }): JSX.Element {
  return <span class={`g ${TONES[of]} ${more}`}>{Icon({ name: SIGNS[of] })}</span>;
}

export function VerdictWord({ of }: { readonly of: Verdict }): JSX.Element {
  return (
    <span class={`v ${TONES[of]}`}>
      <Sign of={of} />
      {WORDS[of]}
    </span>
  );
}
