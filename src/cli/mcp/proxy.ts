/** `hookline mcp proxy`: starts a server of MCP and stands before it, so that hooks judge the tools of an agent that has no hooks. */
import { randomUUID } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { sha256 } from '../../api/clock.ts';
import { createHookline } from '../../api/create-hookline.ts';
import { resolveHome } from '../../load/find/home.ts';
import { projectRoot } from '../../load/find/project-root.ts';
import { readLines } from '../../mcp/proxy/json-rpc.ts';
import { openPins, pinnedServer } from '../../mcp/proxy/pins.ts';
import { createProxy, type RunningProxy } from '../../mcp/proxy/proxy.ts';
import { nameOf, serverNameOf } from '../../mcp/proxy/server-name.ts';
import { type ServerProcess, startServer } from '../../mcp/proxy/server-process.ts';
import { createAskers } from '../../people/askers.ts';
import { type Arguments, hasFlag, optionValue, usageError } from '../arguments.ts';
import { CommandError, type CommandResult, EXIT } from '../command.ts';
import { engineOptions, readRoot } from '../engine-options.ts';
import { PROJECT_VARIABLES } from '../input/started-by.ts';
import { write } from '../output.ts';
import { harmless } from '../print/text.ts';

export async function runProxy(args: Arguments, command: readonly string[]): Promise<CommandResult> {
  if (command.length === 0)
    throw usageError('The command of the server is missing.', 'Write it after `--`: `hookline mcp proxy -- npx -y some-mcp-server`.');
  const name = readName(args, command);
  const root = projectOf(args);
  const { stateFolder } = resolveHome({ home: optionValue(args, 'home') }, process.env);
  const note = (text: string): void => void write(2, `hookline mcp proxy (${name}): ${harmless(text)}\n`);
  const hookline = await createHookline({ ...engineOptions(args, root), watch: true });
  if (!hasFlag(args, 'no-guard')) hookline.on('tool.before', 'hookline guard', { name: 'guard' });
  // The agent that starts the proxy asks the hooks, so it may not approve what they hold.
  createAskers(stateFolder)(process.ppid);
  const server = pinnedServer(root, command, name, sha256);
  let proxy: RunningProxy | undefined;
  const child = await startServer({ command, cwd: process.cwd(), take: (line) => proxy?.fromServer(line) }).catch(
    async (error: unknown) => {
      await hookline.close(0);
      throw notStarted(command, error);
    },
  );
  proxy = createProxy({
    ...{ hookline, pins: openPins(stateFolder), server, hash: sha256, now: () => new Date().toISOString(), note },
    ...{ session: optionValue(args, 'session') ?? `mcp-${randomUUID()}`, cwd: process.cwd(), ownName: `hookline-${randomUUID()}` },
    toClient: (text) => void process.stdout.write(`${text}\n`),
    toServer: child.send,
  });
  const why = await untilEnd(proxy, child);
  await proxy.settled();
  await hookline.close(CLOSE_MS);
  return why === undefined ? { exit: EXIT.ok } : { exit: EXIT.negative, err: `hookline mcp proxy (${name}): ${why}\n` };
}

/** Resolves when the client has left, with undefined, or when the server has ended by itself, with a sentence about it. */
async function untilEnd(proxy: RunningProxy, child: ServerProcess): Promise<string | undefined> {
  const left = new Promise<undefined>((resolve) => {
    const leave = (): void => resolve(undefined);
    // A client that is gone reads no answer.
    process.stdout.on('error', leave);
    process.stdin.once('end', leave).once('close', leave).once('error', leave);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, leave);
    readLines(process.stdin, proxy.fromClient, leave);
  });
  const why = await Promise.race([left, child.ended]);
  if (why === undefined) {
    proxy.clientGone();
    await child.stop();
  }
  proxy.serverGone(why ?? 'The client has left.');
  process.stdin.destroy();
  return why;
}

/** How long hooks that still run may take when the proxy ends. */
const CLOSE_MS = 5000;

/** The project is found as for `hookline hook`: by the agent's variables, else by the repository of the working directory. */
export function projectOf(args: Arguments): string {
  if (optionValue(args, 'root') !== undefined) return realpathSync.native(readRoot(args));
  const { home } = resolveHome({ home: optionValue(args, 'home') }, process.env);
  return projectRoot(realpathSync.native(process.cwd()), process.env, PROJECT_VARIABLES, home);
}

function readName(args: Arguments, command: readonly string[]): string {
  const given = optionValue(args, 'name');
  if (given === undefined) return serverNameOf(command);
  if (given !== '' && nameOf(given) === given) return given;
  throw usageError(`\`--name ${given}\` is not a name.`, 'Use letters, digits, `-` and `_`.');
}

function notStarted([program = '']: readonly string[], error: unknown): Error {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const why = code === 'ENOENT' ? 'there is no such program' : code === 'EACCES' ? 'it may not be executed' : String(error);
  const message = `The MCP server \`${program}\` cannot be started: ${why}.`;
  return new CommandError({
    exit: EXIT.config,
    code: 'not-found',
    message,
    hint: 'Check the command after `--`, and the PATH of the agent.',
  });
}
