/** Judges one call of a tool: the hooks see it before the server does, and they see its result before the client does. */
import { digestOf, type Hash } from '../../core/values/digest.ts';
import { isObject, type JsonObject } from '../../core/values/json.ts';
import type { CallContext, Gate, ToolCall } from '../../sdk/kit/gate.ts';
import { type Answer, type Judged, refusal } from './relay.ts';
import { errorText, failedResult, heldResult, readableResult, reviewedResult } from './results.ts';
import { toolNameOf } from './server-name.ts';

export interface CallerOptions {
  readonly gate: Gate;
  readonly server: string;
  readonly context: CallContext;
  readonly hash: Hash;
  /** Returns why a tool waits for a person, or undefined. */
  pinProblem(tool: string): string | undefined;
}

/** Returns the function that answers `tools/call`. */
export function createCaller({ gate, server, context, hash, pinProblem }: CallerOptions): (judged: Judged) => Promise<Answer> {
  /** Calls for which the server has asked the client something, by the state that it gave them: the input that was judged. */
  const continued = new Map<string, { readonly digest: string; readonly input: unknown }>();

  const finish = async (answer: Answer, call: ToolCall, digest: string, notes: readonly string[]): Promise<Answer> => {
    if (answer.kind !== 'result') {
      await gate.failed(call, new Error(answer.message), context);
      return answer;
    }
    const { result } = answer;
    if (result['resultType'] === 'input_required') return { kind: 'result', result: asked(result, digest, call.input) };
    if (result['isError'] === true) {
      await gate.failed(call, new Error(errorText(result)), context);
      return { kind: 'result', result: reviewedResult(result, { result, isReplaced: false, context: [] }, notes) };
    }
    const reviewed = await gate.after(call, readableResult(result), context);
    return { kind: 'result', result: reviewedResult(result, reviewed, [...notes, ...reviewed.context]) };
  };

  /** Passes on the questions alone: anything else in such a result was not seen by the hooks. */
  const asked = ({ inputRequests, requestState, resultType, _meta }: JsonObject, digest: string, input: unknown): JsonObject => {
    if (typeof requestState === 'string') {
      if (continued.size >= MOST_CONTINUED) continued.clear();
      continued.set(requestState, { digest, input });
    }
    return {
      ...(inputRequests !== undefined && { inputRequests }),
      ...(requestState !== undefined && { requestState }),
      ...(resultType !== undefined && { resultType }),
      ...(_meta !== undefined && { _meta }),
    };
  };

  return async ({ params, signal, forward }) => {
    const { name, arguments: input, requestState } = params;
    if (typeof name !== 'string') return refusal('The call names no tool.');
    if (params['task'] !== undefined) return refusal('Hookline does not pass on calls as tasks. Call the tool without `task`.');
    const own = (result: JsonObject): Answer => ({
      kind: 'result',
      result: isModern(params) ? { ...result, resultType: 'complete' } : result,
    });
    const call: ToolCall = { tool: toolNameOf(server, name), input, id: null };
    const digest = digestOf([name, input ?? null], hash);
    const known = typeof requestState === 'string' ? continued.get(requestState) : undefined;
    if (typeof requestState === 'string') continued.delete(requestState);
    // The server continues a call that the hooks have judged, with the same input.
    if (known?.digest === digest) return finish(await forward(withInput(params, known.input)), { ...call, input: known.input }, digest, []);
    const verdict = await gate.before(call, { ...context, signal });
    if (signal.aborted) return { kind: 'cancelled', message: 'The client cancelled the call.' };
    if (verdict.kind === 'refuse') {
      const problem = pinProblem(name);
      return own(failedResult(problem === undefined ? verdict.text : `This call did not run. ${problem} Do not work around it.`));
    }
    if (verdict.kind === 'hold') return own(heldResult(verdict));
    if (verdict.input !== undefined && !isObject(verdict.input))
      return own(failedResult('This call did not run: a hook replaced its arguments with a value that is not an object.'));
    const answer = await forward(withInput(params, verdict.input));
    return finish(answer, { ...call, input: verdict.input }, digest, verdict.context);
  };
}

const MOST_CONTINUED = 1000;

function withInput(params: JsonObject, input: unknown): JsonObject {
  return input === undefined ? params : { ...params, arguments: input as JsonObject };
}

/** Requests since the version 2026-07-28 name their version, and their results have a type. */
function isModern({ _meta }: JsonObject): boolean {
  return isObject(_meta) && _meta['io.modelcontextprotocol/protocolVersion'] !== undefined;
}
