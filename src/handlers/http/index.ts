/** Hooks that are HTTP endpoints: the payload is sent there, status and body come back. The dialect decides what a status means. */
import type { Handler } from '../../core/contracts/handler.ts';
import { tooDeep } from '../../core/contracts/nesting.ts';
import { cancelled } from '../kit/deadline.ts';
import { HTTP } from '../kit/describe.ts';
import { follow } from './exchange.ts';
import { outgoingRequest } from './request.ts';

export const httpHandler: Handler = {
  ...HTTP,
  async handle(call) {
    if (call.signal?.aborted) return cancelled();
    const outgoing = tooDeep(call.nesting) ?? outgoingRequest(call);
    return 'fault' in outgoing ? outgoing : follow(outgoing, call);
  },
};
