/** The calls of one step, one after the other: the hooks, the tool, the hooks. A call that is held does not keep the others from running. */
import type { ModelMessage, ToolResultPart } from 'ai';
import type { ToolPayload } from '../core/event/payloads.ts';
import { asJson, type Json } from '../core/values/json.ts';
import { lastOf } from '../sdk/ai/tools.ts';
import { createGate, type Gate, type ToolCall, type Verdict } from '../sdk/kit/gate.ts';
import { shownInput } from '../sdk/kit/shown.ts';
import { refusalText, withContext } from '../sdk/kit/texts.ts';
import { ABORTED, heldAction } from './boundary.ts';
import type { AskedCall } from './model-call.ts';
import { heldIn, type PendingCall } from './parked.ts';
import { type Scene, shownJson } from './scene.ts';

/** A tool of the agent's own, behind boundaries of its own. */
export interface InnerTool {
  run(scene: Scene, call: AskedCall, pending: PendingCall | undefined): Promise<InnerEnd>;
}

/** Its result, or the boundary inside of it that holds it. */
export type InnerEnd =
  | { readonly kind: 'result'; readonly result: Json; readonly halt?: string }
  | { readonly kind: 'held'; readonly pending: Pick<PendingCall, 'stage' | 'held' | 'child'> };

export type InnerTools = Readonly<Record<string, InnerTool>>;

export interface StepEnd {
  readonly results: readonly ToolResultPart[];
  readonly pending: readonly PendingCall[];
  readonly halt?: string;
}

/** Runs the calls. Never rejects: a tool that fails is a result for the model. */
export async function runCalls(scene: Scene, calls: readonly AskedCall[], messages: readonly ModelMessage[]): Promise<StepEnd> {
  const aborted = (call: AskedCall): CallEnd => ({ result: textResult(call, refusalText(ABORTED)) });
  return runEach(scene, calls, (call) => runCall(scene, call, messages, undefined), aborted);
}

/**
 * Continues calls that were held. One whose ticket is still open stays pending, and nothing is fired for it.
 * @param how with `leave` the user went on, so a call that still waits is given up and its ticket withdrawn
 */
export async function resumeCalls(
  scene: Scene,
  calls: readonly PendingCall[],
  messages: readonly ModelMessage[],
  how: 'resume' | 'leave',
): Promise<StepEnd> {
  const settled = async (call: PendingCall): Promise<CallEnd> => {
    const open = await openTickets(scene, call);
    const most = how === 'leave' ? 1 : ticketsOf(call).length;
    if (open.length < most) return runCall(scene, call, messages, call);
    if (how === 'resume') return { pending: call };
    for (const ticket of open) await scene.boundary.withdraw(ticket, LEFT);
    return refused(scene, call, { text: refusalText(LEFT) });
  };
  // A call that an abort kept from running can still be resumed.
  const aborted = (call: PendingCall): CallEnd =>
    how === 'resume' ? { pending: call } : { result: textResult(call, refusalText(ABORTED)) };
  return runEach(scene, calls, settled, aborted);
}

const LEFT = 'The user went on before a person had approved it.';

async function openTickets({ boundary }: Scene, call: PendingCall): Promise<readonly string[]> {
  const tickets = ticketsOf(call);
  const open = await Promise.all(tickets.map((ticket) => boundary.isOpen(ticket)));
  return tickets.filter((_, index) => open[index]);
}

function ticketsOf({ child, held }: PendingCall): readonly string[] {
  return (child ? heldIn(child) : [held]).map(({ ticket }) => ticket);
}

type CallEnd = { readonly result: ToolResultPart; readonly halt?: string } | { readonly pending: PendingCall };

async function runEach<C extends AskedCall>(
  scene: Scene,
  calls: readonly C[],
  run: (call: C) => Promise<CallEnd>,
  aborted: (call: C) => CallEnd,
): Promise<StepEnd> {
  const results: ToolResultPart[] = [];
  const pending: PendingCall[] = [];
  let halt: string | undefined;
  for (const call of calls) {
    const end: CallEnd =
      halt !== undefined
        ? { result: textResult(call, refusalText(`A hook ended the run: ${halt}`)) }
        : scene.signal.aborted
          ? aborted(call)
          : await run(call);
    if ('pending' in end) pending.push(end.pending);
    else {
      results.push(end.result);
      halt ??= end.halt;
    }
  }
  return { results, pending, ...(halt !== undefined && { halt }) };
}

async function runCall(
  scene: Scene,
  asked: AskedCall,
  messages: readonly ModelMessage[],
  pending: PendingCall | undefined,
): Promise<CallEnd> {
  const { boundary } = scene;
  const gate = createGate(boundary.engine);
  if (!pending) emitCall(scene, asked);
  const verdict = await verdictOn(scene, gate, asked, pending);
  if ('pending' in verdict) return verdict;
  if (verdict.kind !== 'run') return refused(scene, asked, verdict);
  const call: ToolCall = { tool: asked.tool, input: verdict.input, id: asked.id };
  const context = [...(pending?.context ?? []), ...verdict.context];
  let result: unknown;
  let innerHalt: string | undefined;
  try {
    const end = await execute(scene, { ...asked, input: verdict.input }, messages, pending?.stage === 'tool' ? undefined : pending);
    if (end.kind === 'held') return { pending: { ...pendingOf(asked, verdict.input, context), ...end.pending } };
    result = end.result;
    innerHalt = end.halt;
  } catch (error) {
    return failed(scene, call, error, context);
  }
  const reviewed = await gate.after(call, result, boundary.caller);
  const added = [...context, ...reviewed.context];
  const shown = withContext(reviewed.result, added);
  const output =
    reviewed.isReplaced || added.length > 0 ? plainOutput(shown) : await ownOutput(scene, { ...asked, input: verdict.input }, shown);
  const halt = reviewed.halt ?? innerHalt;
  emitResult(scene, asked, shownJson(shown), false);
  return { result: { type: 'tool-result', toolCallId: asked.id, toolName: asked.tool, output }, ...(halt !== undefined && { halt }) };
}

/** Asks the hooks, and the people if a hook wants that. A call that is held inside itself has passed this boundary before. */
async function verdictOn(
  scene: Scene,
  gate: Gate,
  asked: AskedCall,
  pending: PendingCall | undefined,
): Promise<Exclude<Verdict, { readonly kind: 'hold' }> | { readonly pending: PendingCall }> {
  const { boundary, session } = scene;
  const call: ToolCall = { tool: asked.tool, input: asked.input, id: asked.id };
  if (pending?.stage === 'tool') return gate.resumed(call, boundary.caller, pending.held.ticket);
  if (pending) return { kind: 'run', input: pending.input, isAllowed: true, context: [] };
  const verdict = await gate.before(call, boundary.caller);
  if (verdict.kind !== 'hold') return verdict;
  const { input } = shownInput(asked.input);
  const held = { ...heldAction(verdict, session, 'tool.before'), tool: asked.tool, input };
  const plan = await boundary.hold(held, payloadOf(scene, call));
  if (plan === 'wait') return gate.waited(call, boundary.caller, held.ticket);
  if (plan === 'park') return { pending: { ...pendingOf(asked, asked.input, []), stage: 'tool', held } };
  return { kind: 'refuse', reason: plan.reason, text: refusalText(plan.reason), ...(plan.halt !== undefined && { halt: plan.halt }) };
}

function payloadOf(scene: Scene, { tool, input, id }: ToolCall): ToolPayload {
  return {
    ...{ tool, input: shownInput(input).input },
    ...(id !== null && { toolUseId: id }),
    ...(scene.depth > 0 && { depth: scene.depth }),
    ...(scene.boundary.skill !== undefined && { skill: scene.boundary.skill }),
  };
}

async function execute(
  scene: Scene,
  call: AskedCall,
  messages: readonly ModelMessage[],
  pending: PendingCall | undefined,
): Promise<InnerEnd> {
  const { inner } = scene.agent;
  const own = Object.hasOwn(inner, call.tool) ? inner[call.tool] : undefined;
  if (own) return own.run(scene, call, pending);
  const tool = Object.hasOwn(scene.tools, call.tool) ? scene.tools[call.tool] : undefined;
  if (!tool?.execute) throw new Error(`The tool ${call.tool} cannot be run here: it has no \`execute\`.`);
  const options = { toolCallId: call.id, messages: [...messages], abortSignal: scene.signal };
  // The result stays as it is: the tool's own `toModelOutput` may need it.
  return { kind: 'result', result: (await lastOf(tool.execute.call(tool, call.input, options as never))) as Json };
}

async function failed(scene: Scene, call: ToolCall, error: unknown, context: readonly string[]): Promise<CallEnd> {
  const message = error instanceof Error ? error.message : String(error);
  const told = await scene.boundary.tell('tool.error', { ...payloadOf(scene, call), error: message });
  const asked = { id: call.id ?? '', tool: call.tool, input: call.input };
  const denied = told.kind === 'refuse' ? [told.reason] : [];
  const text = [message, ...context, ...denied, ...told.context].join('\n\n');
  emitResult(scene, asked, text, true);
  const halt = told.kind === 'refuse' ? told.halt : undefined;
  const output = { type: 'error-text' as const, value: text };
  return { result: { type: 'tool-result', toolCallId: asked.id, toolName: call.tool, output }, ...(halt !== undefined && { halt }) };
}

function refused(scene: Scene, asked: AskedCall, { text, halt }: { readonly text: string; readonly halt?: string }): CallEnd {
  emitResult(scene, asked, text, false);
  return { result: textResult(asked, text), ...(halt !== undefined && { halt }) };
}

function pendingOf(
  { id, tool }: AskedCall,
  input: unknown,
  context: readonly string[],
): Pick<PendingCall, 'id' | 'tool' | 'input' | 'context'> {
  return { id, tool, input: asJson(input) ?? null, context };
}

export function textResult({ id, tool }: AskedCall, text: string): ToolResultPart {
  return { type: 'tool-result', toolCallId: id, toolName: tool, output: { type: 'text', value: text } };
}

function plainOutput(value: unknown): ToolResultPart['output'] {
  if (typeof value === 'string') return { type: 'text', value };
  return { type: 'json', value: shownJson(value) as never };
}

async function ownOutput(scene: Scene, { tool, id, input }: AskedCall, output: unknown): Promise<ToolResultPart['output']> {
  const own = Object.hasOwn(scene.tools, tool) ? scene.tools[tool] : undefined;
  return own?.toModelOutput ? own.toModelOutput({ toolCallId: id, input, output } as never) : plainOutput(output);
}

function emitCall({ agent, session, depth }: Scene, { id, tool, input }: AskedCall): void {
  agent.emit({ type: 'tool-call', session, depth, id, tool, input: shownSafely(input) });
}

function emitResult({ agent, session, depth }: Scene, { id, tool, input }: AskedCall, result: Json, isError: boolean): void {
  agent.emit({ type: 'tool-result', session, depth, id, tool, input: shownSafely(input), result, isError });
}

function shownSafely(input: unknown): ToolPayload['input'] {
  try {
    return shownInput(input).input;
  } catch {
    return {};
  }
}
