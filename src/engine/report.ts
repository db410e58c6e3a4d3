/** The facts of one hook in one firing, in the shape of the outcome. */
import type { DecisionKind } from '../core/decision.ts';
import type { Hook } from '../core/hook.ts';
import type { HookReport } from '../core/outcome.ts';

export function skipped(hook: Hook, why: string): HookReport {
  return { ...identity(hook), status: 'skipped', skip: why };
}

export function detached(hook: Hook): HookReport {
  return { ...identity(hook), status: 'detached' };
}

export function identity(hook: Hook): Omit<HookReport, 'status'> {
  return { id: hook.id, name: hook.name, dialect: hook.dialect, event: hook.event, handler: hook.handler.type, source: hook.source };
}

/** The common case, written out: spreading an object costs more than the hook it reports on. */
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
