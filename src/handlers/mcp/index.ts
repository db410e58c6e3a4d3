/**
 * Hooks that are tools of an MCP server: the server is started or asked, the tool is called, and its text is the hook's output. Each call has a
 * connection of its own, which is closed when the answer is there, so nothing is left behind.
 */

import type { Call, Handler } from '../../core/contracts/handler.ts';
import { tooDeep } from '../../core/contracts/nesting.ts';
import { type Fault, fault, type Reply } from '../../core/decision/reply.ts';
import { isObject, type JsonObject, textOf } from '../../core/values/json.ts';
import { LONGEST_TIMER_MS } from '../../core/values/timer.ts';
import { cancelled, startDeadline, threw } from '../kit/deadline.ts';
import { MCP_TOOL } from '../kit/describe.ts';
import { encodePayload } from '../kit/payload.ts';
import { readAnswer } from './answer.ts';
import { type Connection, connectionTo } from './connection.ts';
import { filledInput } from './input.ts';
import { loadClient } from './package.ts';

/** @param userFolder a folder of the user in which the package of the client may be installed too */
export function mcpToolHandler(userFolder?: string): Handler {
  return {
    ...MCP_TOOL,
    async handle(call) {
      if (call.signal?.aborted) return cancelled();
      const deep = tooDeep(call.nesting);
      if (deep) return deep;
      const asked = askedTool(call);
      if ('fault' in asked) return asked;
      const sdk = await loadClient(userFolder);
      if ('fault' in sdk) return sdk;
      const connection = connectionTo(call, sdk);
      if ('fault' in connection) return connection;
      return callTool(call, asked, sdk.Client, connection);
    },
  };
}

interface AskedTool {
  readonly server: string;
  readonly tool: string;
  readonly input: JsonObject;
}

function askedTool({ hook, payload, limits }: Call): AskedTool | Fault {
  const { config } = hook.handler;
  const [server, tool] = [textOf(config['server']), textOf(config['tool'])];
  if (server === undefined || tool === undefined) return fault('unavailable', `hook '${hook.name}' names no server and tool`);
  const given = config['input'] ?? {};
  if (!isObject(given)) return fault('malformed', 'the `input` of the hook is not a map');
  const input = filledInput(given, payload);
  const text = encodePayload(input, limits.payloadBytes);
  return typeof text === 'string' ? { server, tool, input } : text;
}

/** A client of the SDK, as far as it is used here. */
export interface McpClient {
  connect(transport: object, options: object): Promise<void>;
  callTool(params: object, options: object): Promise<unknown>;
  close(): Promise<void>;
}

export type McpClientClass = new (info: object, options: object) => McpClient;

/** Settles once: with the answer, with the failure of the connection, or with the end of the time. */
function callTool(call: Call, { server, tool, input }: AskedTool, Client: McpClientClass, connection: Connection): Promise<Reply | Fault> {
  const given = new AbortController();
  const client = new Client({ name: 'hookline', version: '1' }, { capabilities: {} });
  // The deadline of the call ends the wait, and not that of the SDK.
  const options = { signal: given.signal, timeout: LONGEST_TIMER_MS, maxTotalTimeout: LONGEST_TIMER_MS };
  const ask = async (): Promise<Reply | Fault> => {
    await client.connect(connection.transport, options);
    const result = await client.callTool({ name: tool, arguments: input }, options);
    // The answer is there, so the end of the connection is no failure any more.
    connection.onFailure(() => {});
    await connection.farewell();
    return readAnswer(result, { server, tool }, call.limits.outputBytes);
  };
  return new Promise((resolve) => {
    let over = false;
    const finish = async (answer: Reply | Fault): Promise<void> => {
      if (over) return;
      over = true;
      deadline.cancel();
      given.abort();
      await Promise.allSettled([client.close(), connection.close()]);
      resolve(answer);
    };
    const deadline = startDeadline(call, (why) => void finish(connection.failure() ?? why));
    // The SDK may go on waiting on a connection that is gone.
    connection.onFailure((why) => void finish(why));
    ask().then(
      (answer) => finish(answer),
      (error: unknown) => finish(connection.failure() ?? refusal(error, server)),
    );
  });
}

/** An error of the protocol has a number. Everything else that the SDK throws here is about a message that it cannot use. */
function refusal(error: unknown, server: string): Fault {
  const { detail } = threw(error);
  const isProtocol = error instanceof Error && 'code' in error && typeof error.code === 'number';
  if (isProtocol) return fault('threw', `the server '${server}' refused: ${detail}`);
  return fault('malformed', `the server '${server}' answered something that cannot be used: ${detail}`);
}
