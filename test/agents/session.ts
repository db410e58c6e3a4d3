/** A session of a real agent with a model on loopback, in a project whose hooks Hookline asks. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { hookline } from '../flows/cli/program.ts';
import { createWorkspace, permitScripts, type Workspace } from '../support/workspace.ts';
import type { Agent } from './agent.ts';
import { installAgent } from './install-agents.ts';
import { type MockModel, startModel } from './model/server.ts';
import type { Turn } from './model/turn.ts';
import { PROJECT } from './project.ts';

/** Agents start slowly, and some wait for a network that is not there. */
const LIMIT_MS = 120_000;

export interface Session {
  /** What the model was told in each request. */
  readonly heard: readonly string[];
  readonly exit: number | null;
  readonly output: string;
  /** Whether something in the project is there now. */
  has(name: string): boolean;
  readonly workspace: Workspace;
}

export interface SessionOptions {
  readonly files?: Readonly<Record<string, string>>;
  /** The project is below this folder of the workspace. */
  readonly folder?: string;
  /** After the installation, before the agent is started. */
  readonly before?: (workspace: Workspace) => Promise<void> | void;
  readonly install?: readonly string[];
  /** When the agent is done, while the model still listens. */
  readonly after?: (workspace: Workspace) => Promise<void> | void;
  /** Without Hookline and its project: what the agent makes of its own hooks. */
  readonly alone?: true;
}

/** To be called within a test. */
export async function runSession(agent: Agent, turns: readonly Turn[], options: SessionOptions = {}): Promise<Session> {
  const workspace = placed(createWorkspace(), options.folder);
  workspace.write({ ...(!options.alone && PROJECT), ...options.files });
  const model = await startModel(turns);
  agent.prepare?.(workspace, model);
  if (!options.alone) {
    await ours(permitScripts(workspace), ['trust', 'add', '--yes']);
    await ours(workspace, ['install', agent.id, ...(options.install ?? [])]);
  }
  await options.before?.(workspace);
  const { exit, output } = await work(agent, workspace, model);
  await options.after?.(workspace);
  return {
    heard: model.heard(),
    exit,
    output: `${output}\n${model.others().join('\n')}`,
    has: (name) => existsSync(workspace.at(name)),
    workspace,
  };
}

/** The home of a person whose name has a space and a quote, and a project below a folder of the workspace. */
function placed(workspace: Workspace, folder = ''): Workspace {
  const place = (name: string): string => (name.startsWith('~/') ? `~/Ann's home/${name.slice(2)}` : path.join(folder, name));
  const [root, home] = [workspace.at(folder), workspace.at(place('~/'))];
  for (const at of [root, home]) mkdirSync(at, { recursive: true });
  return {
    ...workspace,
    root,
    home: path.resolve(home),
    at: (name) => workspace.at(place(name)),
    write: (files) => workspace.write(Object.fromEntries(Object.entries(files).map(([name, content]) => [place(name), content]))),
    remove: (name) => workspace.remove(place(name)),
  };
}

/** Whether Hookline lets the call run, by the hooks of this workspace. */
export async function mayRun(workspace: Workspace, { call, input }: Extract<Turn, { call: string }>): Promise<boolean> {
  const { exit, stdout } = await hookline(workspace, ['fire', 'tool.before', '--tool', call, '--input', JSON.stringify(input), '--json']);
  if (exit !== 0 && exit !== 2) throw new Error(`hookline fire ended with ${exit}: ${stdout}`);
  return exit === 0;
}

async function ours(workspace: Workspace, argv: readonly string[]): Promise<void> {
  const { exit, stdout, stderr } = await hookline(workspace, argv);
  if (exit !== 0) throw new Error(`hookline ${argv.join(' ')} ended with ${exit}: ${stdout}${stderr}`);
}

function work(agent: Agent, { root, home }: Workspace, model: MockModel): Promise<{ exit: number | null; output: string }> {
  const installed = installAgent(agent.packages);
  const { argv, env } = agent.start('Do what you are told.', model, installed);
  const [file = '', ...words] = argv;
  const child = spawn(file, words, {
    cwd: root,
    env: { PATH: `${path.join(installed, '.bin')}:${process.env['PATH']}`, HOME: home, HOOKLINE_HOME: home, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: LIMIT_MS,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  return new Promise((resolve, reject) => child.on('error', reject).on('close', (exit) => resolve({ exit, output })));
}
