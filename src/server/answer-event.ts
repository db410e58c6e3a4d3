/** One event, from the request to the response. Plain callbacks: promises would cost as much as the answer. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { FRAME_TYPE, type Said } from './frame.ts';
import { type Asked, EVENT_TYPE, readBody, readEvent, readPlace, readWay, type Way } from './request.ts';
import { openReply, sendText } from './response.ts';

export interface Answering {
  /** Throws or rejects with `Misdirected` what has to be asked elsewhere. */
  answer(asked: Asked): Promise<Said>;
  /** A no in the host's own words, for hosts that call the address themselves: they take a failure for consent. */
  refuse(asked: Asked, why: string): Said;
}

/** Only the caller itself can ask this: our clients then do. */
export class Misdirected extends Error {}

/** False if this is not the way of an event. `done` is called once the answer is on its way, or nobody waits for it any more. */
export function answerEvent(
  request: IncomingMessage,
  response: ServerResponse,
  { answer, refuse }: Answering,
  proof: string,
  done: () => void,
): boolean {
  const { headers, url = '' } = request;
  const way = readWay(url);
  if (!way) return false;
  readBody(request, MOST_PAYLOAD, (body) => {
    const asked: Asked | undefined = askedIn(way, headers, body ?? '');
    if (!asked) return sendText(response, 421, 'the environment of the caller is missing');
    const reply = openReply(response, headers.accept === FRAME_TYPE ? proof : undefined, (why) => refuse(asked, why), done);
    if (body === undefined) return reply.failed(new Error('the payload is too long'), 413);
    try {
      answer(asked).then(reply.answered, (error: unknown) => reply.failed(error, statusOf(error)));
    } catch (error) {
      reply.failed(error, statusOf(error));
    }
  });
  return true;
}

/** Clients send no more than a part of this; hosts that call the address themselves may. */
const MOST_PAYLOAD = 64 * 1024 * 1024;

function askedIn({ host, event }: Way, headers: IncomingHttpHeaders, body: string): Asked | undefined {
  const { cwd, root } = readPlace(headers);
  if (headers['content-type'] !== EVENT_TYPE) return { host, event, cwd, root, payload: body, env: undefined };
  const read = readEvent(body);
  return read && { host, event, cwd, root, ...read };
}

function statusOf(error: unknown): number {
  return error instanceof Misdirected ? 421 : 500;
}
