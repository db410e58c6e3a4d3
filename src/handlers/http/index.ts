/** Hooks that are HTTP endpoints: the payload is sent there, status and body come back. What a status means is the dialect's to say. */
import type { Handler } from '../../core/handler.ts';
import { cancelled } from '../deadline.ts';
import { exchange } from './exchange.ts';
import { outgoingRequest } from './request.ts';

export const httpHandler: Handler = {
  type: 'http',
  async handle(call) {
    if (call.signal?.aborted) return cancelled();
    const outgoing = outgoingRequest(call);
    if ('fault' in outgoing) return outgoing;
    // Loaded when the first endpoint is asked: whoever has command hooks only does not pay for an HTTP client.
    const { request } = outgoing.url.protocol === 'https:' ? await import('node:https') : await import('node:http');
    return exchange(outgoing, request, call, call.limits);
  },
};
