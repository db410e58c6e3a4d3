/**
 * Hooks in shadow. Such a hook is asked like any other, and its verdict is recorded, but neither a later hook nor the agent sees anything of it.
 * A hook that is required is never in shadow, because then nothing would be protected by it.
 */
import type { Hook } from '../../core/contracts/hook.ts';
import { NO_OPINION } from '../../core/decision/decision.ts';
import type { HookReport } from '../../core/decision/outcome.ts';
import type { Diagnostic } from '../../core/values/diagnostic.ts';
import type { HookSet } from '../hook-set.ts';
import type { EngineContext } from '../ports.ts';
import { type AskResult, isRequired } from './report.ts';

/** Whether its own registration, a setting or the whole engine puts the hook in shadow. */
function isMeant({ settings }: EngineContext, hook: Hook): boolean {
  return hook.shadow === true || (settings.shadow && hook.source.scope !== 'managed');
}

export function isInShadow(context: EngineContext, set: HookSet, hook: Hook): boolean {
  return isMeant(context, hook) && !isRequired(set, hook);
}

/** Returns what is reported of a hook that should be in shadow and is required. */
export function shadowRefused(context: EngineContext, set: HookSet, hook: Hook): Diagnostic | undefined {
  if (!isMeant(context, hook) || !isRequired(set, hook)) return undefined;
  const message = `Hook \`${hook.name}\` is required, so it counts although it should be in shadow.`;
  const hint = 'Take it off the list of required hooks, or out of shadow.';
  return { severity: 'warning', code: 'shadow-required', file: hook.source.file, message, hint };
}

/** Returns the result of a hook as the firing counts it: that of a hook in shadow only tells what it would have been. */
export function counted(context: EngineContext, set: HookSet, hook: Hook, result: AskResult): AskResult {
  if (!isMeant(context, hook)) return result;
  const refused = shadowRefused(context, set, hook);
  if (refused) return { ...result, diagnostics: [...(result.diagnostics ?? []), refused] };
  const { decision, reason, effects, state: _, ...rest } = result.report;
  if (decision === undefined) return result;
  const report: HookReport = {
    ...rest,
    ...(rest.status !== 'skipped' && { decision: 'pass' }),
    wouldHave: { decision, ...(reason !== undefined && { reason }), ...(effects && { effects }) },
  };
  return { ...result, report, verdict: NO_OPINION };
}
