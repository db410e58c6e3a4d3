/** The engine: one set of hooks, and the events that are put to it. Knows neither dialects nor transports. */
import type { Decision } from '../core/decision.ts';
import type { Dialect } from '../core/dialect.ts';
import { HooklineError } from '../core/errors.ts';
import { type HookEvent, kindRule } from '../core/event.ts';
import type { Hook } from '../core/hook.ts';
import type { Outcome } from '../core/outcome.ts';
import { admissionOf } from './ask.ts';
import type { EngineContext } from './context.ts';
import { Firing } from './firing.ts';
import { buildSet, type HookSet } from './hook-set.ts';
import { type Plan, planEvent } from './plan.ts';
import type { Admission, EngineSettings, Ports } from './ports.ts';
import { conclude, type Ends } from './settle.ts';
import { createStopCap } from './stop-cap.ts';
import { createTickets } from './tickets.ts';

export interface Engine {
  fire(event: HookEvent, options?: { readonly signal?: AbortSignal | undefined }): Promise<Outcome>;
  plan(event: HookEvent): Promise<Plan>;
  resume(ticket: string, answer: Settlement): Promise<Outcome>;
  /** Puts another set of loaded hooks in place of the last one, in one step. */
  use(hooks: readonly Hook[]): void;
  /** Adds hooks that live until the returned function is called. */
  register(hooks: readonly Hook[]): () => void;
  /** All hooks, in the order of their lanes. */
  hooks(): readonly Hook[];
  admission(hook: Hook): Admission | Promise<Admission>;
  /** Waits for detached hooks; names those that never settled. */
  close(deadlineMs: number): Promise<readonly string[]>;
}

export interface Settlement {
  readonly approve: boolean;
  /** Who settled it. */
  readonly by?: string;
  readonly note?: string;
}

export function createEngine(ports: Ports, settings: EngineSettings): Engine {
  const dialects: ReadonlyMap<string, Dialect> = new Map(ports.dialects.map((dialect) => [dialect.id, dialect]));
  const context: EngineContext = { ports, settings, dialects };
  const ends: Ends = { context, tickets: createTickets(), stopCap: createStopCap() };
  let loaded: readonly Hook[] = [];
  const runtime = new Set<readonly Hook[]>();
  let current: HookSet | undefined;
  let closed = false;

  const set = (): HookSet => {
    current ??= buildSet([...loaded, ...[...runtime].flat()], ports);
    return current;
  };

  const fire: Engine['fire'] = (event, options = {}) => {
    if (closed) return Promise.reject(closedError());
    try {
      const hooks = set();
      const counted = kindRule(event.kind).denyContinues ? withContinuations(ends, event) : event;
      if (event.kind === 'prompt.submit') ends.stopCap.reset(event.session.id);
      const selected = hooks.index.select(counted);
      if (selected.length === 0) return Promise.resolve(nobodyAsked(counted, hooks.placed.length, ends));
      const unmatched = hooks.placed.length - selected.length;
      const firing = new Firing(context, hooks, counted, selected, options);
      const waiting = firing.run();
      if (!waiting) return Promise.resolve(conclude(ends, firing, unmatched));
      return waiting.then(() => conclude(ends, firing, unmatched)).catch((error: unknown) => ownFailure(context, event, error));
    } catch (error) {
      return Promise.resolve(ownFailure(context, event, error));
    }
  };

  return {
    fire,
    plan: (event) => planEvent(context, set(), event),
    async resume(id, answer) {
      if (closed) throw closedError();
      const ticket = ends.tickets.take(id);
      try {
        const expired = Date.parse(ticket.expiresAt) < ports.clock.now();
        const decision = settlementDecision(answer, expired);
        const hooks = set();
        const selected = hooks.index.select(ticket.event);
        const only = new Set(decision.kind === 'deny' ? [] : ticket.waiting);
        const firing = new Firing(context, hooks, ticket.event, selected, {
          base: { ...ticket.sum, decision },
          before: ticket.reports,
          only,
        });
        await firing.run();
        return conclude(ends, firing, hooks.placed.length - selected.length);
      } catch (error) {
        ends.tickets.putBack(ticket);
        return ownFailure(context, ticket.event, error);
      }
    },
    use(hooks) {
      loaded = hooks;
      current = undefined;
    },
    register(hooks) {
      runtime.add(hooks);
      current = undefined;
      return () => {
        if (runtime.delete(hooks)) current = undefined;
      };
    },
    hooks: () => set().placed.map(({ hook }) => hook),
    admission: (hook) => admissionOf(context, set(), hook),
    close(deadlineMs) {
      closed = true;
      return ports.background.drain(deadlineMs);
    },
  };
}

function closedError(): HooklineError {
  return new HooklineError('closed', 'The engine was closed.', { hint: 'Create a new one.' });
}

function withContinuations({ stopCap }: Ends, event: HookEvent): HookEvent {
  const continuations = stopCap.count(event.session.id, event.data['continuations']);
  return { ...event, data: { ...event.data, continuations } };
}

/** Nothing to ask: the path of most events, so it builds nothing but the outcome. */
function nobodyAsked(event: HookEvent, unmatched: number, ends: Ends): Outcome {
  if (kindRule(event.kind).denyContinues) ends.stopCap.reset(event.session.id);
  return {
    id: event.id,
    kind: event.kind,
    decision: 'pass',
    reason: null,
    context: [],
    notices: [],
    quiet: false,
    unmatched,
    hooks: [],
    diagnostics: [],
  };
}

function settlementDecision({ approve, by, note }: Settlement, expired: boolean): Decision {
  if (expired) return { kind: 'deny', reason: 'The ticket expired before anybody settled it.' };
  const who = by === undefined ? '' : ` by ${by}`;
  const remark = note === undefined || note === '' ? '.' : `: ${note}`;
  return approve ? { kind: 'allow', reason: `Approved${who}${remark}` } : { kind: 'deny', reason: `Denied${who}${remark}` };
}

/** A bug of ours is neither a hook's no nor its consent: it denies where something could have been denied, and says whose fault it is. */
function ownFailure(context: EngineContext, event: HookEvent, error: unknown): Outcome {
  const gates = context.ports.dialects.some(({ profile }) =>
    Object.values(profile.events).some((rule) => rule.kinds.includes(event.kind) && rule.grants.includes('deny')),
  );
  const message = `Hookline itself failed: ${error instanceof Error ? error.message : String(error)}`;
  return {
    id: event.id,
    kind: event.kind,
    decision: gates ? 'deny' : 'pass',
    reason: gates ? message : null,
    context: [],
    notices: [],
    quiet: false,
    unmatched: 0,
    hooks: [],
    diagnostics: [{ severity: 'error', code: 'internal', message, hint: 'This is a bug in Hookline, not in a hook. Please report it.' }],
  };
}
