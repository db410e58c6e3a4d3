/** The gate for every loop that no adapter serves: wraps a function that runs a tool into one that asks the hooks first. */
import type { Hookline } from '../../api/hookline.ts';
import { HooklineError } from '../../core/values/errors.ts';
import { HaltError, HeldError } from '../kit/errors.ts';
import { type CallContext, createGate, type ToolCall } from '../kit/gate.ts';
import { heldText, withContext } from '../kit/texts.ts';

export interface WrapToolOptions extends Omit<CallContext, 'signal'> {
  /** The tool's name, as hooks see it. */
  readonly name: string;
  /**
   * If a person must approve the call: `refuse` returns a text for the model, `wait` waits for the person, and `throw` throws a `HeldError`, so
   * that the loop can save its state and make the same call again later, in any process. Default: `refuse`.
   */
  readonly onHold?: 'refuse' | 'wait' | 'throw';
}

export interface WrappedCall {
  /**
   * The model's id of the call. An approval then counts for this call alone, so make it again with the same id. Without one it counts for the
   * same input in this session, which suits a model that tries again by itself.
   */
  readonly id?: string;
  readonly signal?: AbortSignal;
}

/** Runs the tool if the hooks permit it. Returns its result, or a text for the model that says why it did not run. */
export type WrappedTool<I, R> = (input: I, call?: WrappedCall) => Promise<R | string>;

/** @param run runs the tool; it gets the input that the hooks left, and the signal of the call */
export function wrapTool<I, R>(
  hookline: Hookline,
  { name, onHold = 'refuse', ...context }: WrapToolOptions,
  run: (input: I, call: WrappedCall) => R | Promise<R>,
): WrappedTool<I, R> {
  if (typeof context.session !== 'string' || context.session === '')
    throw new HooklineError('bad-option', '`wrapTool` needs a `session`.', {
      hint: 'Give the id of the conversation: approvals are bound to it.',
    });
  const gate = createGate(hookline);
  return async (input, call = {}) => {
    const { id = null, signal } = call;
    const asked: ToolCall = { tool: name, input, id };
    const who: CallContext = { ...context, signal };
    const execute = (given: unknown): R | Promise<R> => run(given as I, call);
    let ran = await gate.run(asked, who, execute);
    if (ran.kind === 'hold' && onHold === 'wait') ran = await gate.run(asked, who, execute, { waitFor: ran.ticket.id });
    if (ran.kind === 'hold' && onHold === 'throw') throw new HeldError(ran.ticket, ran.reason);
    if (ran.kind === 'hold') return heldText(ran.ticket.id, ran.reason);
    if (ran.halt !== undefined) throw new HaltError(ran.halt);
    return ran.kind === 'refuse' ? ran.text : (withContext(ran.result, ran.context) as R | string);
  };
}
