/** Reports on one hook in one firing, in the form of the outcome. Also denies if a required hook or another protection is missing. */

import type { Hook, MissingProtection } from '../../core/contracts/hook.ts';
import type { Decision, DecisionKind, Verdict } from '../../core/decision/decision.ts';
import type { HookReport } from '../../core/decision/outcome.ts';
import type { EventKind, HookEvent } from '../../core/event/event.ts';
import { canBeDenied, isBlockingEvent } from '../../core/meaning/profile.ts';
import type { Diagnostic } from '../../core/values/diagnostic.ts';
import type { HookSet } from '../hook-set.ts';
import type { EngineContext, NotAdmitted } from '../ports.ts';

export function skipped(hook: Hook, why: string): HookReport {
  return { ...identity(hook), status: 'skipped', skip: why };
}

export function detached(hook: Hook): HookReport {
  return { ...identity(hook), status: 'detached' };
}

export function identity(hook: Hook): Omit<HookReport, 'status'> {
  return { id: hook.id, name: hook.name, dialect: hook.dialect, event: hook.event, handler: hook.handler.type, source: hook.source };
}

/** The most common report. It is written out, because spreading an object costs more than the hook it reports on. */
export function answered(hook: Hook, decision: DecisionKind, ms: number): HookReport {
  return {
    id: hook.id,
    name: hook.name,
    dialect: hook.dialect,
    event: hook.event,
    handler: hook.handler.type,
    source: hook.source,
    status: 'answered',
    decision,
    ms,
  };
}

/** The result of asking a hook: always a report, and a verdict unless the hook was skipped. */
export interface AskResult {
  readonly report: HookReport;
  readonly verdict?: Verdict;
  readonly diagnostics?: readonly Diagnostic[];
}

export const DISABLED: NotAdmitted = { admitted: false, cause: 'disabled', skipReason: 'disabled', fix: 'Enable it.', diagnostics: [] };
const NOTHING_TO_RUN: NotAdmitted = { ...DISABLED, skipReason: 'nothing to run', fix: 'Add a script to its folder.' };

/** Returns why a hook is off by its own file; undefined if it is on, or if a setting disabled it. */
export function offByItself({ enabled, offBy, nothingToRun }: Hook): NotAdmitted | undefined {
  return enabled || offBy !== undefined ? undefined : nothingToRun ? NOTHING_TO_RUN : DISABLED;
}

export function reportNotAdmitted(context: EngineContext, set: HookSet, hook: Hook, event: HookEvent, notAdmitted: NotAdmitted): AskResult {
  const { skipReason, once } = notAdmitted;
  const diagnostics = [...notAdmitted.diagnostics];
  if (once && (context.ports.isFirstTime?.(event.session.id, `${once.code} ${hook.id}`) ?? true)) diagnostics.push(once);
  const report = skipped(hook, skipReason);
  if (notAdmitted.denies && gatesIn(context, hook) && !isRequired(set, hook)) {
    const reason = `Hook \`${hook.name}\` gates this and cannot judge it: ${skipReason}. ${notAdmitted.fix}`;
    const verdict: Verdict = { decision: { kind: 'deny', reason }, effects: [] };
    return { report: { ...report, decision: 'deny', reason }, verdict, diagnostics };
  }
  if (!isRequired(set, hook)) return { report, diagnostics };
  const reason = whyRequired(hook, notAdmitted);
  if (isDeniable(context, event.kind)) {
    const verdict: Verdict = { decision: { kind: 'deny', reason }, effects: [] };
    return { report: { ...report, decision: 'deny', reason }, verdict, diagnostics };
  }
  const { file } = hook.source;
  return { report, diagnostics: [...diagnostics, { severity: 'warning', code: 'required-hook', file, message: reason }] };
}

/** Whether a denial by this hook would prevent something. */
export function gatesIn({ dialects }: EngineContext, { dialect, event, detach }: Hook): boolean {
  const rule = dialects.get(dialect)?.profile.events[event];
  return rule !== undefined && !detach && rule.run !== 'detach' && isBlockingEvent(rule);
}

export function isRequired({ required }: HookSet, hook: Hook): boolean {
  return hook.required === true || (required.size > 0 && (required.has(hook.name) || required.has(hook.formerName ?? hook.name)));
}

export function whyRequired({ name }: Hook, { skipReason, fix }: NotAdmitted): string {
  return `Hook \`${name}\` is required and cannot judge this: ${skipReason}. ${fix}`;
}

/** Returns why an event of this kind is denied whatever its hooks reply, or undefined if it is not. */
export function missingProtectionOf(context: EngineContext, set: HookSet, kind: EventKind): { by: string; reason: string } | undefined {
  const missing = missingFor(set, kind);
  const [first] = missing;
  if (!first || !isDeniable(context, kind)) return undefined;
  return { by: first.by, reason: missing.map(({ diagnostic: { message, hint } }) => `${message}${hint ? ` ${hint}` : ''}`).join(' ') };
}

/** Returns the protections that an event of this kind lacks. */
export function missingFor({ missing }: Pick<HookSet, 'missing'>, kind: EventKind): readonly MissingProtection[] {
  return missing.length === 0 ? missing : missing.filter(({ kinds }) => kinds?.includes(kind) ?? true);
}

/** Reports the missing protections and denies the event before any hook is asked. Returns the cause of the denial. */
export function denyUnprotected(
  context: EngineContext,
  set: HookSet,
  { event, total, diagnostics }: { readonly event: HookEvent; readonly total: { decision: Decision }; readonly diagnostics: Diagnostic[] },
): string | undefined {
  const unprotected = missingProtectionOf(context, set, event.kind);
  const severity = unprotected ? 'error' : 'warning';
  diagnostics.push(...missingFor(set, event.kind).map(({ diagnostic }) => ({ ...diagnostic, severity }) as const));
  if (unprotected) total.decision = { kind: 'deny', reason: unprotected.reason };
  return unprotected?.by;
}

function isDeniable({ ports }: EngineContext, kind: EventKind): boolean {
  return canBeDenied(
    kind,
    ports.dialects.map(({ profile }) => profile),
  );
}
