/**
 * How an answer goes back: in a frame for our own clients, else as HTTP. A host that calls the address itself looks at the body alone, so a
 * no that is only an exit code must not look like the empty body of "no opinion".
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { encodeFrame, FRAME_TYPE, type Said, STILL_WORKING } from './frame.ts';

/** Waits for the answer and writes it; the caller may be gone by then. Plain callbacks: promises would cost as much as the answer. */
export function reply(request: IncomingMessage, response: ServerResponse, proof: string, answer: Promise<Said>, done: () => void): void {
  const framed = request.headers.accept === FRAME_TYPE;
  const alive = framed ? setInterval(() => sayAlive(response), ALIVE_MS) : undefined;
  const finish = (send: () => void): void => {
    if (alive) clearInterval(alive);
    try {
      send();
    } catch (error) {
      fail(response, error);
    }
    done();
  };
  answer.then(
    (said) => finish(() => (framed ? sendFrame(response, encodeFrame(said, proof)) : sendPlain(response, said))),
    (error: unknown) => finish(() => fail(response, error)),
  );
}

export function sendText(response: ServerResponse, status: number, text: string): void {
  const body = Buffer.from(`${text}\n`);
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'content-length': body.length });
  response.end(body);
}

/** Whoever asked does it without us, and says in the host's words what is wrong. */
function fail(response: ServerResponse, error: unknown): void {
  if (response.headersSent) response.destroy();
  else sendText(response, 500, `Hookline could not answer: ${error instanceof Error ? error.message : String(error)}`);
}

/** Shorter than the patience of the clients by far. */
const ALIVE_MS = 500;

function sayAlive(response: ServerResponse): void {
  if (!response.headersSent) response.writeHead(200, { 'content-type': FRAME_TYPE });
  response.write(STILL_WORKING);
}

function sendFrame(response: ServerResponse, frame: string): void {
  if (!response.headersSent) response.writeHead(200, { 'content-type': FRAME_TYPE, 'content-length': Buffer.byteLength(frame) });
  response.end(frame);
}

function sendPlain(response: ServerResponse, { stdout, stderr, exit }: Said): void {
  const silent = exit !== 0 && stdout.trim() === '';
  const body = silent ? stderr : stdout;
  const type = body.startsWith('{') ? 'application/json' : 'text/plain; charset=utf-8';
  response.writeHead(silent ? 403 : 200, {
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    'x-hookline-exit': String(exit),
    ...(stderr !== '' && { 'x-hookline-stderr': encodeURIComponent(Buffer.from(stderr.slice(0, MOST_HEADER)).toString()) }),
  });
  response.end(body);
}

const MOST_HEADER = 2000;
