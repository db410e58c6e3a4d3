/** Answers one event, from the HTTP request to the response. It uses callbacks because promises would cost as much as the answer itself. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { FRAME_TYPE, type FrameContent } from './frame.ts';
import { EVENT_TYPE, type EventRequest, type Route, readBody, readCaller, readEvent, readRoute } from './request.ts';
import { openReply, sendText } from './response.ts';

export interface Answering {
  /** Throws or rejects with `Misdirected` if only the caller's own process can answer the event. */
  answer(eventRequest: EventRequest): Promise<FrameContent>;
  /** Returns a denial in the host's format. Hosts that call the address themselves treat a failed request as consent. */
  deny(eventRequest: EventRequest, why: string): FrameContent;
}

/** Only the caller's own process can answer this event. Hookline's clients then run the program themselves. */
export class Misdirected extends Error {}

/** An event that was received whole and is being answered. */
export interface OpenEvent {
  /** Ends its hooks. Hookline's clients then run the program themselves; hosts that call the address receive a denial. */
  abandon(why: string): void;
}

/**
 * How the server follows an event. `refused` is called for a caller that must answer itself, and `done` when the answer is sent or the caller has
 * disconnected.
 */
export interface Following {
  received(event: OpenEvent): void;
  done(): void;
  refused(why: string): void;
}

/** Returns false if the URL is not the route of an event. */
export function answerEvent(
  request: IncomingMessage,
  response: ServerResponse,
  { answer, deny }: Answering,
  proof: string,
  { received, done, refused }: Following,
): boolean {
  const { headers, url = '' } = request;
  const route = readRoute(url);
  if (!route) return false;
  readBody(request, MOST_PAYLOAD, (body) => {
    const caller = new Presence();
    const eventRequest = readRequest(route, headers, body ?? '', caller);
    if (!eventRequest) {
      refused(NO_ENVIRONMENT);
      return sendText(response, 421, NO_ENVIRONMENT);
    }
    const reply = openReply(response, headers.accept === FRAME_TYPE ? proof : undefined, (why) => deny(eventRequest, why), done);
    if (body === undefined) return reply.failed(new Error('the payload is too large'), 413);
    response.once('close', () => response.writableEnded || caller.leave());
    received({
      abandon(why) {
        reply.failed(new Error(why), 503);
        caller.leave();
      },
    });
    const failed = (error: unknown): void => {
      if (error instanceof Misdirected) refused(error.message);
      reply.failed(error, error instanceof Misdirected ? 421 : 500);
    };
    try {
      answer(eventRequest).then(reply.answered, failed);
    } catch (error) {
      failed(error);
    }
  });
  return true;
}

/** Makes the signal on first use, because most events ask no hook. */
class Presence {
  isGone = false;
  #controller: AbortController | undefined;

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.isGone) this.#controller.abort();
    return this.#controller.signal;
  }

  leave(): void {
    this.isGone = true;
    this.#controller?.abort();
  }
}

const NO_ENVIRONMENT = 'the request does not contain the environment of the caller';

/** Hookline's clients send far less than this. Hosts that call the address themselves may send this much. */
const MOST_PAYLOAD = 64 * 1024 * 1024;

/** One literal without a spread, because this runs for every event. */
function readRequest({ host, event }: Route, headers: IncomingHttpHeaders, body: string, presence: Presence): EventRequest | undefined {
  const { cwd, root, installed, parent } = readCaller(headers);
  const read = headers['content-type'] === EVENT_TYPE ? readEvent(body) : { payload: body, env: undefined };
  return read && { host, event, payload: read.payload, cwd, root, env: read.env, installed, parent, caller: presence };
}
