/**
 * Does at the end of this turn of the event loop what was to be done in it. Answers that go out together wake whoever reads them once; one by
 * one, each would find the reader asleep again, and waking it costs more than the answer.
 */
import type { ServerResponse } from 'node:http';
import { encodeFrame, FRAME_TYPE, type FrameContent, STILL_WORKING } from './frame.ts';

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

/**
 * How an answer goes back: in a frame for our own clients, else as HTTP. A host that calls the address itself looks at the body alone and
 * takes a failure for consent, so what can't be answered is refused in its own words.
 */

export interface OpenReply {
  answered(said: FrameContent): void;
  /** `status`: for those who want a frame, and do it without us then. */
  failed(error: unknown, status: number): void;
}

/** `proof`: for those who want a frame, what shows that it is from us. */
export function openReply(
  response: ServerResponse,
  proof: string | undefined,
  refuse: (why: string) => FrameContent,
  done: () => void,
): OpenReply {
  const alive = proof === undefined ? undefined : setInterval(() => sayAlive(response), ALIVE_MS);
  const close = (send: () => void): void => {
    if (alive) clearInterval(alive);
    try {
      send();
    } catch (error) {
      fail(response, 500, whyOf(error));
    }
    done();
  };
  return {
    answered: (said) =>
      sendBatched(() => close(() => (proof === undefined ? sendPlain(response, said) : sendFrame(response, encodeFrame(said, proof))))),
    failed: (error, status) =>
      close(() => {
        const why = `Hookline could not answer: ${whyOf(error)}`;
        if (proof === undefined) sendPlain(response, refuse(why));
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

/** A no that is nothing but an exit code must not look like the empty body of "no opinion". */
function sendPlain(response: ServerResponse, { stdout, stderr, exit }: FrameContent): void {
  const wordless = exit !== 0 && stdout.trim() === '';
  const body = wordless ? stderr : stdout;
  const length = { 'content-length': Buffer.byteLength(body) };
  // No opinion, which is what most events come to: the shortest answer there is.
  if (body === '' && stderr === '' && exit === 0) response.writeHead(200, length);
  else {
    response.writeHead(wordless ? 403 : 200, {
      'content-type': body.startsWith('{') ? 'application/json' : 'text/plain; charset=utf-8',
      ...length,
      'x-hookline-exit': String(exit),
      ...(stderr !== '' && { 'x-hookline-stderr': encodeURIComponent(Buffer.from(stderr.slice(0, MOST_HEADER)).toString()) }),
    });
  }
  response.end(body);
}

const MOST_HEADER = 2000;
