/** Descriptions of handlers that are loaded on demand: an audit needs them, and must not load the handler for it. */

import type { Handler } from '../../core/contracts/handler.ts';
import { isObject, type JsonObject, textOf } from '../../core/values/json.ts';

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

export const WORKER: Pick<Handler, 'type' | 'inFiles' | 'describe'> = {
  type: 'worker',
  inFiles: false,
  describe(config) {
    const script = textOf(config['script']);
    return { does: 'run', ...(script !== undefined && { script }) };
  },
};

export const MCP_TOOL: Pick<Handler, 'type' | 'inFiles' | 'describe'> = {
  type: 'mcp_tool',
  inFiles: false,
  describe(config) {
    const definition = isObject(config['definition']) ? config['definition'] : {};
    const [command, url] = [textOf(definition['command']), textOf(definition['url'])];
    if (definition['transport'] === 'stdio' && command !== undefined) return { does: 'run', command: serverLine(definition, command) };
    const why = "The answer of the MCP server's tool is known only when it is called.";
    return url === undefined ? { does: 'ask', why } : { does: 'request', url, why };
  },
};

/** The process of a server as a shell would start it. */
function serverLine({ args, cwd, expands }: JsonObject, command: string): string {
  const words = [command, ...(Array.isArray(args) ? args.map(String) : [])].map((word) => quoted(word, expands === true));
  return `${typeof cwd === 'string' ? `cd ${quoted(cwd, false)} && ` : ''}${words.join(' ')}`;
}

/** Variables are left to the shell, which reads `${NAME}` and `${NAME:-default}` as the definition means them. */
function quoted(word: string, expands: boolean): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  if (!expands || !/\$\{[A-Za-z_]/.test(word)) return `'${word.replaceAll("'", `'\\''`)}'`;
  const escaped = word.replace(/["\\`]|\$(?!\{[A-Za-z_]\w*(?::-[^}]*)?\})/g, '\\$&');
  return `"${escaped}"`;
}

export function unknownType(type: string): string {
  return `Hookline cannot tell what a handler of type \`${type}\` does.`;
}
