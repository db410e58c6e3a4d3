/** Tools of Mastra's agents behind the hooks. Mastra enters a suspended call again from its start, so the hooks themselves find the approval. */
import type { CallContext, Gate, Held, Refused, Run, ToolCall } from '../kit/gate.ts';
import { refusalText, withContext } from '../kit/texts.ts';
import { mustHaveAsked } from './canary.ts';
import type { Halts } from './halts.ts';

/** The payload of a run that Hookline suspended. */
export interface HeldCall {
  readonly hookline: { readonly ticket: string; readonly reason: string; readonly tool: string; readonly toolCallId: string | null };
}

/** A tool as a run has it, made of any source: the agent's own, of MCP servers, of its memory, its workspace, a workflow or another agent. */
export interface AnyTool {
  readonly execute?: (input: unknown, options: Options) => unknown;
  readonly toModelOutput?: (output: unknown) => unknown;
}

/** The options that Mastra hands to a tool, as far as they are used here. */
interface Options {
  readonly toolCallId?: string;
  readonly abortSignal?: AbortSignal;
  readonly suspend?: (payload: unknown, options?: unknown) => Promise<unknown>;
}

/** The parts that the tools of one run share. */
export interface ToolSeam {
  readonly gate: Gate;
  readonly halts: Halts;
  contextOf(): CallContext;
  /** Takes a ticket back that no approval can serve. */
  withdraw(ticket: string, note: string): Promise<void>;
}

/** Texts of Hookline in place of results, by their value, because Mastra does not say which call a result is of. */
const MOST_KEPT = 1000;

export function guardTool(name: string, own: AnyTool, { gate, halts, contextOf, withdraw }: ToolSeam): AnyTool {
  const { execute, toModelOutput } = own;
  // A client runs it.
  if (!execute) return own;
  const texts = new Set<unknown>();
  const says = (text: unknown): unknown => {
    texts.add(text);
    if (texts.size > MOST_KEPT) texts.delete(texts.values().next().value);
    return text;
  };
  const callerOf = ({ toolCallId, abortSignal }: Options): CallContext => {
    const context = contextOf();
    const metadata = { ...context.metadata, ...(toolCallId !== undefined && { toolCallId }) };
    return { ...context, metadata, signal: abortSignal ?? context.signal };
  };
  const refuse = (call: ToolCall, { text, halt }: Pick<Refused, 'text' | 'halt'>): unknown => {
    if (halt !== undefined && call.id !== null) halts.add(call.id, halt);
    return says(text);
  };
  const run = async (call: ToolCall, verdict: Run, options: Options, caller: CallContext): Promise<unknown> => {
    let isSuspended = false;
    const suspend: Options['suspend'] = (...given) => {
      isSuspended = true;
      return options.suspend?.(...given) ?? Promise.resolve();
    };
    let result: unknown;
    try {
      result = await execute.call(own, verdict.input, options.suspend ? { ...options, suspend } : options);
    } catch (error) {
      // Mastra ends a call that suspends early by an error of its own.
      if (!isSuspended) await gate.failed(call, error, caller);
      throw error;
    }
    // The tool waits for an answer, and has no result yet.
    if (isSuspended) return result;
    if (result instanceof Error) {
      // Older versions return the error of a tool.
      await gate.failed(call, result, caller);
      return result;
    }
    const reviewed = await gate.after(call, result, caller);
    if (reviewed.halt !== undefined && call.id !== null) halts.add(call.id, reviewed.halt);
    const added = [...verdict.context, ...reviewed.context];
    const shown = withContext(reviewed.result, added);
    return reviewed.isReplaced || added.length > 0 ? says(shown) : shown;
  };
  return {
    ...own,
    async execute(input, options = {}) {
      mustHaveAsked('resolveModelConfig');
      const caller = callerOf(options);
      const call: ToolCall = { tool: name, input, id: options.toolCallId ?? null };
      const verdict = await gate.before(call, caller);
      if (verdict.kind === 'run') return run({ ...call, input: verdict.input }, verdict, options, caller);
      if (verdict.kind === 'refuse') return refuse(call, verdict);
      if (options.suspend) return options.suspend(heldCall(call, verdict));
      await withdraw(verdict.ticket.id, NO_SUSPEND);
      return refuse(call, { text: refusalText(`${verdict.reason} (A person must approve it, but ${NO_SUSPEND})`) });
    },
    ...(toModelOutput && {
      // The tool's own function expects the tool's own result.
      toModelOutput: (output: unknown) => (texts.has(output) ? { type: 'text', value: String(output) } : toModelOutput.call(own, output)),
    }),
  };
}

const NO_SUSPEND = 'this run cannot be suspended.';

function heldCall({ tool, id }: ToolCall, { ticket, reason }: Held): HeldCall {
  return { hookline: { ticket: ticket.id, reason, tool, toolCallId: id } };
}
