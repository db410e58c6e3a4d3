/** What is said beside an answer, because the host could not be told it in its own words. */
import type { Verdict } from '../core/decision.ts';
import type { Degradation } from '../core/degrade.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import type { Host } from '../core/host.ts';
import type { Said } from '../core/host-words.ts';
import { stillSeen } from '../core/replaced-words.ts';

/** What the format of the host has no words for, although the event grants it. */
export function lostInWords({ verdict: said, unsaid }: Said, { decision, effects }: Verdict, { title }: Host): Degradation[] {
  const texts = unsaid.flatMap((effect): Degradation[] => {
    if (effect.kind === 'replace') return [{ what: 'replace', became: 'said', message: stillSeen({ title }) }];
    const text = 'text' in effect ? effect.text : 'reason' in effect ? effect.reason : undefined;
    return text === undefined
      ? []
      : [{ what: effect.kind, became: 'said', message: `${title} has no words for this beside its answer: ${text}` }];
  });
  const isRefused = said.decision.kind !== decision.kind && effects.some(({ kind }) => kind === 'rewrite') && said.decision.kind !== 'pass';
  return isRefused
    ? [{ what: 'rewrite', became: said.decision.kind === 'ask' ? 'ask' : 'deny', message: said.decision.reason ?? '' }, ...texts]
    : texts;
}

export function diagnosticOf({ what, became, message }: Degradation): Diagnostic {
  return { severity: became === 'pass' ? 'info' : 'warning', code: 'degraded', message: `${message} (${what} → ${became})` };
}

export function lineOf({ message, hint }: Diagnostic): string {
  return hint === undefined ? message : `${message} ${hint}`;
}
