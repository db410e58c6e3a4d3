/**
 * Sends an answer, in a frame for Hookline's clients and as plain HTTP for others. A host that calls the address itself reads only the body
 * and treats a failure as consent. An event that could not be answered is therefore denied in the host's format.
 */
import type { ServerResponse } from 'node:http';
import { encodeFrame, FRAME_TYPE, type FrameContent, STILL_WORKING } from './frame.ts';

/**
 * Collects writes and performs them at the end of the current turn of the event loop. Answers sent together wake their reader once. Sent
 * one by one, each would wake it again, which costs more than the answer.
 */
export function batchWrites(): (work: () => void) => void {
  let waiting: (() => void)[] = [];
  const all = (): void => {
    const now = waiting;
    waiting = [];
    for (const work of now) work();
  };
  return (work) => {
    if (waiting.push(work) === 1) setImmediate(all);
  };
}

/** Only the first call counts. */
export interface OpenReply {
  answered(content: FrameContent): void;
  /** Reports a failure. `status` is for clients that read frames; they then run the program themselves. */
  failed(error: unknown, status: number): void;
}

/**
 * Opens the reply to one event.
 * @param proof the server's secret for clients that read frames; undefined for others
 */
export function openReply(
  response: ServerResponse,
  proof: string | undefined,
  deny: (why: string) => FrameContent,
  done: () => void,
): OpenReply {
  const alive = proof === undefined ? undefined : setInterval(() => sendAlive(response), ALIVE_MS);
  let over = false;
  const close = (send: () => void): void => {
    if (over) return;
    over = true;
    if (alive) clearInterval(alive);
    try {
      send();
    } catch (error) {
      fail(response, 500, whyOf(error));
    }
    done();
  };
  return {
    answered: (content) =>
      sendBatched(() =>
        close(() => (proof === undefined ? sendPlain(response, content) : sendFrame(response, encodeFrame(content, proof)))),
      ),
    failed: (error, status) =>
      close(() => {
        const why = `Hookline could not answer: ${whyOf(error)}`;
        if (proof === undefined) sendPlain(response, deny(why));
        else fail(response, status, why);
      }),
  };
}

const sendBatched = batchWrites();

export function sendText(response: ServerResponse, status: number, text: string): void {
  const body = Buffer.from(`${text}\n`);
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'content-length': body.length });
  response.end(body);
}

function fail(response: ServerResponse, status: number, why: string): void {
  if (response.headersSent) response.destroy();
  else sendText(response, status, why);
}

function whyOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Far shorter than the timeout of the clients. */
const ALIVE_MS = 500;

function sendAlive(response: ServerResponse): void {
  if (!response.headersSent) response.writeHead(200, { 'content-type': FRAME_TYPE });
  response.write(STILL_WORKING);
}

function sendFrame(response: ServerResponse, frame: string): void {
  if (!response.headersSent) response.writeHead(200, { 'content-type': FRAME_TYPE, 'content-length': Buffer.byteLength(frame) });
  response.end(frame);
}

/** A denial that consists of an exit code alone must not look like the empty body of "no opinion". */
function sendPlain(response: ServerResponse, { stdout, stderr, exit }: FrameContent): void {
  const exitOnly = exit !== 0 && stdout.trim() === '';
  const body = exitOnly ? stderr : stdout;
  const length = { 'content-length': Buffer.byteLength(body) };
  // Most events end with no opinion. This is the shortest response for it.
  if (body === '' && stderr === '' && exit === 0) response.writeHead(200, length);
  else {
    response.writeHead(exitOnly ? 403 : 200, {
      'content-type': body.startsWith('{') ? 'application/json' : 'text/plain; charset=utf-8',
      ...length,
      'x-hookline-exit': String(exit),
      ...(stderr !== '' && { 'x-hookline-stderr': encodeURIComponent(Buffer.from(stderr.slice(0, MOST_HEADER)).toString()) }),
    });
  }
  response.end(body);
}

const MOST_HEADER = 2000;
