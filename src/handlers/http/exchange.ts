/** Sends a request and follows the redirects it meets, within one time limit. Every place on the way is judged before anything is sent there. */
import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import type { LookupFunction } from 'node:net';
import { StringDecoder } from 'node:string_decoder';
import type { Call, Limits } from '../../core/contracts/handler.ts';
import { type Fault, fault, isFault, type Reply } from '../../core/decision/reply.ts';
import { type CallLimits, startDeadline, timedOut } from '../kit/deadline.ts';
import { destinations } from './destination.ts';
import type { OutgoingRequest } from './request.ts';

export type Send = (url: URL, options: RequestOptions) => ClientRequest;

export interface Exchanged {
  readonly answer: Reply | Fault;
  /** Where a redirect leads. */
  readonly location?: string | undefined;
}

/**
 * Sends one request and returns its answer. A redirect is an answer like any other; `follow` decides whether it is followed. Every socket is closed
 * when the answer is there: none is kept, none outlives the exchange.
 */
export function exchange(
  outgoing: OutgoingRequest,
  send: Send,
  lookup: LookupFunction,
  patience: CallLimits,
  limits: Limits,
): Promise<Exchanged> {
  const { url, method, headers, body } = outgoing;
  return new Promise((resolve) => {
    let request: ClientRequest;
    try {
      request = send(url, { method, headers, agent: false, lookup });
    } catch (error) {
      // A header, method or path that HTTP does not permit.
      resolve({ answer: fault('network', `the request to ${url.host} cannot be made: ${messageOf(error)}`) });
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
    // The result if there was no other: the connection was lost, or is no longer HTTP.
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

export function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}

/** Returns the next request after a redirect, or why there is none. Nothing of the hook's own is sent to another host. */
export function redirected(from: OutgoingRequest, status: number, location: string): OutgoingRequest | Fault {
  if (!URL.canParse(location, from.url.href)) return refuse(from, 'to something that is no URL');
  const url = new URL(location, from.url);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return refuse(from, `to a ${url.protocol} URL`);
  if (from.url.protocol === 'https:' && url.protocol === 'http:') return refuse(from, `from https to http (${url.host})`);
  const isSameOrigin = url.origin === from.url.origin;
  if (from.body === undefined) return { ...from, url, headers: isSameOrigin ? from.headers : from.ours };
  // The event was meant for one host, and to be sent there by the method the hook names.
  if (!isSameOrigin) return refuse(from, `to ${url.origin}: the event is not sent to another origin`);
  if (status !== 307 && status !== 308) return refuse(from, `with status ${status}: the event is sent again on 307 and 308 only`);
  return { ...from, url };
}

function refuse({ url }: OutgoingRequest, how: string): Fault {
  return fault('network', `${url.host} redirects ${how}; give the hook the URL it should ask`);
}

export async function follow(first: OutgoingRequest, call: Call): Promise<Reply | Fault> {
  const { redirects } = call.ask.http;
  const places = destinations(call.permits.allowAddresses);
  const end = performance.now() + call.timeoutMs;
  let outgoing = first;
  for (let hop = 0; ; hop++) {
    const refused = places.check(outgoing.url);
    if (refused) return refused;
    // Loaded when the first endpoint is asked: a process with command hooks only does not pay for an HTTP client.
    const { request } = outgoing.url.protocol === 'https:' ? await import('node:https') : await import('node:http');
    const patience = { timeoutMs: Math.max(end - performance.now(), 0), signal: call.signal };
    const { answer, location } = await exchange(outgoing, request, places.lookup, patience, call.limits);
    if (isFault(answer)) return answer.fault === 'timeout' ? timedOut(call.timeoutMs) : answer;
    if (redirects === 0 || location === undefined || answer.kind !== 'http' || !isRedirect(answer.status)) return answer;
    if (hop === redirects) return fault('network', `${first.url.host} redirects more than ${redirects} times`);
    const next = redirected(outgoing, answer.status, location);
    if ('fault' in next) return next;
    outgoing = next;
  }
}
