/** `hookline serve`: the server that answers agents' events, and the commands for the one that runs. */
import { realpathSync } from 'node:fs';
import { isObject } from '../../core/values/json.ts';
import { suggest } from '../../core/values/suggest.ts';
import { type HomeFolders, resolveHome } from '../../load/find/home.ts';
import { readInstallation, recordIn } from '../../load/find/installation.ts';
import { isLater } from '../../server/authorize.ts';
import { askServer, HEALTH } from '../../server/client.ts';
import { readEndpoint, readPort, type ServeFiles, serveFiles } from '../../server/endpoint.ts';
import { answerReloads } from '../../server/reload-requests.ts';
import { startServer } from '../../server/server.ts';
import { type Arguments, hasFlag, optionValue, usageError } from '../arguments.ts';
import { type CommandResult, type CommandSpec, EXIT } from '../command.ts';
import { recordOrWarn, requirePerson } from '../input/by-a-person.ts';
import { CALLER_VARIABLES } from '../input/started-by.ts';
import { HELP_OPTION, JSON_OPTION, STORE_OPTIONS } from '../options.ts';
import { jsonDocument, write } from '../output.ts';
import { packageVersion } from '../version.ts';
import { startByHand, startOnDemand } from './on-demand.ts';
import { serveProjects } from './projects.ts';
import { STOP_SIGNAL, stopServer } from './stop.ts';

export { serveSpec as spec };

export async function run(args: Arguments): Promise<CommandResult> {
  const [action = 'start'] = args.positionals;
  const known = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
  if (!known) {
    const near = suggest(action, Object.keys(ACTIONS));
    const hint = near
      ? `Did you mean \`hookline serve ${near}\`?`
      : 'Actions: start, stop, status; `auto` and `manual` decide who starts the server.';
    throw usageError(`\`hookline serve\` has no action \`${action}\`.`, hint);
  }
  const home = optionValue(args, 'home');
  const folders = resolveHome({ home }, process.env);
  return known(args, serveFiles(folders.stateFolder), folders);
}

type Action = (args: Arguments, files: ServeFiles, folders: HomeFolders) => Promise<CommandResult>;

const ACTIONS: Readonly<Record<string, Action>> = {
  start,
  status,
  stop,
  auto: async (args, files) => {
    await switching(args, true);
    startOnDemand(files);
    return say(args, EXIT.ok, { auto: true }, 'A client that finds no server starts one from now on.');
  },
  manual: async (args, files) => {
    await switching(args, false);
    startByHand(files);
    return say(args, EXIT.ok, { auto: false }, 'Clients no longer start a server. A running one continues until `hookline serve stop`.');
  },
};

async function start(args: Arguments, files: ServeFiles, folders: HomeFolders): Promise<CommandResult> {
  const port = readNumber(args, 'port', 65_535) ?? readPort(files);
  const idle = readNumber(args, 'idle', 1_000_000_000);
  const socket = optionValue(args, 'socket');
  if (hasFlag(args, 'background')) {
    const { startBehind } = await import('./start-detached.ts');
    return startBehind(args, files, folders);
  }
  forgetCaller();
  const projects = serveProjects(args, folders);
  const version = packageVersion();
  const server = await startServer({
    files,
    ...(socket !== undefined && { socket }),
    ...(port !== undefined && { port }),
    idleMs: (idle ?? 0) * 1000,
    version,
    isOutdated: () => [packageVersion(), installedVersion(folders)].some((found) => isLater(found, version)),
    program: realpathSync(process.argv[1] as string),
    answer: projects.answer,
    deny: projects.deny,
  }).catch((error: unknown) => {
    throw portTaken(error, port) ?? error;
  });
  if ('running' in server) {
    const { pid, port: theirs } = server.running;
    return say(args, EXIT.negative, { running: true, pid, port: theirs }, `A server is running already (process ${pid}, port ${theirs}).`);
  }
  const { endpoint } = server;
  const where = `Listening on http://127.0.0.1:${endpoint.port} and ${endpoint.socket}. Ctrl-C stops it.\n`;
  await write(1, hasFlag(args, 'json') ? jsonDocument({ pid: endpoint.pid, port: endpoint.port, socket: endpoint.socket }) : where);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => void server.stop(`it got ${signal}`, SIGNAL_MS));
  process.once(STOP_SIGNAL, () => void server.stop('it was told to stop'));
  const reloads = answerReloads(files, projects.reload);
  const why = await server.stopped;
  reloads.close();
  await projects.close();
  return { exit: EXIT.ok, ...(!hasFlag(args, 'json') && { out: `Stopped: ${why}.\n` }) };
}

/** The version that was installed last for this home. */
function installedVersion({ home }: HomeFolders): string {
  try {
    return readInstallation(recordIn(home), process.env)?.version ?? '';
  } catch {
    return '';
  }
}

/** How long a server that gets a signal continues with its events. */
const SIGNAL_MS = 1000;

async function status(args: Arguments, files: ServeFiles): Promise<CommandResult> {
  const endpoint = readEndpoint(files);
  const health = endpoint && (await askServer(endpoint, HEALTH));
  if (!health) return say(args, EXIT.negative, { running: false }, 'No server is running.');
  const { pid, port, version, events, seconds, rssMb, refused } = health;
  const text = `Running: process ${pid}, port ${port}, version ${version}; ${events} events in ${seconds} s, ${rssMb} MB.`;
  return say(args, EXIT.ok, { running: true, ...health }, [text, ...refusals(refused)].join('\n'));
}

/** Refused calls, each with its reason. The client of such a call has asked the hooks itself, which takes longer. */
function refusals(refused: unknown): string[] {
  const rows = Array.isArray(refused) ? refused.filter(isObject) : [];
  return rows.map(({ why, times }) => `  refused ${times}×: ${why}`);
}

async function stop(args: Arguments, files: ServeFiles): Promise<CommandResult> {
  const endpoint = readEndpoint(files);
  const running = endpoint && (await askServer(endpoint, HEALTH));
  if (!running) return say(args, EXIT.negative, { stopped: false }, 'No server is running.');
  const act = { kind: 'server.stopped', weight: 'installing', does: 'stop the server', data: { pid: endpoint.pid } } as const;
  const permitted = await requirePerson(args, act);
  if (!(await stopServer(endpoint, files))) return say(args, EXIT.negative, { stopped: false }, 'The server does not stop.');
  const err = await recordOrWarn(permitted.record('The server was stopped.'));
  return { ...say(args, EXIT.ok, { stopped: true, pid: endpoint.pid }, 'Stopped.'), ...(err !== undefined && { err: `${err}\n` }) };
}

/** Whether clients start a server is a setting, so a person changes it. */
async function switching(args: Arguments, auto: boolean): Promise<void> {
  const data = { setting: 'serve', auto };
  const permitted = await requirePerson(args, {
    kind: 'settings.changed',
    weight: 'installing',
    does: 'decide who starts the server',
    data,
  });
  const warning = await recordOrWarn(permitted.record(`Clients ${auto ? 'start' : 'no longer start'} a server.`));
  if (warning !== undefined) await write(2, `${warning}\n`);
}

function say(args: Arguments, exit: number, document: Readonly<Record<string, unknown>>, text: string): CommandResult {
  return { exit, out: hasFlag(args, 'json') ? jsonDocument(document) : `${text}\n` };
}

/** Removes the caller's variables: a server answers for all projects, so the hook that started it must not affect others. */
function forgetCaller(): void {
  for (const name of [...CALLER_VARIABLES, 'HOOKLINE_DEPTH', 'HOOKLINE_HOOKS']) delete process.env[name];
}

function readNumber(args: Arguments, name: string, most: number): number | undefined {
  const written = optionValue(args, name);
  if (written === undefined) return undefined;
  if (/^\d{1,10}$/.test(written) && Number(written) <= most) return Number(written);
  throw usageError(`\`--${name}\` must be a whole number up to ${most}, not \`${written}\`.`, `Write \`--${name} 4680\`.`);
}

function portTaken(error: unknown, port: number | undefined): Error | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code !== 'EADDRINUSE' && code !== 'EACCES') return undefined;
  return usageError(`Port ${port ?? 0} is not available (${code}).`, 'Another program listens there. Name another port with `--port`.');
}

/** `hookline serve` as data. */
export const serveSpec: CommandSpec = {
  name: 'serve',
  summary: "Answer agents' events from a process that stays, instead of starting one for each.",
  takes: '[status|stop|auto|manual]',
  words: { min: 0, max: 1, missing: '' },
  options: [
    {
      name: 'port',
      value: 'N',
      help: 'Port on 127.0.0.1. Default: the one of `install --via http`, otherwise any free port.',
    },
    { name: 'socket', value: 'PATH', help: "Unix socket. Default: one in the user's state folder." },
    {
      name: 'idle',
      value: 'SECONDS',
      help: 'Stop after this time without a request; 0: never. Default: 0; in the background 1800, unless agents call its port.',
    },
    { name: 'background', help: 'Start the server in the background and return.' },
    ...STORE_OPTIONS,
    JSON_OPTION,
    HELP_OPTION,
  ],
  notes: [
    'Clients find it by themselves: `bin/hookline-hook HOST [EVENT]` asks it and costs a fraction of `hookline hook`. If the server does not run, does not answer or has another version, the client works without it and gives the same answer.',
    '`auto`: from now on a client that finds no server starts one in the background. `manual` takes that back. `status` and `stop` are about the one that runs; there is one for each user.',
    'It listens on 127.0.0.1 alone, wants a token that only you can read, and refuses pages in a browser. Hooks of each project are loaded when it first asks, and again when their files change. Exit code 1: one is running already, or none is.',
  ],
  examples: [
    { does: 'Let clients start it when it is needed', line: 'hookline serve auto' },
    { does: 'In a terminal, to look at it', line: 'hookline serve' },
    { does: 'For agents that call an address', line: 'hookline serve --port 4680 --background' },
    { does: 'Is it running?', line: 'hookline serve status' },
  ],
};
