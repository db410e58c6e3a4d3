/**
 * The gate that every adapter puts before a tool: asks the hooks, runs the tool, shows the hooks its result. Whatever fails on Hookline's side is
 * a refusal, so the tool does not run.
 */
import type { Hookline } from '../../api/hookline.ts';
import type { Outcome, TicketRef } from '../../core/decision/outcome.ts';
import type { ToolPayload } from '../../core/event/payloads.ts';
import type { JsonObject } from '../../core/values/json.ts';
import type { FireContext } from '../../engine/receive/events.ts';
import { type ShownInput, shownInput, shownResult } from './shown.ts';
import { refusalText, stillHeldText, withheldText } from './texts.ts';

/** One call of a tool by the model. */
export interface ToolCall {
  readonly tool: string;
  readonly input: unknown;
  /** The SDK's id of this call. An approval counts for it alone. Null: the loop has no ids, so it counts for the same call in this session. */
  readonly id: string | null;
}

/** Who calls. Approvals are bound to the session, so it has no default. */
export interface CallContext {
  readonly session: string;
  /** The working directory of the agent. Default: that of the engine. */
  readonly cwd?: string | undefined;
  /** Ends the hooks that still run; the tool then does not run. */
  readonly signal?: AbortSignal | undefined;
  readonly agent?: string | undefined;
  readonly user?: string | undefined;
  readonly channel?: string | undefined;
  /** How many agents are above this one. */
  readonly depth?: number | undefined;
  /** The key with which the adapter resumes the run. The ticket keeps it. */
  readonly metadata?: JsonObject | undefined;
}

export type Verdict = Run | Refused | Held;

/** The tool may run with this input: the one that a hook wrote, or the original object itself. */
export interface Run {
  readonly kind: 'run';
  readonly input: unknown;
  /** A hook or a person allowed it. Otherwise no hook objected, and the SDK's own permissions decide. */
  readonly isAllowed: boolean;
  /** Texts for the model. */
  readonly context: readonly string[];
}

/** The tool must not run, and the model gets `text`. With `halt` the whole run ends. */
export interface Refused {
  readonly kind: 'refuse';
  readonly reason: string;
  readonly text: string;
  readonly halt?: string;
}

/** The tool waits for a person. */
export interface Held {
  readonly kind: 'hold';
  readonly ticket: TicketRef;
  readonly reason: string;
}

/** A result after the hooks have seen it: the original value itself, unless a hook replaced or withheld it. */
export interface Reviewed {
  readonly result: unknown;
  readonly isReplaced: boolean;
  readonly context: readonly string[];
  readonly halt?: string;
}

export type Ran = ({ readonly kind: 'ran' } & Reviewed) | Refused | Held;

export interface Gate {
  /** Asks the hooks about a new call. Never rejects. */
  before(call: ToolCall, context: CallContext): Promise<Verdict>;
  /**
   * Asks about a call that was held and that the SDK now resumes. Never rejects, and never holds: as long as no person has approved it, it is a
   * refusal, whatever the SDK or its client believes.
   */
  resumed(call: ToolCall, context: CallContext, ticket?: string): Promise<Run | Refused>;
  /** Waits until a person settles the ticket of this call, or the signal aborts. Never rejects. */
  waited(call: ToolCall, context: CallContext, ticket: string): Promise<Run | Refused>;
  /** Shows the hooks a result. Never rejects: a result that they cannot see is withheld. */
  after(call: ToolCall, result: unknown, context: CallContext): Promise<Reviewed>;
  /** Tells the hooks that the tool failed. Never rejects. */
  failed(call: ToolCall, error: unknown, context: CallContext): Promise<void>;
  /**
   * All of it for one call. Rejects only with the tool's own error.
   * @param how `before` by default
   */
  run(call: ToolCall, context: CallContext, execute: (input: unknown) => unknown, how?: HowAsked): Promise<Ran>;
}

/** Whether the SDK resumes a call that was held, and its ticket if that is known; or the ticket to wait for. */
export type HowAsked = { readonly resumed: boolean | string } | { readonly waitFor: string };

/** The part of an engine that a gate uses. */
export type Engine = Pick<Hookline, 'fire' | 'settle' | 'waitFor'>;

export function createGate(hookline: Engine): Gate {
  /** Turns everything that can go wrong into a refusal. */
  const ask = async (
    call: ToolCall,
    context: CallContext,
    fire: (payload: ToolPayload, fireContext: FireContext) => Promise<Outcome | undefined>,
  ): Promise<Verdict> => {
    try {
      if (context.signal?.aborted) return refused(ABORTED);
      const shown = shownInput(call.input);
      const outcome = await fire(payloadOf(call, shown.input, context), fireContextOf(context));
      if (context.signal?.aborted) return refused(ABORTED);
      return outcome ? verdictOf(outcome, call, shown) : refused('No person settled the ticket in time.');
    } catch (error) {
      return refused(failure(error));
    }
  };
  const before: Gate['before'] = (call, context) => ask(call, context, (payload, fired) => hookline.fire('tool.before', payload, fired));
  const resumed: Gate['resumed'] = async (call, context, ticket) => {
    const verdict = await (ticket === undefined
      ? before(call, context)
      : ask(call, context, (payload, fired) => hookline.settle(ticket, 'tool.before', payload, fired)));
    return withoutHold(verdict);
  };
  const waited: Gate['waited'] = async (call, context, ticket) =>
    withoutHold(await ask(call, context, () => hookline.waitFor(ticket, { ...(context.signal && { signal: context.signal }) })));
  const after: Gate['after'] = async (call, result, context) => {
    try {
      const payload = { ...payloadOf(call, shownInput(call.input).input, context), result: shownResult(result) };
      // The tool has run, so an abort of the run does not end the hooks that may have to withhold its result.
      const { decision, reason, replace, context: texts, halt } = await hookline.fire('tool.after', payload, placeOf(context));
      const seen = { context: texts, ...(halt !== undefined && { halt }) };
      if (decision !== 'pass' && decision !== 'allow') return { ...seen, result: withheldText(reason ?? NO_REASON), isReplaced: true };
      return replace === undefined ? { ...seen, result, isReplaced: false } : { ...seen, result: replace, isReplaced: true };
    } catch (error) {
      return { result: withheldText(failure(error)), isReplaced: true, context: [] };
    }
  };
  const failed: Gate['failed'] = async (call, error, context) => {
    try {
      const payload = { ...payloadOf(call, shownInput(call.input).input, context), error: messageOf(error) };
      await hookline.fire('tool.error', payload, placeOf(context));
    } catch {
      // The tool's own error is what the agent must see.
    }
  };
  const asked = (call: ToolCall, context: CallContext, how: HowAsked): Promise<Verdict> => {
    if ('waitFor' in how) return waited(call, context, how.waitFor);
    if (how.resumed === false) return before(call, context);
    return resumed(call, context, how.resumed === true ? undefined : how.resumed);
  };
  return {
    before,
    resumed,
    waited,
    after,
    failed,
    async run(call, context, execute, how = { resumed: false }) {
      const verdict = await asked(call, context, how);
      if (verdict.kind !== 'run') return verdict;
      const ran: ToolCall = { ...call, input: verdict.input };
      let result: unknown;
      try {
        result = await execute(verdict.input);
      } catch (error) {
        await failed(ran, error, context);
        throw error;
      }
      const reviewed = await after(ran, result, context);
      return { kind: 'ran', ...reviewed, context: [...verdict.context, ...reviewed.context] };
    },
  };
}

const NO_REASON = 'A hook denied it and gave no reason.';
const ABORTED = 'The run was aborted.';

function verdictOf({ decision, reason, rewrite, context, halt, ticket }: Outcome, call: ToolCall, shown: ShownInput): Verdict {
  if (decision === 'deny') return refused(reason ?? NO_REASON, context, halt);
  if (halt !== undefined) return refused(halt, context, halt);
  if (decision === 'pass' || decision === 'allow')
    return {
      kind: 'run',
      input: rewrite === undefined ? call.input : shown.restore(rewrite),
      isAllowed: decision === 'allow',
      context,
    };
  if (ticket) return { kind: 'hold', ticket, reason: reason ?? NO_REASON };
  return refused(`${reason ?? NO_REASON} (A person must be asked, but no person can answer here.)`, context);
}

function withoutHold(verdict: Verdict): Run | Refused {
  if (verdict.kind !== 'hold') return verdict;
  return { kind: 'refuse', reason: verdict.reason, text: stillHeldText(verdict.ticket.id, verdict.reason) };
}

function refused(reason: string, context: readonly string[] = [], halt?: string): Refused {
  return { kind: 'refuse', reason, text: [refusalText(reason), ...context].join('\n\n'), ...(halt !== undefined && { halt }) };
}

function payloadOf({ tool, id }: ToolCall, input: JsonObject, context: CallContext): ToolPayload {
  return {
    tool,
    input,
    ...(id !== null && { toolUseId: id }),
    ...callerOf(context),
    ...(context.depth !== undefined && { depth: context.depth }),
  };
}

/** Returns who calls, as hooks see it. Throws if the session is missing: a JavaScript caller may leave it out, and no approval counts for all. */
export function callerOf({ agent, user, channel, session }: CallContext): Pick<ToolPayload, 'agent' | 'user' | 'channel'> {
  if (typeof session !== 'string' || session === '') throw new TypeError('The call has no session.');
  return { ...(agent !== undefined && { agent }), ...(user !== undefined && { user }), ...(channel !== undefined && { channel }) };
}

export function fireContextOf(context: CallContext): FireContext {
  const { signal, metadata } = context;
  return { ...placeOf(context), bind: 'call', ...(signal && { signal }), ...(metadata && { metadata }) };
}

/** Returns where the agent runs. */
export function placeOf({ session, cwd }: CallContext): FireContext {
  return { session, ...(cwd !== undefined && { cwd }) };
}

export function failure(error: unknown): string {
  return `Hookline could not check it: ${messageOf(error)}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
