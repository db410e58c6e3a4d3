/** A request and the redirects it meets, within one time limit. Every place on the way is judged before anything is sent there. */
import type { Call } from '../../core/handler.ts';
import { type Fault, fault, isFault, type Reply } from '../../core/reply.ts';
import { timedOut } from '../deadline.ts';
import { destinations } from './destination.ts';
import { exchange } from './exchange.ts';
import { isRedirect, redirected } from './redirect.ts';
import type { OutgoingRequest } from './request.ts';

export async function follow(first: OutgoingRequest, call: Call): Promise<Reply | Fault> {
  const { redirects } = call.ask.http;
  const places = destinations(call.permits.allowAddresses);
  const end = performance.now() + call.timeoutMs;
  let outgoing = first;
  for (let hop = 0; ; hop++) {
    const refused = places.check(outgoing.url);
    if (refused) return refused;
    // Loaded when the first endpoint is asked: whoever has command hooks only does not pay for an HTTP client.
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
