/** One call of a model: `llm.before`, the call with its retries, `llm.after`. Nothing of an answer is shown before the hooks that may change it. */
import type { ModelMessage, ToolSet } from 'ai';
import type { Json, JsonObject } from '../core/values/json.ts';
import { createModelGate, type ModelCall, type ReviewedAnswer } from '../sdk/kit/model-gate.ts';
import { shownAnswer } from '../sdk/kit/model-parts.ts';
import type { HeldBack, Refusal } from './boundary.ts';
import type { Model } from './contract.ts';
import { modelName, type Scene, shownJson } from './scene.ts';

/** A call of a tool that the model asks for. */
export interface AskedCall {
  readonly id: string;
  readonly tool: string;
  readonly input: unknown;
}

/** The answer of the model. */
export interface Answered {
  readonly kind: 'answer';
  /** The messages that join the conversation: the model's own, and the results of calls that the SDK itself answered. */
  readonly messages: readonly ModelMessage[];
  readonly text: string;
  /** The calls that have no result yet. */
  readonly calls: readonly AskedCall[];
  /** Set if a hook ended the run. */
  readonly halt?: string;
}

export interface ModelRequest {
  readonly model: Model | string;
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: ToolSet;
  /** Of the same request, which was held before. */
  readonly ticket?: string | undefined;
}

/** Rejects if the model cannot be called or the run is aborted. */
export async function callModel(scene: Scene, request: ModelRequest): Promise<Answered | Refusal | HeldBack> {
  const { boundary } = scene;
  const shown = [{ role: 'system', content: request.system }, ...request.messages];
  const call: ModelCall = {
    model: modelName(request.model),
    messageCount: request.messages.length,
    toolCount: Object.keys(request.tools).length,
    input: shownJson(shown),
  };
  const crossing = await boundary.cross('llm.before', { ...call }, request.ticket);
  if (crossing.kind !== 'pass') return crossing;
  const chosen = typeof crossing.rewrite === 'string' ? crossing.rewrite : call.model;
  const model = await resolved(scene, chosen === call.model ? request.model : chosen);
  const asked = { ...call, model: chosen };
  const gate = createModelGate(boundary.engine);
  const isHeldBack = scene.stream && (await gate.mayChange(asked, boundary.caller));
  const system = [request.system, ...crossing.context].filter((text) => text !== '').join('\n\n');
  const answer = await generate(scene, { ...request, model, system }, !isHeldBack);
  const reviewed = await gate.after(asked, shownAnswer(answer.shown), boundary.caller);
  const changed = applied(answer, reviewed);
  if ((!scene.stream || isHeldBack || reviewed.kind !== 'unchanged') && changed.text !== '') say(scene, changed.text);
  return { ...changed, ...(reviewed.halt !== undefined && { halt: reviewed.halt }) };
}

async function resolved({ agent }: Scene, model: Model | string): Promise<Model> {
  return typeof model === 'string' ? agent.models(model) : model;
}

interface Part {
  readonly type: string;
  readonly text?: string;
  readonly toolCallId?: string;
}

interface Generated extends Answered {
  readonly shown: readonly Part[];
}

type Call = ModelRequest & { readonly model: Model };

async function generate(scene: Scene, { model, system, messages, tools }: Call, shows: boolean): Promise<Generated> {
  const { agent, signal, stream } = scene;
  const options = {
    model,
    tools,
    // The one form that every version of the SDK takes. The first message is ours, and a conversation contains no other.
    allowSystemInMessages: true,
    messages: [...(system === '' ? [] : [{ role: 'system' as const, content: system }]), ...messages],
    maxRetries: agent.maxRetries,
    abortSignal: signal,
  };
  const result = stream ? agent.sdk.streamText({ ...options, onError() {} }) : await agent.sdk.generateText(options);
  if ('textStream' in result) await follow(result, (text) => shows && say(scene, text));
  const later = result as unknown as Result;
  const added = (await later.responseMessages) ?? (await later.response).messages;
  const calls = await later.toolCalls;
  const answered = new Set(added.flatMap(resultIds));
  return {
    kind: 'answer',
    messages: added,
    text: await later.text,
    calls: calls
      .filter((call) => call.providerExecuted !== true && !answered.has(call.toolCallId))
      .map(({ toolCallId, toolName, input }) => ({ id: toolCallId, tool: toolName, input })),
    shown: await later.content,
  };
}

/** The result of both functions of the SDK, in all versions; a promise of each where it streams. */
interface Result {
  readonly text: string | Promise<string>;
  readonly content: readonly Part[] | Promise<readonly Part[]>;
  readonly toolCalls: readonly Asked[] | Promise<readonly Asked[]>;
  readonly response: Response | Promise<Response>;
  /** Version 7. */
  readonly responseMessages?: readonly ModelMessage[] | Promise<readonly ModelMessage[]>;
}

interface Response {
  readonly messages: readonly ModelMessage[];
}

interface Asked {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
  readonly providerExecuted?: boolean | undefined;
}

async function follow(result: object, onText: (text: string) => void): Promise<void> {
  const { fullStream, stream = fullStream } = result as {
    readonly fullStream?: AsyncIterable<Chunk>;
    readonly stream?: AsyncIterable<Chunk>;
  };
  for await (const part of stream ?? []) {
    if (part.type === 'error') throw part.error;
    if (part.type === 'abort') throw new DOMException('The run was aborted.', 'AbortError');
    if (part.type === 'text-delta' && part.text !== undefined) onText(part.text);
  }
}

interface Chunk {
  readonly type: string;
  readonly text?: string;
  readonly error?: unknown;
}

function resultIds(message: ModelMessage): readonly string[] {
  if (message.role !== 'tool') return [];
  return message.content.flatMap((part) => (part.type === 'tool-result' ? [part.toolCallId] : []));
}

/** Puts the text of a hook in place of everything that the model wrote. Of an answer that is withheld, the calls are removed too. */
function applied({ shown: _, ...answer }: Generated, { kind, text = '' }: ReviewedAnswer): Answered {
  if (kind === 'unchanged') return answer;
  if (kind === 'withheld') return { kind: 'answer', messages: [{ role: 'assistant', content: text }], text, calls: [] };
  const kept = answer.messages.flatMap((message) =>
    message.role === 'assistant' && Array.isArray(message.content) ? message.content.filter(({ type }) => type.startsWith('tool-')) : [],
  );
  const own: ModelMessage = { role: 'assistant', content: [{ type: 'text', text }, ...kept] };
  return { ...answer, text, messages: [own, ...answer.messages.filter(({ role }) => role === 'tool')] };
}

function say({ agent, session, depth }: Scene, text: string): void {
  agent.emit({ type: 'text', session, depth, text });
}

/** The final message as hooks see it. */
export function shownMessage(text: string): JsonObject & { readonly content: Json } {
  return { role: 'assistant', content: text };
}
