/** Starts the server apart from its caller: a session of its own, none of the caller's pipes, and of its environment only the basics. */
import { spawn } from 'node:child_process';
import { DIALECTS } from '../../builtins.ts';
import { visibleEnvironment } from '../../core/values/environment.ts';
import type { HomeFolders } from '../../load/find/home.ts';
import { readSettings } from '../../load/settings/settings.ts';
import { askServer, HEALTH } from '../../server/client.ts';
import { readEndpoint, readPort, type ServeFiles } from '../../server/endpoint.ts';
import { variableOf } from '../../stores/open-store.ts';
import { type Arguments, hasFlag, optionValue } from '../arguments.ts';
import { type CommandResult, EXIT } from '../command.ts';
import { jsonDocument } from '../output.ts';
import { packageVersion } from '../version.ts';
import { stopServer } from './stop.ts';

export async function startBehind(args: Arguments, files: ServeFiles, { configFolder }: HomeFolders): Promise<CommandResult> {
  const before = readEndpoint(files);
  const say = (exit: number, document: Readonly<Record<string, unknown>>, text: string): CommandResult => ({
    exit,
    out: hasFlag(args, 'json') ? jsonDocument(document) : `${text}\n`,
  });
  const running = before && (await askServer(before, HEALTH));
  // A server of another version answers no client of this one.
  if (before && running && running['version'] !== packageVersion()) await stopServer(before, files);
  else if (before && running)
    return say(
      EXIT.negative,
      { running: true, pid: before.pid, port: before.port },
      `A server is running already (process ${before.pid}).`,
    );
  const given = ['port', 'socket', 'store', 'home'].flatMap((name) => {
    const value = optionValue(args, name);
    return value === undefined ? [] : [`--${name}=${value}`];
  });
  const line = [SMALL_HEAP, process.argv[1] as string, 'serve', `--idle=${optionValue(args, 'idle') ?? idleFor(args, files)}`, ...given];
  const env = visibleEnvironment(
    process.env,
    { policy: 'allow', names: [...CERTIFICATES, ...(await storeVariable(args, configFolder))] },
    [],
  );
  const child = spawn(process.execPath, line, { cwd: '/', env, detached: true, stdio: 'ignore' });
  let over = false;
  child.once('error', () => {
    over = true;
  });
  child.once('exit', () => {
    over = true;
  });
  for (const until = performance.now() + START_MS; performance.now() < until && !over; await pause()) {
    const endpoint = readEndpoint(files);
    if (!endpoint || endpoint.pid !== child.pid || !(await askServer(endpoint, HEALTH))) continue;
    child.unref();
    return say(
      EXIT.ok,
      { started: true, pid: endpoint.pid, port: endpoint.port },
      `Started: process ${endpoint.pid}, port ${endpoint.port}.`,
    );
  }
  child.unref();
  return say(EXIT.negative, { started: false }, 'The server did not start. `hookline serve` without --background says why.');
}

/** The variable that contains the URL of the store, if one does. */
async function storeVariable(args: Arguments, configFolder: string): Promise<string[]> {
  const ids = DIALECTS.map(({ id }) => id);
  const url = optionValue(args, 'store') ?? (await readSettings(configFolder, ids)).settings.store ?? '';
  return [variableOf(url)].filter((name) => name !== undefined);
}

/** Hooks that ask an address need them. */
const CERTIFICATES = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR'];
const IDLE_SECONDS = 1800;
const START_MS = 10_000;
/** The memory of an event is free at once, so a larger heap would only keep memory that is never returned. */
const SMALL_HEAP = '--max-semi-space-size=4';

/** Agents that call a port themselves cannot start the server, so it keeps running. */
function idleFor(args: Arguments, files: ServeFiles): number {
  return optionValue(args, 'port') === undefined && readPort(files) === undefined ? IDLE_SECONDS : 0;
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 25));
}
