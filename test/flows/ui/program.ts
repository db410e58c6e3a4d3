/** `hookline ui` as a process, and a page that logged in by the link that it printed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { onTestFinished } from 'vitest';
import { until } from '../../support/patience.ts';
import type { Workspace } from '../../support/workspace.ts';
import { programLine, type RunOptions } from '../cli/program.ts';
import { type Answer, type AskOptions, askRaw } from './dashboard.ts';

export interface Shown {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  readonly may: string;
  readonly because: string | null;
}

export interface Program {
  readonly child: ChildProcess;
  readonly shown: Shown;
  readonly token: string;
  readonly origin: string;
  /** Everything that it printed. */
  said(): string;
  ask(path: string, options?: AskOptions): Promise<Answer>;
  /** Returns the id of the first ticket that waits, once there is one. */
  waits(): Promise<string>;
  /** Resolves with its exit code. */
  readonly ended: Promise<number | null>;
}

/** To be called within a test. */
export async function openProgram(workspace: Workspace, argv: readonly string[] = [], options: RunOptions = {}): Promise<Program> {
  const { file, args, env } = programLine(workspace, ['ui', '--json', ...argv], options);
  const child = spawn(file, args, { cwd: workspace.root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => {
      said += part;
    });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  await until(() => isOver || /^}$/m.test(said));
  const shown: Shown = JSON.parse(said);
  onTestFinished(async () => {
    if (!isOver) process.kill(shown.pid, 'SIGTERM');
    await ended;
  });
  const origin = `http://127.0.0.1:${shown.port}`;
  const code = shown.url.split('#code=')[1] ?? '';
  const { token } = (await askRaw(`${origin}/v1/login`, { method: 'POST', body: { code } })).json();
  const ask: Program['ask'] = (path, options = {}) =>
    askRaw(`${origin}/v1${path}`, { ...options, headers: { authorization: `Bearer ${token}`, ...options.headers } });
  return {
    ...{ child, shown, token, origin, ask, ended },
    said: () => said,
    async waits() {
      let id = '';
      await until(async () => {
        id = (await ask('/tickets')).json().tickets[0]?.id ?? '';
        return id !== '';
      });
      return id;
    },
  };
}
