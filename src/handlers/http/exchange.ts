/**
 * One request and its answer. A redirect is an answer like any other; whether it is followed is for others to say.
 * Every socket is closed when the answer is there: none is kept, none outlives the exchange.
 */
import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import type { LookupFunction } from 'node:net';
import { StringDecoder } from 'node:string_decoder';
import type { Limits } from '../../core/handler.ts';
import { type Fault, fault, type Reply } from '../../core/reply.ts';
import { type Patience, startDeadline } from '../deadline.ts';
import type { OutgoingRequest } from './request.ts';

export type Send = (url: URL, options: RequestOptions) => ClientRequest;

export interface Exchanged {
  readonly answer: Reply | Fault;
  /** Where a redirect leads. */
  readonly location?: string | undefined;
}

export function exchange(
  outgoing: OutgoingRequest,
  send: Send,
  lookup: LookupFunction,
  patience: Patience,
  limits: Limits,
): Promise<Exchanged> {
  const { url, method, headers, body } = outgoing;
  return new Promise((resolve) => {
    let request: ClientRequest;
    try {
      request = send(url, { method, headers, agent: false, lookup });
    } catch (error) {
      // A header, method or path that HTTP does not permit.
      resolve({ answer: fault('network', `the request to ${url.host} can not be made: ${messageOf(error)}`) });
      return;
    }
    const settle = (answer: Reply | Fault, location?: string) => {
      deadline.cancel();
      resolve({ answer, location });
      request.destroy();
    };
    const deadline = startDeadline(patience, settle);
    request.on('error', (error) => settle(fault('network', `${url.host} could not be asked: ${messageOf(error)}`)));
    request.on('response', (response) => collect(response, limits.outputBytes, (answer) => settle(answer, response.headers.location)));
    // The last word if there was no other: the connection went away, or was turned into something that is not HTTP.
    request.on('close', () => settle(fault('network', `${url.host} ended the connection without a whole answer`)));
    request.end(body);
  });
}

function collect(response: IncomingMessage, limit: number, settle: (answer: Reply | Fault) => void): void {
  const chunks: Buffer[] = [];
  let size = 0;
  const status = response.statusCode ?? 0;
  response.on('data', (chunk: Buffer) => {
    size += chunk.length;
    chunks.push(size > limit ? chunk.subarray(0, chunk.length - (size - limit)) : chunk);
    // The rest of a body may never end: it is not waited for. The decoder keeps back a character that the cut went through.
    if (size > limit) settle({ kind: 'http', status, body: new StringDecoder('utf8').write(Buffer.concat(chunks)), cut: true });
  });
  response.on('end', () => settle({ kind: 'http', status, body: Buffer.concat(chunks).toString('utf8') }));
  // An answer that breaks off has no end; the request's close tells it.
  response.on('error', () => {});
}

/** A host with several addresses fails with one error per address and no message of its own. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return messageOf(error.errors[0]);
  return error instanceof Error ? error.message || error.name : String(error);
}
