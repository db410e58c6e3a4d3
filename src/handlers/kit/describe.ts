/** Descriptions of handlers that are loaded on demand: an audit needs them, and must not load the handler for it. */

import type { Handler } from '../../core/contracts/handler.ts';
import { textOf } from '../../core/values/json.ts';

export const COMMAND: Pick<Handler, 'type' | 'inFiles' | 'describe'> = {
  type: 'command',
  inFiles: false,
  describe(config) {
    const [command, script] = [textOf(config['command']), textOf(config['script'])];
    return { does: 'run', ...(command !== undefined && { command }), ...(script !== undefined && { script }) };
  },
};

export const HTTP: Pick<Handler, 'type' | 'inFiles' | 'describe'> = {
  type: 'http',
  inFiles: false,
  describe(config) {
    const url = textOf(config['url']);
    return { does: 'request', ...(url !== undefined && { url }), why: "The server's answer is known only when it is asked." };
  },
};

export function unknownType(type: string): string {
  return `Hookline cannot tell what a handler of type \`${type}\` does.`;
}
