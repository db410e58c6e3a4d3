/** A model behind HTTP on this machine, as providers with the chat completions API answer: each request gets the next step of a script. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export type ChatStep = string | { readonly tool: string; readonly input: object } | { readonly status: number; readonly error: string };

export interface ChatModel {
  /** The base URL of the API. */
  readonly url: string;
  /** The bodies of the requests so far. */
  readonly requests: readonly {
    readonly stream?: boolean;
    readonly model: string;
    readonly messages: readonly { readonly role: string; readonly content?: unknown }[];
  }[];
}

/** Must be called within a test. */
export async function chatModel(steps: readonly ChatStep[]): Promise<ChatModel> {
  const requests: ChatModel['requests'][number][] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    requests.push(JSON.parse(body));
    const step = steps[requests.length - 1] ?? { status: 400, error: 'the script is over' };
    if (typeof step !== 'string' && 'status' in step) {
      response.writeHead(step.status, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { message: step.error } }));
      return;
    }
    if (!requests.at(-1)?.stream) {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answerOf(step, requests.length)));
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const chunk of chunksOf(step, requests.length)) response.write(`data: ${JSON.stringify(chunk)}\n\n`);
    response.end('data: [DONE]\n\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, requests };
}

type Said = string | { readonly tool: string; readonly input: object };

function answerOf(step: Said, turn: number): object {
  const message = typeof step === 'string' ? { role: 'assistant', content: step } : { role: 'assistant', tool_calls: [callOf(step, turn)] };
  const choices = [{ index: 0, message, finish_reason: typeof step === 'string' ? 'stop' : 'tool_calls' }];
  return { id: `c-${turn}`, object: 'chat.completion', created: 0, model: 'm', choices };
}

function callOf({ tool, input }: Exclude<Said, string>, turn: number): object {
  return { index: 0, id: `call-${turn}`, type: 'function', function: { name: tool, arguments: JSON.stringify(input) } };
}

function chunksOf(step: Said, turn: number): object[] {
  const chunk = (delta: object, reason: string | null): object => ({
    ...{ id: `c-${turn}`, object: 'chat.completion.chunk', created: 0, model: 'm' },
    choices: [{ index: 0, delta, finish_reason: reason }],
  });
  if (typeof step === 'string')
    return [...(step.match(/\s*\S+/g) ?? []).map((content) => chunk({ role: 'assistant', content }, null)), chunk({}, 'stop')];
  return [chunk({ role: 'assistant', tool_calls: [callOf(step, turn)] }, null), chunk({}, 'tool_calls')];
}
