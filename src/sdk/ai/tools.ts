/**
 * Tools of the AI SDK behind the hooks. The SDK asks `needsApproval` before it calls `execute`, and asks it again when a held call is resumed. The
 * hooks are asked in `needsApproval` the first time, and in `execute` when a call is resumed, so an approval is used in one place.
 */
import type { Hookline } from '../../api/hookline.ts';
import { HaltError } from '../kit/errors.ts';
import { type CallContext, createGate, type Gate, type Refused, type Run, type ToolCall } from '../kit/gate.ts';
import { withContext } from '../kit/texts.ts';
import { isAnswered, type Message } from './messages.ts';

/**
 * Who calls. Create the guarded tools for each run: approvals are bound to the session. Give the `signal` of the run too, because the SDK does not
 * hand it on while the hooks decide: without it they end by their own timeouts.
 */
export type GuardContext = CallContext;

/** The options that the SDK hands to a tool, as far as they are used here. */
interface Options {
  readonly toolCallId: string;
  readonly messages?: readonly Message[];
  readonly abortSignal?: AbortSignal;
}

/** A tool of any version of the SDK: static, dynamic, or of an MCP server. */
interface AnyTool {
  readonly execute?: (input: unknown, options: Options) => unknown;
  readonly needsApproval?: boolean | ((input: unknown, options: Options) => boolean | PromiseLike<boolean>);
  readonly toModelOutput?: (result: { readonly toolCallId: string; readonly output: unknown }) => unknown;
}

/**
 * Returns the same tools, each behind the hooks. A tool without `execute` runs elsewhere, so it stays as it is.
 * @param context the session, and who calls
 */
export function guardTools<T extends object>(tools: T, hookline: Hookline, context: GuardContext): T {
  const gate = createGate(hookline);
  const guarded = Object.entries(tools).map(([name, tool]) => [name, guardTool(name, tool as AnyTool, gate, context)]);
  return Object.fromEntries(guarded) as T;
}

/** A verdict that waits for the SDK to execute the call, and the input that it is about. */
interface Asked {
  readonly input: unknown;
  readonly verdict: Run | Refused;
}

const MOST_WAITING = 1000;

function guardTool(tool: string, own: AnyTool, gate: Gate, context: GuardContext): AnyTool {
  const { execute, needsApproval, toModelOutput } = own;
  if (!execute) return own;
  const asked = new Map<string, Asked>();
  /** The calls whose result is Hookline's own text. */
  const texts = new Set<string>();
  const callOf = (input: unknown, { toolCallId }: Options): ToolCall => ({ tool, input, id: toolCallId });
  const contextOf = ({ abortSignal }: Options): CallContext => ({ ...context, signal: abortSignal ?? context.signal });
  /** Hands the verdict out once. An input that has changed since is asked about again. */
  const verdictFor = async (input: unknown, options: Options): Promise<Run | Refused> => {
    const known = asked.get(options.toolCallId);
    asked.delete(options.toolCallId);
    return known && isSame(known.input, input) ? known.verdict : gate.resumed(callOf(input, options), contextOf(options));
  };
  const says = ({ toolCallId }: Options, text: unknown): unknown => {
    keep(texts, toolCallId);
    return text;
  };
  return {
    ...own,
    async needsApproval(input, options) {
      if (isAnswered(options.messages ?? [], options.toolCallId)) return true;
      const verdict = await gate.before(callOf(input, options), contextOf(options));
      if (verdict.kind === 'hold') return true;
      // A throw ends the run in every version.
      if (verdict.kind === 'refuse' && verdict.halt !== undefined) throw new HaltError(verdict.halt);
      asked.set(options.toolCallId, { input, verdict });
      if (asked.size > MOST_WAITING) asked.delete(asked.keys().next().value as string);
      if (verdict.kind === 'refuse') return false;
      return typeof needsApproval === 'function' ? needsApproval.call(own, input, options) : needsApproval === true;
    },
    async execute(input, options) {
      const verdict = await verdictFor(input, options);
      if (verdict.kind === 'refuse' && verdict.halt !== undefined) throw new HaltError(verdict.halt);
      if (verdict.kind === 'refuse') return says(options, verdict.text);
      const call = { ...callOf(input, options), input: verdict.input };
      let result: unknown;
      try {
        result = await lastOf(execute.call(own, verdict.input, options));
      } catch (error) {
        await gate.failed(call, error, contextOf(options));
        throw error;
      }
      const reviewed = await gate.after(call, result, contextOf(options));
      if (reviewed.halt !== undefined) throw new HaltError(reviewed.halt);
      const added = [...verdict.context, ...reviewed.context];
      const shown = withContext(reviewed.result, added);
      return reviewed.isReplaced || added.length > 0 ? says(options, shown) : shown;
    },
    ...(toModelOutput && {
      // The tool's own function expects the tool's own result.
      toModelOutput: (result: { readonly toolCallId: string; readonly output: unknown }) =>
        texts.has(result.toolCallId) ? modelOutput(result.output) : toModelOutput.call(own, result),
    }),
  };
}

/** A generator shows results before the hooks have seen them, so it is run to its end, and its last value is the result. */
export async function lastOf(result: unknown): Promise<unknown> {
  const value = await result;
  if (typeof value !== 'object' || value === null || !(Symbol.asyncIterator in value)) return value;
  let last: unknown;
  for await (const part of value as AsyncIterable<unknown>) last = part;
  return last;
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

function modelOutput(output: unknown): { readonly type: 'text' | 'json'; readonly value: unknown } {
  return typeof output === 'string' ? { type: 'text', value: output } : { type: 'json', value: output };
}

function keep(ids: Set<string>, id: string): void {
  ids.add(id);
  if (ids.size > MOST_WAITING) ids.delete(ids.values().next().value as string);
}
