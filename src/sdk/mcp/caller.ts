/** A call of a tool over MCP, and who makes it. */
import { isObject, type JsonObject } from '../../core/values/json.ts';
import type { CallContext, ToolCall } from '../kit/gate.ts';

/** A call as the guard sees it before the hooks are asked. */
export interface McpCall {
  readonly tool: string;
  /** The `_meta` of the request. The client writes it. */
  readonly meta: JsonObject;
  /** The session of the transport, if it has one. Only a guarded server knows it. */
  readonly sessionId?: string | undefined;
  /** The context that the SDK hands to a handler, with the authorisation of an HTTP request. Only a guarded server has it. */
  readonly handlerContext?: unknown;
}

export interface McpCaller extends CallContext {
  /** The name of the server: hooks then see the tool as `mcp__<server>__<tool>`, as agents do. Absent: hooks see its plain name. */
  readonly server?: string | undefined;
  /**
   * An id of the call that stays the same when it is made again, as some clients send in `_meta`. An approval then counts for this call alone.
   * Absent: an approval counts for the same input in this session.
   */
  readonly callId?: string | undefined;
}

/** The caller, or a function that returns it for a call. A server with several clients needs the function: approvals are bound to the session. */
export type GuardContext = McpCaller | ((call: McpCall) => McpCaller);

/** A request `tools/call`, as far as it is used here. */
export interface CallRequest {
  readonly name: string;
  readonly arguments?: unknown;
  readonly _meta?: unknown;
}

/** The call and its caller, as the gate needs them. Throws if the user's function throws. */
export function readCall(
  request: CallRequest,
  context: GuardContext,
  more: Pick<McpCall, 'sessionId' | 'handlerContext'> & { readonly signal?: AbortSignal | undefined },
): { readonly call: ToolCall; readonly caller: CallContext } {
  const { signal: own, ...seen } = more;
  const meta = isObject(request._meta) ? request._meta : {};
  const given = typeof context === 'function' ? context({ tool: request.name, meta, ...seen }) : context;
  const { server, callId, signal, ...caller } = given;
  const tool = server === undefined ? request.name : `mcp__${server}__${request.name}`;
  return { call: { tool, input: request.arguments ?? {}, id: callId ?? null }, caller: { ...caller, signal: joined(own, signal) } };
}

/** Aborts when one of them does. */
function joined(one: AbortSignal | undefined, other: AbortSignal | undefined): AbortSignal | undefined {
  return one && other ? AbortSignal.any([one, other]) : (one ?? other);
}
