/** What an engine offers to an agent's code. */

import type { Skill } from '../agents/skillkit/index.ts';
import type { Hook, Source, TrustState } from '../core/contracts/hook.ts';
import type { Outcome } from '../core/decision/outcome.ts';
import type { EventKind } from '../core/event/event.ts';
import type { EventPayloads } from '../core/event/payloads.ts';
import type { Diagnostic } from '../core/values/diagnostic.ts';
import type { Settlement } from '../engine/decide/hold.ts';
import type { Plan } from '../engine/plan.ts';
import type { Admission } from '../engine/ports.ts';
import type { FireContext, NativeEvent } from '../engine/receive/events.ts';
import type { DecisionLog } from '../engine/record/decision-log.ts';
import type { Approvals } from '../people/approvals.ts';
import type { HookTool } from './reload-tool.ts';
import type { BuiltinLine, HookFunction, OnOptions } from './runtime-hooks.ts';

/** Undoes a registration: call it, or let `using` do it. */
export type Registration = (() => void) & Disposable;

export interface Reloaded {
  readonly hooks: number;
  readonly diagnostics: readonly Diagnostic[];
}

export interface Hookline {
  /** Puts an event to the hooks that apply and returns what came of it. Rejects only on misuse. */
  fire<K extends EventKind>(kind: K, payload: EventPayloads[K], context?: FireContext): Promise<Outcome>;
  fire(event: NativeEvent, context?: FireContext): Promise<Outcome>;
  /** What `fire` would ask, and why not the others, without running anything. */
  plan<K extends EventKind>(kind: K, payload: EventPayloads[K], context?: FireContext): Promise<Plan>;
  plan(event: NativeEvent, context?: FireContext): Promise<Plan>;
  /** A function as a hook, or a line that is built in: `hookline guard`. A throw counts as a deny where the event can be denied. */
  on<K extends EventKind>(kind: K, hook: HookFunction<K> | BuiltinLine, options?: OnOptions): Registration;
  /** A skill whose hooks are functions; they fire until it is unregistered. */
  registerSkill(skill: Skill): Registration;
  /** Settles a held action, here or in another process: approving goes on with the hooks after the one that suspended it. */
  resume(ticket: string, answer: Settlement): Promise<Outcome>;
  /** Waits for somebody to settle it, and goes on; undefined if nobody has within `timeoutMs`. */
  waitFor(ticket: string, options?: { readonly timeoutMs?: number; readonly signal?: AbortSignal }): Promise<Outcome | undefined>;
  /** Held actions: to be shown, and settled without going on (the next identical event does). */
  readonly approvals: Approvals;
  /** The record of decisions. */
  readonly log: DecisionLog;
  /** Reads all hook files anew and swaps the set in one step. Rejects, and keeps the old set, if a source can't be read. */
  reload(): Promise<Reloaded>;
  /** `hook_reload` as a tool an agent can be given. */
  readonly reloadTool: HookTool;
  /** Every hook, with where it came from and whether it runs. */
  list(): Promise<{ readonly hooks: readonly ListedHook[]; readonly diagnostics: readonly Diagnostic[] }>;
  /** The whole text of the file a hook was written in, read now: at start only its settings are. */
  read(hookId: string): Promise<string>;
  /** Problems of the files as they were loaded last. */
  readonly diagnostics: readonly Diagnostic[];
  /** Waits for hooks in the background, at most `deadlineMs`, and names those that never ended. */
  close(deadlineMs?: number): Promise<{ readonly unsettled: readonly string[] }>;
}

/** A hook as `list` shows it: what it is, where it came from, and whether it runs. */

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
  const trusted = admission.admitted || admission.cause === 'audit';
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
    enabled: hook.enabled && (admission.admitted || admission.cause !== 'audit'),
    ...(hook.offBy !== undefined && { offBy: hook.offBy }),
    detach,
    trusted,
    ...(admission.trust && { trust: admission.trust }),
    ...(hook.required && { required: true }),
    state: !hook.enabled ? 'disabled' : admission.admitted ? 'active' : admission.skipReason,
  };
}
