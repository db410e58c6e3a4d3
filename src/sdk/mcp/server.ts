/** A server of MCP behind the hooks: every `tools/call` is judged, whatever client makes it. */
import type { Hookline } from '../../api/hookline.ts';
import { createGate } from '../kit/gate.ts';
import type { CallRequest, GuardContext } from './caller.ts';
import { judgeCall } from './judged-call.ts';
import { type Protocol, wrapHandlers } from './protocol.ts';

/**
 * Puts the hooks before the tools of an `McpServer` or a `Server`, and returns the same object. Tools may be registered before and after it. A call
 * that does not run is answered by a result with `isError`, so the model learns why.
 * @param context the session and who calls, or a function that returns them for a call
 */
export function guardServer<S extends object>(server: S, hookline: Hookline, context: GuardContext): S {
  const gate = createGate(hookline);
  const inner = 'server' in server ? server.server : server;
  wrapHandlers(inner as Protocol, {
    'tools/call': (run) => async (request, handlerContext) => {
      const params = request.params as CallRequest;
      const { sessionId, mcpReq } = handlerContext;
      const { result } = await judgeCall(gate, [params, context, { sessionId, handlerContext, signal: mcpReq?.signal }], (input) =>
        run(input === params.arguments ? request : { ...request, params: { ...params, arguments: input } }, handlerContext),
      );
      return result;
    },
  });
  return server;
}
