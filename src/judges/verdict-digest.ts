/** The digest of a question: equal digests have equal verdicts, because everything that the model is shown is in it. */
import { createHash } from 'node:crypto';
import type { JudgeQuestion } from '../core/contracts/judge.ts';
import { canonicalJson } from '../core/values/digest.ts';

/** Raised when the instructions of the judge change, so that no verdict of older instructions counts. */
const INSTRUCTIONS = 1;

export function verdictDigest({ kind, rule, mark, dialect, event }: JudgeQuestion, shown: string, model: string): string {
  const text = canonicalJson({ instructions: INSTRUCTIONS, kind, rule, mark: mark ?? null, dialect, event, model, shown });
  return `sha256:${digestOf(text)}`;
}

export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
