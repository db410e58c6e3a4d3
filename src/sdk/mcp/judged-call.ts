/** One call of a tool over MCP through the gate. */
import type { Gate } from '../kit/gate.ts';
import { refusalText } from '../kit/texts.ts';
import { readCall } from './caller.ts';
import { heldResult, isQuestion, refusedResult, replacedResult, shownOf, withTexts } from './results.ts';

/** A call that was judged: its result, and why the whole run ends, if a hook ends it. */
export interface JudgedCall {
  readonly result: unknown;
  readonly halt?: string;
}

/**
 * Asks the hooks, runs the tool with the input that they left, and shows them its result. Rejects only with the tool's own error.
 * @param execute runs the tool
 */
export async function judgeCall(gate: Gate, asked: Parameters<typeof readCall>, execute: (input: unknown) => unknown): Promise<JudgedCall> {
  let read: ReturnType<typeof readCall>;
  try {
    read = readCall(...asked);
  } catch (error) {
    return { result: refusedResult(refusalText(`Hookline could not check it: ${error instanceof Error ? error.message : error}`)) };
  }
  const { call, caller } = read;
  const verdict = await gate.before(call, caller);
  if (verdict.kind === 'hold') return { result: heldResult(verdict) };
  if (verdict.kind === 'refuse') return { result: refusedResult(verdict.text), ...(verdict.halt !== undefined && { halt: verdict.halt }) };
  const ran = { ...call, input: verdict.input };
  let result: unknown;
  try {
    result = await execute(verdict.input);
  } catch (error) {
    await gate.failed(ran, error, caller);
    throw error;
  }
  if (isQuestion(result)) return { result };
  const { isReplaced, result: left, context, halt } = await gate.after(ran, shownOf(result), caller);
  const answer = isReplaced ? replacedResult(result, left) : result;
  return { result: withTexts(answer, [...verdict.context, ...context]), ...(halt !== undefined && { halt }) };
}
