/** The questions that a server asks through a client: to the person (`elicitation/create`) and to the model (`sampling/createMessage`). */
import type { Hookline } from '../../api/hookline.ts';
import { asJson, isObject, type Json, textOf } from '../../core/values/json.ts';
import { type CallContext, fireContextOf, placeOf } from '../kit/gate.ts';
import { createModelGate, type ModelCall } from '../kit/model-gate.ts';
import type { GuardContext } from './caller.ts';
import type { RequestHandler } from './protocol.ts';

type Wrap = (inner: RequestHandler) => RequestHandler;

/** The answer of a person who was not asked, or whose answer a hook denied. */
const DECLINED = { action: 'decline' };

/**
 * `elicitation.before` decides whether the person is asked, `elicitation.after` whether the server gets the answer, and which. Everything that fails
 * declines. An answer that a hook gives in place of the person is not supported: only a person accepts.
 */
export function guardElicitation(hookline: Hookline, context: GuardContext): Wrap {
  return (ask) => async (request, handlerContext) => {
    try {
      const params = isObject(request.params) ? request.params : {};
      const { caller, server } = callerOf(context, 'elicitation/create', handlerContext.mcpReq?.signal);
      const message = textOf(params['message']);
      const question = { ...(server !== undefined && { server }), ...(message !== undefined && { message }) };
      const before = await hookline.fire('elicitation.before', question, fireContextOf(caller));
      if (!isFree(before) || caller.signal?.aborted) return DECLINED;
      const answer = await ask(request, handlerContext);
      if (!isObject(answer) || answer['action'] !== 'accept') return answer;
      const content = answer['content'] === undefined ? {} : { content: asJson(answer['content']) as Json };
      const after = await hookline.fire('elicitation.after', { ...question, action: 'accept', ...content }, placeOf(caller));
      if (!isFree(after)) return DECLINED;
      return after.replace === undefined ? answer : { ...answer, content: after.replace };
    } catch {
      return DECLINED;
    }
  };
}

/** `llm.before` decides whether the model is called, `llm.after` which answer the server gets. A refusal is an error of the request. */
export function guardSampling(hookline: Hookline, context: GuardContext): Wrap {
  const gate = createModelGate(hookline);
  return (sample) => async (request, handlerContext) => {
    const { caller } = callerOf(context, 'sampling/createMessage', handlerContext.mcpReq?.signal);
    const call = modelCall(request.params);
    const verdict = await gate.before(call, caller);
    if (verdict.kind === 'refuse') throw new Error(verdict.text);
    const answer = await sample(request, handlerContext);
    const { kind, text } = await gate.after(call, shownAnswer(answer), caller);
    if (kind === 'withheld') throw new Error(text);
    return kind === 'replaced' && isObject(answer) ? { ...answer, content: { type: 'text', text } } : answer;
  };
}

function isFree({ decision, halt }: { readonly decision: string; readonly halt?: string }): boolean {
  return (decision === 'pass' || decision === 'allow') && halt === undefined;
}

function callerOf(
  context: GuardContext,
  method: string,
  own: AbortSignal | undefined,
): { readonly caller: CallContext; readonly server: string | undefined } {
  const given = typeof context === 'function' ? context({ tool: method, meta: {} }) : context;
  const { server, callId: _, ...caller } = given;
  return { caller: { ...caller, signal: own ?? caller.signal }, server };
}

function modelCall(params: unknown): ModelCall {
  const { messages, tools, modelPreferences } = (isObject(params) ? params : {}) as Readonly<Record<string, unknown>>;
  const hints = isObject(modelPreferences) && Array.isArray(modelPreferences['hints']) ? modelPreferences['hints'] : [];
  const [first] = hints as readonly Json[];
  const input = asJson(messages);
  return {
    model: (isObject(first) ? textOf(first['name']) : undefined) ?? '',
    messageCount: Array.isArray(messages) ? messages.length : 0,
    toolCount: Array.isArray(tools) ? tools.length : 0,
    ...(input !== undefined && { input }),
  };
}

/** The text of an answer, or its content. */
function shownAnswer(answer: unknown): Json {
  const content = isObject(answer) ? answer['content'] : undefined;
  if (isObject(content) && content['type'] === 'text') return String(content['text']);
  return (asJson(content) as Json | undefined) ?? null;
}
