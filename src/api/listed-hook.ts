/** A hook as `list` shows it: what it is, where it came from, and whether it runs. */
import type { Hook, Source } from '../core/hook.ts';
import type { Admission, TrustState } from '../engine/ports.ts';

export interface ListedHook {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  readonly dialect: string;
  readonly event: string;
  readonly handler: string;
  readonly source: Source;
  readonly timeoutMs: number;
  readonly priority: number;
  /** False for a hook that is switched off, or kept out by the audit. */
  readonly enabled: boolean;
  /** What in the agent's own settings has switched it off, and where that stands. */
  readonly offBy?: string;
  readonly detach: boolean;
  readonly trusted: boolean;
  /** How a hook of the project stands; of others, where they were found says it. */
  readonly trust?: TrustState;
  /** Where it applies and does not run, the event is denied. */
  readonly required?: true;
  /** `active`, or why it does not run. */
  readonly state: string;
}

export function listHook(hook: Hook, admission: Admission): ListedHook {
  const trusted = admission.admitted || admission.why === 'audit';
  const { id, name, description, dialect, event, handler, source, timeoutMs, priority, detach } = hook;
  return {
    id,
    name,
    ...(description !== undefined && { description }),
    dialect,
    event,
    handler: handler.type,
    source,
    timeoutMs,
    priority,
    enabled: hook.enabled && (admission.admitted || admission.why !== 'audit'),
    ...(hook.offBy !== undefined && { offBy: hook.offBy }),
    detach,
    trusted,
    ...(admission.trust && { trust: admission.trust }),
    ...(hook.required && { required: true }),
    state: !hook.enabled ? 'disabled' : admission.admitted ? 'active' : admission.skip,
  };
}
