/** The interface of an engine for an agent's code, and a hook as `list` shows it. */

import type { Skill } from '../agents/skillkit/index.ts';
import type { Hook, OnError, Source, TrustState } from '../core/contracts/hook.ts';
import type { DecidedOutcome as Outcome } from '../core/decision/outcome.ts';
import type { EventKind } from '../core/event/event.ts';
import type { EventPayloads } from '../core/event/payloads.ts';
import type { Diagnostic } from '../core/values/diagnostic.ts';
import type { Settlement } from '../engine/decide/hold.ts';
import type { Plan } from '../engine/plan.ts';
import type { Admission, CloseOptions } from '../engine/ports.ts';
import type { FireContext, NativeEvent } from '../engine/receive/events.ts';
import type { DecisionLog } from '../engine/record/decision-log.ts';
import type { Approvals } from '../people/approvals.ts';
import type { SettledListener } from '../people/settled.ts';
import type { Hook as AgentHook } from './claude-agent/hook.ts';
import type { HookEvent as AgentEvent } from './claude-agent/hook-input.ts';
import type { HookTool } from './reload-tool.ts';
import type { BuiltinLine, HookFunction, OnOptions } from './runtime-hooks.ts';

/** Undoes a registration: call it, or let `using` do it. */
export type Registration = (() => void) & Disposable;

export interface Reloaded {
  readonly hooks: number;
  readonly diagnostics: readonly Diagnostic[];
}

export interface Hookline {
  /** Runs the hooks that apply to an event and returns the outcome. Rejects only on misuse. */
  fire<K extends EventKind>(kind: K, payload: EventPayloads[K], context?: FireContext): Promise<Outcome>;
  fire(event: NativeEvent, context?: FireContext): Promise<Outcome>;
  /** Returns which hooks `fire` would ask, and why not the others, without running anything. */
  plan<K extends EventKind>(kind: K, payload: EventPayloads[K], context?: FireContext): Promise<Plan>;
  plan(event: NativeEvent, context?: FireContext): Promise<Plan>;
  /** Registers a function as a hook, or a built-in command line: `hookline guard`. A function that throws denies if the event can be denied. */
  on<K extends EventKind>(kind: K, hook: HookFunction<K> | BuiltinLine, options?: OnOptions): Registration;
  /** Registers a hook of claude-agent: an object with `name`, `events` and `execute`. It is merged with those of files by the document's table. */
  on<E extends AgentEvent>(hook: AgentHook<E>): Registration;
  /** Registers a skill whose hooks are code. They run until it is unregistered. A skill in code of the same name is replaced. */
  registerSkill(skill: Skill): Registration;
  /**
   * Stops the hooks of a skill, of code and of SKILL.md files, at once and for the life of this engine. Returns whether there were any. Hooks that
   * the settings or the policy of the machine require stay.
   */
  unregisterSkill(name: string): boolean;
  /** Settles a held action, here or in another process. An approval resumes with the hooks after the one that held it. */
  resume(ticket: string, answer: Settlement): Promise<Outcome>;
  /** Waits for a person to settle it, and resumes it. Undefined if no person has within `timeoutMs`. */
  waitFor(ticket: string, options?: { readonly timeoutMs?: number; readonly signal?: AbortSignal }): Promise<Outcome | undefined>;
  /**
   * Returns how an action that was held continues, for a caller that has the action again and knows its ticket. A ticket that was denied or
   * withdrawn, has expired or was used is a denial, an open one is a hold with this ticket, and an approved one fires the event: the approval
   * counts for exactly this action, once. Rejects with `unknown-ticket` if there is none.
   */
  settle<K extends EventKind>(ticket: string, kind: K, payload: EventPayloads[K], context?: FireContext): Promise<Outcome>;
  settle(ticket: string, event: NativeEvent, context?: FireContext): Promise<Outcome>;
  /**
   * Calls the listener once for each ticket of this project that is settled or expires from now on, whichever process on this store opened or
   * settled it. It keeps the process alive until it is undone or the engine is closed. A listener that fails is reported in `diagnostics`.
   */
  onSettled(listener: SettledListener): Registration;
  /** Held actions, to show and to settle without resuming them. The next identical event then passes. */
  readonly approvals: Approvals;
  /** The record of decisions. */
  readonly log: DecisionLog;
  /** Reads all hook files again and replaces the set in one step. Rejects, and keeps the old set, if a source cannot be read. */
  reload(): Promise<Reloaded>;
  /** `hook_reload` as a tool for an agent. */
  readonly reloadTool: HookTool;
  /** Returns every hook, with its source and whether it runs. */
  list(): Promise<{ readonly hooks: readonly ListedHook[]; readonly diagnostics: readonly Diagnostic[] }>;
  /** Reads the whole file that contains a hook, now: only its settings are read at the start. */
  read(hookId: string): Promise<string>;
  /** Problems of the files as they were loaded last, and of listeners since the start. */
  readonly diagnostics: readonly Diagnostic[];
  /**
   * Waits for the hooks that run, at most `deadlineMs` (default 30 s), then ends those that still do, and returns their names. With
   * `running: 'wait'` it waits until their own timeouts. An action whose hooks were ended is denied.
   */
  close(options?: number | CloseOptions): Promise<{ readonly unsettled: readonly string[] }>;
}

/** A hook as `list` shows it: its settings, its source, and whether it runs. */
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
  /** False for a hook that is disabled or that the audit keeps out. */
  readonly enabled: boolean;
  /** The setting of the agent that disables it, and its place. */
  readonly offBy?: string;
  readonly detach: boolean;
  readonly trusted: boolean;
  /** The trust of a project's hook. Other hooks are trusted by their place. */
  readonly trust?: TrustState;
  /** If it applies and does not run, the event is denied. */
  readonly required?: true;
  /** The consequence of its faults, if the settings or the policy of the machine name it. */
  readonly onError?: OnError;
  /** It runs and its verdict is recorded, but changes nothing. */
  readonly shadow?: true;
  /** The model that answers it, or null if none can. Absent: it is no hook for a model. */
  readonly judgedBy?: string | null;
  /** `active`, or why it does not run. */
  readonly state: string;
  /** The step that a person must take so that it runs. */
  readonly fix?: string;
}

export function listHook(hook: Hook, admission: Admission, isInShadow = false): ListedHook {
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
    ...(hook.onError && { onError: hook.onError }),
    ...(isInShadow && { shadow: true }),
    ...fixOf(hook, admission),
    state: hook.nothingToRun ? 'nothing to run' : !hook.enabled ? 'disabled' : admission.admitted ? 'active' : admission.skipReason,
  };
}

function fixOf({ enabled, offBy, nothingToRun }: Hook, admission: Admission): { readonly fix?: string } {
  if (nothingToRun) return { fix: 'Add a script to its folder.' };
  if (!enabled) return { fix: offBy === undefined ? 'Enable it in its file.' : `Remove ${offBy}.` };
  return admission.admitted ? {} : { fix: admission.fix };
}
