/** What the person at an agent is told of hooks that are not in force because of an error in their files: one line, once in a session. */
import type { SaidOnce } from '../config/said-once.ts';
import type { Verdict } from '../core/decision.ts';
import { PASS } from '../core/decision.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import type { EventRule } from '../core/profile.ts';

export function loadErrors(diagnostics: readonly Diagnostic[]): string | undefined {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const [first] = errors;
  if (!first) return undefined;
  const at = first.file === undefined ? first.message : `${first.file}${first.line === undefined ? '' : `:${first.line}`}`;
  const count = errors.length === 1 ? '1 error' : `${errors.length} errors, the first`;
  return `Not all hooks are in force: ${count}${first.file === undefined ? ': ' : ' in '}${at}. \`hookline check\` shows ${errors.length === 1 ? 'it' : 'them'}.`;
}

/**
 * The line, if it is to be said with this answer. Where the user is shown no notice it is said on stderr, which few see, and so once more
 * where one is. A hook's own notice comes first: some agents show one and no more.
 */
export function loadErrorToSay(
  diagnostics: readonly Diagnostic[],
  rule: EventRule,
  verdict: Verdict,
  isFirst: (what: string) => ReturnType<SaidOnce>,
): { readonly notice?: Verdict; readonly line?: string } {
  const text = diagnostics.length === 0 ? undefined : loadErrors(diagnostics);
  if (text === undefined) return {};
  if (!rule.grants.includes('notice')) return isFirst(`stderr ${text}`) ? { line: text } : {};
  if (verdict.effects.some(({ kind }) => kind === 'notice') || !isFirst(`notice ${text}`)) return {};
  return { notice: { decision: PASS, effects: [{ kind: 'notice', text: `Hookline: ${text}` }] } };
}
