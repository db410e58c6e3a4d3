/** A model on loopback that says what the test wants it to say, turn by turn, and keeps what it was told. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { anthropic } from './anthropic.ts';
import { chat } from './chat.ts';
import { gemini } from './gemini.ts';
import { responses } from './responses.ts';
import type { ModelWire, StreamEvent, Turn } from './turn.ts';

const WIRES: readonly ModelWire[] = [anthropic, chat, gemini, responses];
/** Said once the script is over, and to all that is asked on the side. */
const NOTHING_MORE: Turn = { say: 'done' };

export interface MockModel {
  /** Without a path. */
  readonly url: string;
  /** All that the agent has told it in the requests for work, in order: each request as JSON. */
  heard(): readonly string[];
  /** What came in that is no request for an answer, for whoever looks why nothing happens. */
  others(): readonly string[];
}

/** To be called within a test; closed when that is over. */
export async function startModel(turns: readonly Turn[]): Promise<MockModel> {
  const heard: string[] = [];
  const others: string[] = [];
  const left = [...turns];
  let count = 0;
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const text = await bodyOf(request);
    const wire = WIRES.find(({ path }) => request.method === 'POST' && path.test(request.url ?? ''));
    if (!wire) {
      others.push(`${request.method} ${request.url}`);
      response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":{"message":"nothing here"}}');
      return;
    }
    const body = JSON.parse(text) as Record<string, unknown>;
    const isWork = wire.isWork(body);
    if (isWork) heard.push(text);
    const turn = (isWork ? left.shift() : undefined) ?? NOTHING_MORE;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(wire.stream(turn, String(++count)).map(lines).join(''));
  };
  const server = createServer((request, response) => void serve(request, response).catch((error) => response.destroy(error)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, heard: () => heard, others: () => others };
}

function lines({ event, data }: StreamEvent): string {
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  return `${event === undefined ? '' : `event: ${event}\n`}data: ${text}\n\n`;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
