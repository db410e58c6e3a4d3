/** Connects the official client of MCP to the built program, as an agent that has no hooks does. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { onTestFinished } from 'vitest';
import { LONG_MS } from '../../support/patience.ts';
import type { Workspace } from '../../support/workspace.ts';
import { AGENT } from '../cli/program.ts';

export const BIN = fileURLToPath(new URL('../../../bin/hookline.js', import.meta.url));
export const TOOL_SERVER = fileURLToPath(new URL('tool-server.mjs', import.meta.url));

export interface Connected {
  readonly client: Client;
  /** Everything that the program wrote on stderr. */
  stderr(): string;
  /** Calls a tool and returns its result with the texts of its content joined. */
  call(name: string, input?: Record<string, unknown>): Promise<{ readonly isError: boolean; readonly text: string }>;
  /** Resolves when the program has closed its end. */
  readonly closed: Promise<void>;
}

export interface ConnectOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** The version of the protocol that the client speaks. Default: the one with a handshake. */
  readonly era?: 'legacy' | 'auto';
  /** Prepares the client before it connects. */
  readonly prepare?: (client: Client) => void;
  readonly capabilities?: Record<string, object>;
  /** Whether this process starts the program itself, and so counts as an agent. Otherwise an agent of its own does. */
  readonly isAgent?: boolean;
}

export async function connect({ root, home }: Workspace, argv: readonly string[], options: ConnectOptions = {}): Promise<Connected> {
  const { env = {}, era = 'legacy', prepare, capabilities = {}, isAgent = false } = options;
  const transport = new StdioClientTransport({
    ...(isAgent ? { command: process.execPath, args: [BIN, ...argv] } : { command: 'sh', args: [AGENT, process.execPath, BIN, ...argv] }),
    ...{ cwd: root, stderr: 'pipe' },
    env: { PATH: process.env['PATH'] ?? '', HOME: home, HOOKLINE_HOME: home, ...env },
  });
  let said = '';
  transport.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const client = new Client({ name: 'test', version: '1' }, { capabilities, versionNegotiation: { mode: era } });
  prepare?.(client);
  const closed = new Promise<void>((resolve) => {
    client.onclose = () => resolve();
  });
  await client.connect(transport, { timeout: LONG_MS });
  onTestFinished(() => client.close());
  return {
    client,
    stderr: () => said,
    closed,
    async call(name, input = {}) {
      const { content, isError = false } = await client.callTool({ name, arguments: input }, { timeout: LONG_MS });
      return { isError, text: content.map((item) => ('text' in item ? item.text : item.type)).join('\n') };
    },
  };
}

/** Connects through the proxy to the server of these tests, or to another command. */
export function connectProxy(
  workspace: Workspace,
  options: ConnectOptions & { readonly command?: readonly string[]; readonly proxy?: readonly string[] } = {},
): Promise<Connected> {
  const { command = [process.execPath, TOOL_SERVER], proxy = [], ...rest } = options;
  const env = { RAN_FILE: path.join(workspace.home, 'ran'), ...rest.env };
  return connect(workspace, ['mcp', 'proxy', '--trust-all', '--name', 'tools', ...proxy, '--', ...command], { ...rest, env });
}
