/**
 * A client of MCP behind the hooks: every call of a tool is judged, whatever server runs it. The questions that servers ask the client, to its person
 * or to its model, are judged too.
 */
import type { Hookline } from '../../api/hookline.ts';
import { isObject } from '../../core/values/json.ts';
import { HaltError } from '../kit/errors.ts';
import { createGate } from '../kit/gate.ts';
import type { CallRequest, GuardContext } from './caller.ts';
import { judgeCall } from './judged-call.ts';
import { type Protocol, wrapHandlers } from './protocol.ts';
import { guardElicitation, guardSampling } from './questions.ts';

/** A client of any version of the SDK, as far as it is used here. */
interface AnyClient extends Protocol {
  callTool(params: CallRequest, options?: Options): Promise<unknown>;
  request(request: { readonly method: string; readonly params?: unknown }, ...rest: readonly unknown[]): Promise<unknown>;
}

interface Options {
  readonly signal?: AbortSignal;
}

/**
 * Puts the hooks before the tools that a `Client` calls, and before its handlers of `elicitation/create` and `sampling/createMessage`. Returns the
 * same object. A call that does not run has a result with `isError`. A hook that halts the run throws a `HaltError`.
 * @param context the session and who calls, or a function that returns them for a call
 */
export function guardClient<C extends object>(client: C, hookline: Hookline, context: GuardContext): C {
  const gate = createGate(hookline);
  const own = client as unknown as AnyClient;
  const callTool = own.callTool.bind(own);
  const request = own.request.bind(own);
  /** The parameters of calls that were judged, because `callTool` of the SDK calls `request`. */
  const judged = new WeakSet<object>();
  const guarded = async (params: CallRequest, options: unknown, run: (params: CallRequest) => Promise<unknown>): Promise<unknown> => {
    const signal = isObject(options) ? (options as Options).signal : undefined;
    const { result, halt } = await judgeCall(gate, [params, context, { signal }], (input) => {
      const passed = { ...params, ...((params.arguments !== undefined || isFilled(input)) && { arguments: input }) };
      judged.add(passed);
      return run(passed);
    });
    if (halt !== undefined) throw new HaltError(halt);
    return result;
  };
  own.callTool = (params, options) => guarded(params, options, (passed) => callTool(passed, options));
  own.request = (asked, ...rest) => {
    const params = asked.params as CallRequest;
    if (asked.method !== 'tools/call' || judged.has(params)) return request(asked, ...rest);
    return guarded(params, rest.at(-1), (passed) => request({ ...asked, params: passed }, ...rest));
  };
  wrapHandlers(own, {
    'elicitation/create': guardElicitation(hookline, context),
    'sampling/createMessage': guardSampling(hookline, context),
  });
  return client;
}

function isFilled(input: unknown): boolean {
  return isObject(input) && Object.keys(input).length > 0;
}
