/** Hooks that are functions of this process. A function that answers at once is answered for at once, with no promise between. */
import type { Handler } from '../../core/handler.ts';
import { fault } from '../../core/reply.ts';
import { awaited, threw } from '../awaited.ts';
import { cancelled } from '../deadline.ts';
import { FunctionContext } from './context.ts';

export { customHandler } from './custom-handler.ts';

export const functionHandler: Handler = {
  type: 'function',
  handle(call) {
    const { hook } = call;
    if (hook.run === undefined) return fault('unavailable', `hook '${hook.name}' has no function to call`);
    if (call.signal?.aborted) return cancelled();
    const context = new FunctionContext(hook);
    try {
      return awaited(hook.run(call.payload, context), call, (why) => context.abort(new Error(why.detail)));
    } catch (error) {
      return threw(error);
    }
  },
};
