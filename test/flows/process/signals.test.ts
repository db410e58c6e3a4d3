/** Hooks end with the process that asked them, however that process ends. Real signals go to real processes, and survivors are counted. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { AGENT_MARKERS } from '../../../src/cli/input/started-by.ts';
import { type Endpoint, readEndpoint, serveFiles } from '../../../src/server/endpoint.ts';
import { POLL, until } from '../../support/patience.ts';
import { createWorkspace, type Workspace } from '../../support/workspace.ts';

const PROGRAM = fileURLToPath(new URL('../../../bin/hookline.js', import.meta.url));
const CLIENT = fileURLToPath(new URL('../../../bin/hookline-hook', import.meta.url));
const LIBRARY = pathToFileURL(fileURLToPath(new URL('../../../dist/index.js', import.meta.url))).href;
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGKILL'] as const;
const EVENT = '{"hook_event_name":"PreToolUse","session_id":"s","cwd":"/","tool_name":"Bash","tool_input":{"command":"ls"}}';

interface Scene {
  readonly workspace: Workspace;
  /** Processes of the hook that are alive. */
  survivors(): readonly number[];
  start(file: string, args: readonly string[], stdin?: string, ownGroup?: boolean): ChildProcess;
}

let scenes = 0;

/** A gate that hangs in two processes, both with a marker in their command line. With `stubborn` they ignore TERM. */
function hanging(stubborn = false): Scene {
  const marker = `3000.${process.pid}${++scenes}${Date.now()}`;
  const script = `#!/bin/sh\n${stubborn ? "trap '' TERM\n" : ''}sh -c 'sleep ${marker}; :' ${marker}\n:\n`;
  const workspace = createWorkspace({
    '~/.config/agents/hooks/gate/HOOK.md': '---\nname: gate\ndescription: A gate.\ntrigger: before_tool\ntimeout: 600000\n---\n',
    '~/.config/agents/hooks/gate/scripts/run.sh': script,
  });
  const survivors = () => processes().flatMap(({ pid, line }) => (line.includes(marker) ? [pid] : []));
  onTestFinished(() => survivors().forEach((pid) => void kill(pid)));
  const unset = new Set(['HOOKLINE_SERVE', ...Object.keys(AGENT_MARKERS)]);
  const plain = Object.fromEntries(Object.entries(process.env).filter(([name]) => !unset.has(name)));
  return {
    workspace,
    survivors,
    start(file, args, stdin = '', detached = false) {
      const env = { ...plain, HOME: workspace.home, HOOKLINE_HOME: workspace.home };
      const child = spawn(file, args, { cwd: workspace.root, env, detached, stdio: ['pipe', 'pipe', 'pipe'] });
      child.stdin.on('error', () => {}).end(stdin);
      onTestFinished(() => void child.kill('SIGKILL'));
      return child;
    },
  };
}

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly line: string;
}

function processes(): Process[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
      const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return state === 'Z' ? [] : [{ pid: Number(name), parent: Number(parent), line: readFileSync(`/proc/${name}/cmdline`, 'latin1') }];
    } catch {
      return [];
    }
  });
}

function kill(pid: number, signal: NodeJS.Signals = 'SIGKILL'): void {
  try {
    process.kill(pid, signal);
  } catch {}
}

/** Until the hook hangs, and the watchdog of the process that asked it knows. */
async function hangs({ survivors }: Scene, asker: () => number | undefined): Promise<void> {
  await until(() => survivors().length >= 2);
  await until(() => processes().some(({ parent, line }) => parent === asker() && line.includes('hookline-watchdog')));
}

async function ended(child: ChildProcess): Promise<NodeJS.Signals | number | null> {
  const [exit, signal] =
    child.exitCode === null && child.signalCode === null ? await once(child, 'exit') : [child.exitCode, child.signalCode];
  return signal ?? exit;
}

async function serving(scene: Scene): Promise<{ readonly server: ChildProcess; readonly endpoint: Endpoint }> {
  const server = scene.start(process.execPath, [PROGRAM, 'serve']);
  const files = serveFiles(path.join(scene.workspace.home, '.local', 'state'));
  await until(() => readEndpoint(files) !== undefined);
  return { server, endpoint: readEndpoint(files) as Endpoint };
}

const FIRE = [PROGRAM, 'fire', 'tool.before', '--tool', 'Bash', '--input', '{"command":"ls"}'];
const EMBED = `
import { createHookline } from ${JSON.stringify(LIBRARY)};
const hookline = await createHookline();
await hookline.fire('tool.before', { tool: 'Bash', input: { command: 'ls' } });
`;

describe.each(SIGNALS)('%s', (signal) => {
  test.each([
    ['hookline hook', [PROGRAM, 'hook', 'claude-code', 'PreToolUse']],
    ['hookline fire', FIRE],
    ['a program that embeds the library', ['--input-type=module', '--eval', EMBED]],
  ])('%s takes its hooks with it and says nothing', async (_, args) => {
    const scene = hanging();
    const child = scene.start(process.execPath, args, EVENT);
    let output = '';
    child.stdout?.on('data', (text) => (output += text));
    await hangs(scene, () => child.pid);
    child.kill(signal);
    expect(await ended(child)).toBe(signal);
    await expect.poll(scene.survivors, POLL).toEqual([]);
    expect(output).toBe('');
  });

  test('a server takes its hooks with it, and the client asks them itself', async () => {
    const scene = hanging();
    const { server } = await serving(scene);
    const client = scene.start(CLIENT, ['claude-code', 'PreToolUse'], EVENT);
    await hangs(scene, () => server.pid);
    const before = scene.survivors();
    server.kill(signal);
    await ended(server);
    await expect.poll(() => scene.survivors().filter((pid) => before.includes(pid)), POLL).toEqual([]);
    // Its own program asks the hooks again, and ends with it.
    await until(() => scene.survivors().length >= 2);
    kill(client.pid as number);
    await expect.poll(scene.survivors, POLL).toEqual([]);
  });

  test('the client of a server takes its hooks with it', async () => {
    const scene = hanging();
    const { server } = await serving(scene);
    const client = scene.start(CLIENT, ['claude-code', 'PreToolUse'], EVENT);
    await hangs(scene, () => server.pid);
    client.kill(signal);
    await ended(client);
    await expect.poll(scene.survivors, POLL).toEqual([]);
    expect(server.exitCode).toBe(null);
  });

  test('the client without a server takes its hooks with it', async () => {
    const scene = hanging();
    const client = scene.start(CLIENT, ['claude-code', 'PreToolUse'], EVENT, true);
    await hangs(scene, () => processes().find(({ parent, line }) => parent === client.pid && line.includes('hookline.js'))?.pid);
    // A shell passes INT on to nobody: a terminal sends it to the whole group.
    kill((signal === 'SIGINT' ? -1 : 1) * (client.pid as number), signal);
    await ended(client);
    await expect.poll(scene.survivors, POLL).toEqual([]);
  });
});

test.each(['SIGTERM', 'SIGKILL'] as const)('a hook that ignores TERM does not survive the %s of its command', async (signal) => {
  const scene = hanging(true);
  const child = scene.start(process.execPath, FIRE);
  await hangs(scene, () => child.pid);
  child.kill(signal);
  expect(await ended(child)).toBe(signal);
  await expect.poll(scene.survivors, POLL).toEqual([]);
});

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('a hook that has just started ends at the %s of its command', async (signal) => {
  const scene = hanging();
  const child = scene.start(process.execPath, FIRE);
  await until(() => scene.survivors().length > 0);
  child.kill(signal);
  expect(await ended(child)).toBe(signal);
  await expect.poll(scene.survivors, POLL).toEqual([]);
});

test('a request that was sent by half does not keep a stopped server alive', async () => {
  const scene = hanging();
  const { server, endpoint } = await serving(scene);
  const connection = connect(endpoint.port, '127.0.0.1').on('error', () => {});
  await once(connection, 'connect');
  const head = `POST /v1/hook/claude-code/PreToolUse HTTP/1.1\r\nhost: 127.0.0.1:${endpoint.port}\r\nx-hookline-token: ${endpoint.token}\r\n`;
  connection.write(`${head}content-length: 1000\r\n\r\n{`);
  await new Promise((resolve) => setTimeout(resolve, 200));
  server.kill('SIGTERM');
  expect(await ended(server)).toBe(0);
  connection.destroy();
});
