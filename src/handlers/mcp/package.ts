/**
 * The official client of MCP, an optional peer. It is loaded from the place of Hookline itself or from a folder of the user, and never from the
 * project: a project must not choose the code that runs in Hookline's own process.
 */
import { join } from 'node:path';
import { type Fault, fault } from '../../core/decision/reply.ts';
import type { McpClientClass } from './index.ts';

export interface ClientPackage {
  readonly Client: McpClientClass;
  readonly StreamableHTTPClientTransport: new (url: URL, options: object) => HttpTransport;
}

export interface HttpTransport {
  terminateSession(): Promise<void>;
}

const NAME = '@modelcontextprotocol/client';

export async function loadClient(userFolder: string | undefined): Promise<ClientPackage | Fault> {
  const found = (await imported(NAME)) ?? (userFolder === undefined ? undefined : requiredFrom(userFolder));
  if (found && typeof found.Client === 'function' && typeof found.StreamableHTTPClientTransport === 'function') return found;
  const where = userFolder === undefined ? '' : `, or run \`npm install --prefix ${userFolder} ${NAME}@2\``;
  const how = `Run \`npm install ${NAME}@2\` where Hookline is installed${where}`;
  return fault('unavailable', `the package ${NAME} 2 is needed to ask an MCP server, and cannot be loaded. ${how}`);
}

/** The comments keep bundlers from following the import. */
async function imported(name: string): Promise<ClientPackage | undefined> {
  try {
    return await import(/* webpackIgnore: true */ /* turbopackIgnore: true */ /* @vite-ignore */ name);
  } catch {
    // Not installed, or a version that this Node cannot load.
    return undefined;
  }
}

/** By `require`, which the program and the library both have for a path that is known only now, and which no bundler tries to follow this way. */
function requiredFrom(folder: string): ClientPackage | undefined {
  try {
    return process.getBuiltinModule('node:module').createRequire(join(folder, 'package.json'))(NAME) as ClientPackage;
  } catch {
    return undefined;
  }
}
