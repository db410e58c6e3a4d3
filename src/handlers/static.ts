/** A hook whose answer is written in its file: nothing is asked, the reply is the configuration's `reply`. */
import type { Handler } from '../core/contracts/handler.ts';

export const staticHandler: Handler = {
  type: 'static',
  inFiles: false,
  describe: () => ({ does: 'reply' }),
  handle(call) {
    return { kind: 'value', value: call.hook.handler.config['reply'] };
  },
};
