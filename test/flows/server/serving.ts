/** A server of the built program, and its client as an agent runs it. */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { type Endpoint, readEndpoint, serveFiles } from '../../../src/server/endpoint.ts';
import type { Workspace } from '../../support/workspace.ts';
import { AGENT, hookline } from '../cli/program.ts';
import { CLIENT } from './client-run.ts';

export function filesOf({ home }: Workspace) {
  return serveFiles(path.join(home, '.local', 'state'));
}

export async function serving(workspace: Workspace): Promise<Endpoint> {
  stopLater(workspace);
  const { exit, stdout, stderr } = await hookline(workspace, ['serve', '--background', '--idle', '60']);
  const endpoint = readEndpoint(filesOf(workspace));
  if (exit !== 0 || !endpoint) throw new Error(`no server: ${stdout}${stderr}`);
  return endpoint;
}

export function stopLater(workspace: Workspace): void {
  onTestFinished(async () => {
    await hookline(workspace, ['serve', 'manual']);
    await hookline(workspace, ['serve', 'stop']);
  });
}

export async function events(workspace: Workspace): Promise<unknown> {
  return JSON.parse((await hookline(workspace, ['serve', 'status', '--json'])).stdout).events;
}

export function said({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }): string {
  return stdout + stderr;
}

export function client(
  { root, home }: Workspace,
  payload: string,
  more: Readonly<Record<string, string>> = {},
  args = ['claude-code', 'PreToolUse'],
): Promise<{ exit: number | null; stdout: string; stderr: string }> {
  const { HOOKLINE_SERVE: _, HOOKLINE_DEPTH: __, ...env } = process.env;
  const child = spawn('sh', [AGENT, CLIENT, ...args], { cwd: root, env: { ...env, HOME: home, HOOKLINE_HOME: home, ...more } });
  child.stdin.on('error', () => {}).end(payload);
  const out = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) child[stream].setEncoding('utf8').on('data', (text: string) => (out[stream] += text));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exit) => resolve({ exit, ...out }));
  });
}
