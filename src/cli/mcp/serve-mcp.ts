/** Serves the hooks of a project over MCP: on stdin and stdout until the client leaves, or over HTTP until a signal. */
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { resolveHome } from '../../load/find/home.ts';
import { PATH, serveHttp } from '../../mcp/server/http.ts';
import { loadSdk } from '../../mcp/server/load-sdk.ts';
import { createServer, type ServerParts } from '../../mcp/server/server.ts';
import { makeFolder, newSecret } from '../../server/endpoint.ts';
import { type Arguments, hasFlag, optionValue, usageError } from '../arguments.ts';
import { type CommandResult, EXIT } from '../command.ts';
import { jsonDocument, write } from '../output.ts';
import { harmless } from '../print/text.ts';
import { packageVersion } from '../version.ts';
import { createDesk, hookFiles } from './desk.ts';
import { formatFacts, formatPages, formatSchemas } from './formats.ts';
import { projectOf } from './proxy.ts';

export async function serveMcp(args: Arguments): Promise<CommandResult> {
  const port = readPort(args);
  const { configFolder, stateFolder } = resolveHome({ home: optionValue(args, 'home') }, process.env);
  const root = projectOf(args);
  const sdk = loadSdk(configFolder);
  const formats = formatFacts();
  const pages = formatPages(formats);
  const parts: ServerParts = {
    ...{ sdk, formats, version: packageVersion(), desk: createDesk(args, root), page: pages.page },
    resources: [hookFiles(args, root), pages, formatSchemas()],
  };
  return hasFlag(args, 'http') ? overHttp(args, parts, port, stateFolder) : overStdio(parts);
}

/** Ends when the client closes stdin. */
async function overStdio(parts: ServerParts): Promise<CommandResult> {
  const { serveStdio } = parts.sdk.stdio;
  const handle = serveStdio(() => createServer(parts), { onerror: ({ message }) => void write(2, `hookline mcp: ${harmless(message)}\n`) });
  await new Promise<void>((resolve) => {
    process.stdin.once('end', resolve).once('close', resolve);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
  });
  await handle.close();
  process.stdin.destroy();
  return { exit: EXIT.ok };
}

async function overHttp(args: Arguments, parts: ServerParts, port: number, stateFolder: string): Promise<CommandResult> {
  const token = newSecret();
  const handler = parts.sdk.server.createMcpHandler(() => createServer(parts));
  const server = await serveHttp({ handler, token, version: parts.version, port }).catch((error: unknown) => {
    throw portTaken(error, port) ?? error;
  });
  const url = `http://127.0.0.1:${server.port}${PATH}`;
  // The token is in a file that the user alone can read, because a terminal is copied into reports.
  const folder = path.join(stateFolder, 'hookline', 'mcp');
  makeFolder(folder);
  const file = path.join(folder, `token.${server.port}`);
  rmSync(file, { force: true });
  writeFileSync(file, `${token}\n`, { mode: 0o600, flag: 'wx' });
  const told = hasFlag(args, 'json')
    ? jsonDocument({ url, tokenFile: file, pid: process.pid })
    : `Listening on ${url}. The bearer token is in ${file}. Ctrl-C stops it.\n`;
  await write(1, told);
  const why = await new Promise<string>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve(signal));
  });
  rmSync(file, { force: true });
  await server.stop(STOP_MS);
  return { exit: EXIT.ok, ...(!hasFlag(args, 'json') && { out: `Stopped: it got ${why}.\n` }) };
}

/** How long requests that are being answered may take after a signal. */
const STOP_MS = 3000;

function readPort(args: Arguments): number {
  const written = optionValue(args, 'port');
  if (written === undefined) return 0;
  if (!hasFlag(args, 'http')) throw usageError('`--port` needs `--http`.', 'Write `hookline mcp --http --port 4690`.');
  if (/^\d{1,5}$/.test(written) && Number(written) <= 65_535) return Number(written);
  throw usageError(`\`--port\` must be a whole number up to 65535, not \`${written}\`.`, 'Write `--port 4690`.');
}

function portTaken(error: unknown, port: number): Error | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code !== 'EADDRINUSE' && code !== 'EACCES') return undefined;
  return usageError(`Port ${port} is not available (${code}).`, 'Another program listens there. Name another port with `--port`.');
}
