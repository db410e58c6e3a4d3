/** A verdict as an agent should read it: what is wrong, what to do instead, and by which rule. Never that a person has denied it. */
import type { GuardFinding, GuardVerdict } from './guard.ts';

/** Null if there is no objection. */
export function reasonFor({ decision, findings }: GuardVerdict): string | null {
  const objections = findings.filter((finding) => finding.decision !== 'none');
  const first = objections.find((finding) => finding.decision === decision);
  if (decision === 'none' || !first) return null;
  const others = new Set(objections.map(({ rule }) => rule).filter((rule) => rule !== first.rule));
  const more = others.size === 0 ? '' : ` Also: ${[...others].slice(0, MOST_RULES).join(', ')}.`;
  const lead = decision === 'ask' ? 'A person should decide: ' : '';
  return `${lead}${sentence(first.message)} ${aboutText(first)}Instead: ${sentence(first.hint)} (Guard rule ${first.rule}.)${more}`;
}

const MOST_RULES = 5;

/** The command or file it is about, where the words of the rule do not say it. */
function aboutText({ text, message }: GuardFinding): string {
  return text === '' || message.includes(text) ? '' : `It is about: ${text}. `;
}

function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
