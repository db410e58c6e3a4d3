/** LangChain's agents behind the hooks: one middleware for their tools and their model. */
import { interrupt, isGraphBubbleUp } from '@langchain/langgraph';
import { type AgentMiddleware, AIMessage, createMiddleware, type ModelRequest, type ToolCallRequest } from 'langchain';
import type { Hookline } from '../../api/hookline.ts';
import { createGate, type Held, type Refused, type Run, type ToolCall } from '../kit/gate.ts';
import { createModelGate } from '../kit/model-gate.ts';
import { refusalText } from '../kit/texts.ts';
import { changedAnswer, modelCallOf, shownAnswer, spoken, withSystem } from './answers.ts';
import { errorMessage, haltedMessage, haltIn, refusalMessage, reviewedResult, shownContent, type ToolResult } from './results.ts';
import { type AgentRun, type CallerOfRun, currentRun, threadOf } from './run.ts';
import { hidden, show } from './stream.ts';

/** The value of an interrupt of Hookline. */
export interface HeldCall {
  readonly hookline: { readonly ticket: string; readonly reason: string; readonly tool: string; readonly toolCallId: string | null };
}

/**
 * Put it last in `middleware`, so that no other one changes a call after the hooks have seen it.
 * @param caller who calls, for hooks
 */
export function hooklineMiddleware(hookline: Hookline, caller: CallerOfRun = {}): AgentMiddleware {
  const gate = createGate(hookline);
  const modelGate = createModelGate(hookline);

  /** LangGraph enters a suspended call again from the top, so the hooks are asked again and find the approval. */
  const verdictOf = async (call: ToolCall, { config, context }: AgentRun): Promise<Run | Refused> => {
    const verdict = await gate.before(call, context);
    if (verdict.kind !== 'hold') return verdict;
    const failure = threadOf(config) === undefined ? NO_THREAD : suspend(call, verdict);
    // No approval can resume this run, so no person is asked.
    await hookline.approvals.withdraw(verdict.ticket.id, { note: failure }).catch(() => undefined);
    const reason = `${verdict.reason} (A person must approve it, but this run cannot be suspended: ${failure})`;
    return { kind: 'refuse', reason, text: refusalText(reason) };
  };

  const wrapToolCall = async (request: ToolCallRequest, next: (request: ToolCallRequest) => Promise<unknown>): Promise<ToolResult> => {
    const run = currentRun(caller);
    const { name, args, id = null } = request.toolCall;
    const asked: ToolCall = { tool: name, input: args, id };
    const verdict = await verdictOf(asked, run);
    if (verdict.kind === 'refuse') return refusalMessage(asked, verdict);
    const call = { ...asked, input: verdict.input };
    let result: ToolResult;
    try {
      const toolCall = { ...request.toolCall, args: verdict.input as Record<string, unknown> };
      result = (await next(verdict.input === args ? request : { ...request, toolCall })) as ToolResult;
    } catch (error) {
      // The tool suspends the run itself, or leaves the graph.
      if (isGraphBubbleUp(error)) throw error;
      await gate.failed(call, error, run.context);
      if (run.context.signal?.aborted) throw error;
      return errorMessage(call, error);
    }
    const reviewed = await gate.after(call, shownContent(result), run.context);
    const shown = reviewedResult(call, result, reviewed, [...verdict.context, ...reviewed.context]);
    return reviewed.halt === undefined ? shown : haltedMessage(call, shown, reviewed.halt);
  };

  const wrapModelCall = async (request: ModelRequest, next: (request: ModelRequest) => Promise<unknown>): Promise<unknown> => {
    const { config, context } = currentRun(caller);
    const halt = haltIn(request.messages);
    if (halt !== undefined) return show(spoken(halt), config);
    const call = modelCallOf(request);
    const verdict = await modelGate.before(call, context);
    if (verdict.kind === 'refuse') return show(spoken(verdict.halt ?? verdict.text), config);
    const permitted = withSystem(request, verdict.context);
    const isHeldBack = await modelGate.mayChange(call, context);
    const answer = await (isHeldBack ? hidden(config, () => next(permitted)) : next(permitted));
    const reviewed = await modelGate.after(call, shownAnswer(answer), context);
    const left = reviewed.kind === 'unchanged' && reviewed.halt === undefined ? answer : changedAnswer(answer, reviewed);
    return isHeldBack && AIMessage.isInstance(left) ? show(left, config) : left;
  };

  return createMiddleware({ name: 'hookline', wrapToolCall, wrapModelCall });
}

/** An approval is bound to the thread. */
const NO_THREAD = 'Its config has no `thread_id`, which a run with a checkpointer needs.';

/**
 * Suspends the run until a person has settled the ticket. Returns why it cannot be suspended. A client that resumes the run while the ticket is
 * open makes `interrupt` return; that is no approval, so the run is suspended again.
 */
function suspend({ tool, id }: ToolCall, { ticket, reason }: Held): string {
  const value: HeldCall = { hookline: { ticket: ticket.id, reason, tool, toolCallId: id } };
  try {
    for (;;) interrupt(value);
  } catch (error) {
    if (isGraphBubbleUp(error)) throw error;
    const [cause = ''] = String(error instanceof Error ? error.message : error).split('\n');
    return `${cause}.`;
  }
}
