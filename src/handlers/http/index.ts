/** Hooks that are HTTP endpoints: the payload is sent there, status and body come back. What a status means is the dialect's to say. */
import type { Handler } from '../../core/handler.ts';
import { tooDeep } from '../../core/nesting.ts';
import { cancelled } from '../deadline.ts';
import { follow } from './follow.ts';
import { outgoingRequest } from './request.ts';

export const httpHandler: Handler = {
  type: 'http',
  async handle(call) {
    if (call.signal?.aborted) return cancelled();
    const outgoing = tooDeep(call.nesting) ?? outgoingRequest(call);
    return 'fault' in outgoing ? outgoing : follow(outgoing, call);
  },
};
