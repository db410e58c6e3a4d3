/** The verdict of a hook as an output of the document. */
import type { OutputFields } from '../../agents/claude-agent/output-fields.ts';
import type { Effect, Verdict } from '../../core/decision/decision.ts';

export function outputOfVerdict({ decision, effects }: Verdict): OutputFields {
  const last = <K extends Effect['kind']>(kind: K, fits: (effect: Effect & { kind: K }) => boolean = () => true) =>
    effects.filter((effect): effect is Effect & { kind: K } => effect.kind === kind && fits(effect as Effect & { kind: K })).at(-1);
  const message = last('context', ({ at }) => at === 'start')?.text;
  const context = effects.flatMap((effect) => (effect.kind === 'context' && effect.at !== 'start' ? [effect.text] : []));
  const input = last('rewrite')?.value;
  // The document cannot express a question to a person, so it is a block here.
  const isBlocked = decision.kind !== 'pass' && decision.kind !== 'allow';
  return {
    continueExecution: !isBlocked,
    suppressLogging: last('quiet') !== undefined,
    ...(isBlocked && { stopReason: decision.reason }),
    ...(message !== undefined && { systemMessage: message }),
    ...(input !== undefined && { updatedInput: input }),
    ...(context.length > 0 && { additionalContext: context.join('\n') }),
  };
}
