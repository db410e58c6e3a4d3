// A mock of the Messages API on loopback, for SDKs that start a program of their own.
import { createServer } from 'node:http';

const usage = { input_tokens: 1, output_tokens: 1 };

/** @param think returns the parts of the answer to a request that has tools */
export async function startModel(think) {
  const server = createServer((request, response) => {
    serve(request, response, think).catch((error) => response.destroy(error));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function serve(request, response, think) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  if (request.method !== 'POST' || !/^\/v1\/messages(\?|$)/.test(request.url)) {
    response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":{"message":"nothing here"}}');
    return;
  }
  const body = JSON.parse(Buffer.concat(chunks).toString('utf8'));
  // The program also asks small things without tools, such as a title.
  const content = body.tools?.length > 0 ? think(body) : [{ type: 'text', text: 'a title' }];
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of eventsOf(content)) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  response.end();
}

function eventsOf(content) {
  const message = { id: `msg_${Date.now()}`, type: 'message', role: 'assistant', model: 'mock', content: [], stop_reason: null, usage };
  const isCall = content.some(({ type }) => type === 'tool_use');
  return [
    { type: 'message_start', message },
    ...content.flatMap((part, index) => [
      { type: 'content_block_start', index, content_block: part.type === 'text' ? { ...part, text: '' } : { ...part, input: {} } },
      { type: 'content_block_delta', index, delta: deltaOf(part) },
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason: isCall ? 'tool_use' : 'end_turn', stop_sequence: null }, usage },
    { type: 'message_stop' },
  ];
}

function deltaOf(part) {
  if (part.type === 'text') return { type: 'text_delta', text: part.text };
  return { type: 'input_json_delta', partial_json: JSON.stringify(part.input) };
}
