/**
 * Agents of the OpenAI Agents SDK behind the hooks. The SDK asks `needsApproval` before it calls `invoke`, and a run that was held calls `invoke`
 * alone. The hooks are asked in `needsApproval` the first time, and in `invoke` when a call is resumed, so an approval is used in one place.
 */
import type { Hookline } from '../../api/hookline.ts';
import { HooklineError } from '../../core/values/errors.ts';
import { HaltError } from '../kit/errors.ts';
import { type CallContext, createGate, type Gate, type Refused, type Run, type ToolCall } from '../kit/gate.ts';
import { withContext } from '../kit/texts.ts';

/** The context of a run, as far as it is used here. `context` is the value that the run was given. */
export interface AgentRun {
  readonly context: unknown;
}

/** The caller, or a function that returns it for a run. An agent that serves several conversations needs the function. */
export type GuardContext = CallContext | ((run: AgentRun) => CallContext);

/** An agent of any version of the SDK, as far as it is used here. */
interface AnyAgent {
  readonly name: string;
  readonly tools: readonly AnyTool[];
  readonly handoffs: readonly unknown[];
  getAllTools(...args: never[]): Promise<readonly AnyTool[]>;
}

interface AnyTool {
  readonly type: string;
  readonly name?: string;
}

interface FunctionTool extends AnyTool {
  readonly name: string;
  invoke(run: AgentRun, input: string, details?: Details): Promise<unknown>;
  needsApproval(run: AgentRun, input: unknown, callId?: string): Promise<boolean>;
}

interface Details {
  readonly toolCall?: { readonly callId?: string };
  readonly signal?: AbortSignal;
}

/** A run that has answers to its requests for approval. */
interface Answered {
  isToolApproved?(call: { readonly toolName: string; readonly callId: string }): boolean | undefined;
}

/** The provider runs these, so no seam of the SDK sees them. */
const HOSTED = new Set(['hosted_tool']);

/** The engine of each tool that is guarded, because a tool must not be asked about twice. */
const guarded = new WeakMap<object, Hookline>();

/**
 * Puts the hooks before the tools of an agent and of the agents that it can hand off to: function tools, tools of its MCP servers, and agents as
 * tools. It changes the agent and its tools themselves, because the SDK finds the agent of a saved run by the identity of its tool. Throws if the
 * agent has a tool that cannot be guarded.
 * @param context the session, and who calls
 */
export function guardAgent<A extends object>(agent: A, hookline: Hookline, context: GuardContext): A {
  const gate = createGate(hookline);
  const guard = (tools: readonly AnyTool[]): void => {
    for (const tool of tools) guardTool(tool, hookline, gate, context);
  };
  const seen = new Set<object>();
  const visit = (one: AnyAgent): void => {
    if (seen.has(one)) return;
    seen.add(one);
    guard(one.tools);
    const all = one.getAllTools;
    // Tools of MCP servers are made anew for each turn.
    const getAllTools = async (...args: never[]): Promise<readonly AnyTool[]> => {
      const tools = await all.apply(one, args);
      guard(tools);
      return tools;
    };
    if (!guarded.has(one)) Object.assign(one, { getAllTools });
    guarded.set(one, hookline);
    for (const target of one.handoffs.map(agentOf)) if (target) visit(target);
  };
  visit(agent as unknown as AnyAgent);
  return agent;
}

function agentOf(target: unknown): AnyAgent | undefined {
  const agent = isAgent(target) ? target : (target as { readonly agent?: unknown } | null)?.agent;
  return isAgent(agent) ? agent : undefined;
}

function isAgent(value: unknown): value is AnyAgent {
  return typeof value === 'object' && value !== null && 'getAllTools' in value;
}

/** A verdict that waits for the SDK to invoke the call, and the input that it is about. */
interface Asked {
  readonly input: string;
  readonly verdict: Run | Refused;
}

const MOST_WAITING = 1000;

function guardTool(tool: AnyTool, hookline: Hookline, gate: Gate, context: GuardContext): void {
  if (HOSTED.has(tool.type)) return;
  if (!isFunctionTool(tool))
    throw new HooklineError('bad-option', `The tool ${tool.name ?? tool.type} of type \`${tool.type}\` cannot be guarded.`, {
      hint: 'Wrap what it runs into a function tool.',
    });
  const engine = guarded.get(tool);
  if (engine === hookline) return;
  if (engine) throw new HooklineError('bad-option', `The tool ${tool.name} is guarded by another engine.`);
  guarded.set(tool, hookline);
  Object.assign(tool, guardedParts(tool, gate, context));
}

function guardedParts(own: FunctionTool, gate: Gate, context: GuardContext): Pick<FunctionTool, 'invoke' | 'needsApproval'> {
  const { name, invoke, needsApproval } = own;
  const asked = new Map<string, Asked>();
  const keyOf = ({ session }: CallContext, callId: string): string => JSON.stringify([session, callId]);
  const take = (key: string, input: unknown): Run | Refused | undefined => {
    const known = asked.get(key);
    asked.delete(key);
    return known?.input === JSON.stringify(input) ? known.verdict : undefined;
  };
  return {
    async needsApproval(run, input, callId) {
      const id = callId ?? null;
      if (id === null || (run as Answered).isToolApproved?.({ toolName: name, callId: id }) !== undefined) return true;
      const caller = callerOf(context, run);
      const verdict = await gate.before({ tool: name, input, id }, caller);
      if (verdict.kind === 'hold') return true;
      if (verdict.kind === 'refuse' && verdict.halt !== undefined) throw new HaltError(verdict.halt);
      asked.set(keyOf(caller, id), { input: JSON.stringify(input), verdict });
      if (asked.size > MOST_WAITING) asked.delete(asked.keys().next().value as string);
      return verdict.kind === 'run' && (await needsApproval.call(own, run, input, callId));
    },
    async invoke(run, json, details) {
      const input = parsed(json);
      const call: ToolCall = { tool: name, input, id: details?.toolCall?.callId ?? null };
      const caller = callerOf(context, run, details?.signal);
      const verdict = (call.id === null ? undefined : take(keyOf(caller, call.id), input)) ?? (await gate.resumed(call, caller));
      if (verdict.kind === 'refuse' && verdict.halt !== undefined) throw new HaltError(verdict.halt);
      if (verdict.kind === 'refuse') return verdict.text;
      const given = verdict.input === input ? json : JSON.stringify(verdict.input);
      const ran: ToolCall = { ...call, input: verdict.input };
      let result: unknown;
      try {
        result = await invoke.call(own, run, given, details);
      } catch (error) {
        await gate.failed(ran, error, caller);
        throw error;
      }
      const reviewed = await gate.after(ran, result, caller);
      if (reviewed.halt !== undefined) throw new HaltError(reviewed.halt);
      return withContext(reviewed.result, [...verdict.context, ...reviewed.context]);
    },
  };
}

function isFunctionTool(tool: AnyTool): tool is FunctionTool {
  return tool.type === 'function' && 'invoke' in tool && 'needsApproval' in tool;
}

function callerOf(context: GuardContext, run: AgentRun, signal?: AbortSignal): CallContext {
  const caller = typeof context === 'function' ? context(run) : context;
  return signal ? { ...caller, signal } : caller;
}

/** The tool itself reports a text that is no JSON, so hooks see it as it is. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}
