/** The question that is asked while rules of the settings cannot be used, because an action that they would stop must not pass in silence. */
import { type Finding, finding } from '../findings.ts';

/** @param broken Why parts of the settings cannot be used. */
export function brokenFindings(broken: readonly string[] = []): readonly Finding[] {
  const [first] = broken;
  if (first === undefined) return [];
  const more = broken.length === 1 ? '' : ` There are ${broken.length} such problems.`;
  const message = `Cannot be judged by all rules, because a part of the guard's settings cannot be used: ${first}${more}`;
  const hint = 'Let a person fix the settings; `hookline guard test` shows every problem.';
  return [finding({ rule: 'broken-rules', severity: 'medium', message, hint, category: 'uncertain' }, '')];
}
