/** Starts the MCP server of the tests over HTTP, and writes hooks that call its tool. */
import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import type { HookHandler } from '../../src/core/contracts/hook.ts';
import type { Json, JsonObject } from '../../src/core/values/json.ts';

export const MCP_SERVER = path.join(import.meta.dirname, 'mcp-server.mjs');

/** A handler as a loader makes it, for a server on stdio that behaves so. */
export function stdioTool(
  mode: string,
  { env = {}, input, args = [] }: { env?: JsonObject; input?: Json; args?: readonly string[] } = {},
): HookHandler {
  return toolOf(
    { transport: 'stdio', command: process.execPath, args: [MCP_SERVER, mode, ...args], env: Object.keys(env), expands: true },
    input,
    { env },
  );
}

export function httpTool(url: string, headers: JsonObject = {}): HookHandler {
  return toolOf({ transport: 'http', url, headers: Object.keys(headers), expands: true }, undefined, { headers });
}

export function toolOf(definition: JsonObject, input?: Json, aside: JsonObject = {}): HookHandler {
  return { type: 'mcp_tool', config: { server: 'scanner', tool: 'gate', ...(input !== undefined && { input }), definition }, aside };
}

/** Returns the address of a server over HTTP, and the process to end. */
export async function startHttpServer(
  mode: string,
  ...more: readonly string[]
): Promise<{ readonly url: string; readonly child: ChildProcess }> {
  const child = spawn(process.execPath, [MCP_SERVER, mode, 'http', ...more], { stdio: ['ignore', 'pipe', 'inherit'] });
  const port = await new Promise<string>((resolve, reject) => {
    child.stdout?.once('data', (chunk: Buffer) => resolve(String(chunk).trim()));
    child.once('exit', (code) => reject(new Error(`the server ended with exit code ${code}`)));
  });
  return { url: `http://127.0.0.1:${port}/mcp`, child };
}
