/** The name of a guarded server, and the name of its tools as hooks see them. */
import { PLAIN_MCP } from '../../core/event/tool-names.ts';

/**
 * Returns a name from the command that starts the server: `filesystem` for `npx -y @modelcontextprotocol/server-filesystem /data`. The server's
 * own name does not count, because a server that changes it would leave the hooks that match it.
 */
export function serverNameOf(command: readonly string[]): string {
  const [program = '', ...rest] = command;
  const words = RUNNERS.has(baseOf(program)) ? rest.filter((word) => !word.startsWith('-') && !SUBCOMMANDS.has(word)) : [program];
  const bare = baseOf(words[0] ?? program)
    .replace(/\.[cm]?[jt]s$|\.py$|\.exe$/i, '')
    .replace(/(?<=.)@[^@]*$/, '');
  const short = bare.replace(/^(?:mcp-server-|server-|mcp-)(?=.)/i, '').replace(/(?<=.)(?:-mcp-server|-mcp|-server)$/i, '');
  return nameOf(short) || 'server';
}

/** Programs that run another one, which their first argument names. */
const RUNNERS: ReadonlySet<string> = new Set([
  'npx',
  'bunx',
  'pnpm',
  'yarn',
  'node',
  'bun',
  'deno',
  'uvx',
  'uv',
  'python',
  'python3',
  'tsx',
]);
const SUBCOMMANDS: ReadonlySet<string> = new Set(['dlx', 'exec', 'run', 'x']);

/** Returns the text with the characters alone that agents permit in the name of a server. */
export function nameOf(text: string): string {
  return text.replace(/[^A-Za-z0-9_-]+/g, '-').replace(/^-+|-+$/g, '');
}

export function toolNameOf(server: string, tool: string): string {
  return `${PLAIN_MCP.prefix}${server}${PLAIN_MCP.between}${tool}`;
}

function baseOf(word: string): string {
  return word.slice(Math.max(word.lastIndexOf('/'), word.lastIndexOf('\\')) + 1);
}
