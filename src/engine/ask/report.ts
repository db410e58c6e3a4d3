/** A hook that may not run: skipped, said, and where it is required a reason to deny. Also what denies before any hook is asked. */
import type { Decision, Verdict } from '../core/decision.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import type { EventKind, HookEvent } from '../core/event.ts';
import type { Hook } from '../core/hook.ts';
import type { HookReport } from '../core/outcome.ts';
import { canBeDenied } from '../core/profile.ts';
import type { EngineContext } from './context.ts';
import type { HookSet } from './hook-set.ts';
import type { Refusal } from './ports.ts';
import { skipped } from './report.ts';

/** What came of asking: always a report; a verdict unless the hook was skipped. */
export interface Asked {
  readonly report: HookReport;
  readonly verdict?: Verdict;
  readonly diagnostics?: readonly Diagnostic[];
}

export const DISABLED: Refusal = { admitted: false, why: 'disabled', skip: 'disabled', mend: 'Enable it.', diagnostics: [] };

export function refuse(context: EngineContext, set: HookSet, hook: Hook, event: HookEvent, refusal: Refusal): Asked {
  const { skip, once } = refusal;
  const diagnostics = [...refusal.diagnostics];
  if (once && (context.ports.isFirst?.(event.session.id, `${once.code} ${hook.id}`) ?? true)) diagnostics.push(once);
  const report = skipped(hook, skip);
  if (!isRequired(set, hook)) return { report, diagnostics };
  const reason = whyRequired(hook, refusal);
  if (isDeniable(context, event.kind)) {
    const verdict: Verdict = { decision: { kind: 'deny', reason }, effects: [] };
    return { report: { ...report, decision: 'deny', reason }, verdict, diagnostics };
  }
  const { file } = hook.source;
  return { report, diagnostics: [...diagnostics, { severity: 'warning', code: 'required-hook', file, message: reason }] };
}

export function isRequired({ required }: HookSet, hook: Hook): boolean {
  return hook.required === true || (required.size > 0 && required.has(hook.name));
}

export function whyRequired({ name }: Hook, { skip, mend }: Refusal): string {
  return `Hook \`${name}\` is required and can not judge this: ${skip}. ${mend}`;
}

/** Why an event of this kind is denied whatever its hooks would say; undefined if it is not. */
export function flawOf(context: EngineContext, { flaws }: HookSet, kind: EventKind): { by: string; reason: string } | undefined {
  const [first] = flaws;
  if (!first || !isDeniable(context, kind)) return undefined;
  return { by: first.by, reason: flaws.map(({ diagnostic: { message, hint } }) => `${message}${hint ? ` ${hint}` : ''}`).join(' ') };
}

/** What is wrong with the set as a whole is said, and denies before anybody is asked; answers who denied. */
export function denyFlawed(
  context: EngineContext,
  set: HookSet,
  { event, total, diagnostics }: { readonly event: HookEvent; readonly total: { decision: Decision }; readonly diagnostics: Diagnostic[] },
): string | undefined {
  const flaw = flawOf(context, set, event.kind);
  const severity = flaw ? 'error' : 'warning';
  diagnostics.push(...set.flaws.map(({ diagnostic }) => ({ ...diagnostic, severity }) as const));
  if (flaw) total.decision = { kind: 'deny', reason: flaw.reason };
  return flaw?.by;
}

function isDeniable({ ports }: EngineContext, kind: EventKind): boolean {
  return canBeDenied(
    kind,
    ports.dialects.map(({ profile }) => profile),
  );
}
