/** One event, from the request to the response. Plain callbacks: promises would cost as much as the answer. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { FRAME_TYPE, type FrameContent } from './frame.ts';
import { EVENT_TYPE, type EventRequest, type Route, readBody, readEvent, readPlace, readRoute } from './request.ts';
import { openReply, sendText } from './response.ts';

export interface Answering {
  /** Throws or rejects with `Misdirected` what has to be eventRequest elsewhere. */
  answer(eventRequest: EventRequest): Promise<FrameContent>;
  /** A no in the host's own words, for hosts that call the address themselves: they take a failure for consent. */
  deny(eventRequest: EventRequest, why: string): FrameContent;
}

/** Only the caller itself can ask this: our clients then do. */
export class Misdirected extends Error {}

/** False if this is not the route of an event. `done` is called once the answer is on its route, or nobody waits for it any more. */
export function answerEvent(
  request: IncomingMessage,
  response: ServerResponse,
  { answer, deny: refuse }: Answering,
  proof: string,
  done: () => void,
): boolean {
  const { headers, url = '' } = request;
  const route = readRoute(url);
  if (!route) return false;
  readBody(request, MOST_PAYLOAD, (body) => {
    const eventRequest: EventRequest | undefined = readRequest(route, headers, body ?? '');
    if (!eventRequest) return sendText(response, 421, 'the environment of the caller is missing');
    const reply = openReply(response, headers.accept === FRAME_TYPE ? proof : undefined, (why) => refuse(eventRequest, why), done);
    if (body === undefined) return reply.failed(new Error('the payload is too long'), 413);
    try {
      answer(eventRequest).then(reply.answered, (error: unknown) => reply.failed(error, statusOf(error)));
    } catch (error) {
      reply.failed(error, statusOf(error));
    }
  });
  return true;
}

/** Clients send no more than a part of this; hosts that call the address themselves may. */
const MOST_PAYLOAD = 64 * 1024 * 1024;

function readRequest({ host, event }: Route, headers: IncomingHttpHeaders, body: string): EventRequest | undefined {
  const { cwd, root } = readPlace(headers);
  if (headers['content-type'] !== EVENT_TYPE) return { host, event, cwd, root, payload: body, env: undefined };
  const read = readEvent(body);
  return read && { host, event, cwd, root, ...read };
}

function statusOf(error: unknown): number {
  return error instanceof Misdirected ? 421 : 500;
}
