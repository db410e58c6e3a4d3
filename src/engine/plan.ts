/** Plans an event: which hooks would run, in what order, and why the others would not. Makes the choices of a firing and runs nothing. */

import { ALREADY_RUNNING } from '../core/contracts/nesting.ts';
import type { HookReport } from '../core/decision/outcome.ts';
import type { HookEvent } from '../core/event/event.ts';
import { mismatch, type Placed } from '../core/event/match.ts';
import { admissionOf, folderFor } from './ask/ask-hook.ts';
import { DISABLED, gatesIn, identity, isRequired, missingProtectionOf } from './ask/report.ts';
import { type HookSet, isAncestor } from './hook-set.ts';
import type { EngineContext, NotAdmitted } from './ports.ts';
import { compilePattern } from './select/compile.ts';

export interface PlannedHook extends Omit<HookReport, 'status'> {
  readonly runs: boolean;
  /** Why it would run, or why it would not. */
  readonly why: string;
  readonly detach: boolean;
  readonly priority: number;
  readonly timeoutMs: number;
  /** The event is denied if this hook does not run. */
  readonly required?: true;
}

export interface Plan {
  readonly kind: HookEvent['kind'];
  /** The hooks that would run, in order, then the others. */
  readonly hooks: readonly PlannedHook[];
  /** Why the event would be denied before any hook is asked. */
  readonly denied?: string;
}

export async function planEvent(context: EngineContext, set: HookSet, event: HookEvent): Promise<Plan> {
  const planned = await Promise.all(set.placed.map((placed) => planHook(context, set, placed, event)));
  const unprotected = missingProtectionOf(context, set, event.kind);
  const hooks = [...planned.filter(({ runs }) => runs), ...planned.filter(({ runs }) => !runs)];
  return { kind: event.kind, hooks, ...(unprotected && { denied: unprotected.reason }) };
}

async function planHook(context: EngineContext, set: HookSet, placed: Placed, event: HookEvent): Promise<PlannedHook> {
  const { hook, rule } = placed;
  const detach = hook.detach || rule.run === 'detach';
  const required = isRequired(set, hook);
  const base = { ...identity(hook), detach, priority: hook.priority, timeoutMs: hook.timeoutMs, ...(required && { required }) };
  const notAdmitted = ({ skipReason, fix, denies }: NotAdmitted): PlannedHook => {
    if (denies && gatesIn(context, hook))
      return { ...base, runs: false, why: `${skipReason}; it gates this, so the event is denied. ${fix}` };
    return {
      ...base,
      runs: false,
      why: required ? `${skipReason}; it is required, so the event is denied if it can be. ${fix}` : skipReason,
    };
  };
  const other = mismatch(placed, event, compilePattern);
  if (other !== undefined) return { ...base, runs: false, why: other };
  if (hook.nothingToRun) return notAdmitted({ ...DISABLED, skipReason: 'it has nothing to run', fix: 'Add a script to its folder.' });
  if (!hook.enabled)
    return notAdmitted({ ...DISABLED, skipReason: hook.offBy === undefined ? 'it is disabled' : `it is switched off by ${hook.offBy}` });
  if (isAncestor(context, hook)) return { ...base, runs: false, why: ALREADY_RUNNING };
  const admission = hook.run ? undefined : await admissionOf(context, set, hook, folderFor(context, hook, event));
  if (admission && !admission.admitted) return notAdmitted(admission);
  return { ...base, runs: true, why: whyItRuns(placed, detach) };
}

function whyItRuns({ hook, rule }: Placed, detach: boolean): string {
  const matched = hook.when.length === 0 ? 'it has no conditions' : `its ${hook.when.length === 1 ? 'condition holds' : 'conditions hold'}`;
  const power = detach ? 'in the background' : rule.grants.includes('deny') ? 'and can deny' : 'and only observes';
  return `${matched}; it runs ${power}`;
}
